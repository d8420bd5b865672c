package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

// Limits of wall times: of a sync as a multiple of git's, and of an idle sync in excess of git fetch as a
// multiple of gitmem version.
const (
	syncLimit     = 1.1
	idleSyncLimit = 1.5
)

// syncRun has two machines with diverged memories, which are synchronised with gitmem sync or with git pull
// and git push, alternately.
type syncRun struct {
	*setup
	files, commits, rounds int
	git                    string
	here, there            home // the machine that is measured, and the other one
	rep                    syncReport
}

// syncReport is the cost of synchronising two memories. Times are medians, in milliseconds.
type syncReport struct {
	Git     string  `json:"git"` // version
	Files   int     `json:"files"`
	Commits int     `json:"commits"` // of each side
	Rounds  int     `json:"rounds"`
	Sync    float64 `json:"sync_ms"`
	SyncCPU float64 `json:"sync_cpu_ms"` // without the time of git's processes
	Pull    float64 `json:"pull_push_ms"`
	Ratio   float64 `json:"ratio"` // median of the rounds' ratios
	Limit   float64 `json:"limit"`
	Verdict string  `json:"verdict"`
	Idle    float64 `json:"idle_ms"` // a sync with nothing to do
	Fetch   float64 `json:"fetch_ms"`
	Version float64 `json:"version_ms"`
	// Above is the time of an idle sync in excess of git fetch, as a multiple of gitmem version.
	Above       float64 `json:"above"`
	AboveLimit  float64 `json:"above_limit"`
	IdleVerdict string  `json:"idle_verdict"`
}

func syncVerb(s *setup) func(context.Context) (report, error) {
	r := &syncRun{setup: s}
	s.IntVar(&r.files, "files", 1000, "number of files in memory")
	s.IntVar(&r.commits, "commits", 5, "number of commits on each side")
	s.IntVar(&r.rounds, "rounds", 7, "rounds; each figure is their median")
	return func(ctx context.Context) (report, error) {
		if r.files < 1 || r.commits < 1 || r.rounds < 1 {
			return nil, fmt.Errorf("%w: -files, -commits and -rounds are 1 at least", errUsage)
		}
		err := s.enter(ctx)
		if err == nil {
			r.git, err = exec.LookPath("git")
		}
		if err == nil {
			err = r.begin(ctx)
		}
		if err == nil {
			err = r.diverged(ctx)
		}
		if err == nil {
			err = r.idle(ctx)
		}
		return &r.rep, err
	}
}

// machine returns a separate home whose working folder is the project.
func (r *syncRun) machine(name string) home {
	own := []string{
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org",
		"GITMEM_NO_BACKGROUND=1", "GITMEM_OFFLINE=1",
	}
	return home{dir: filepath.Join(r.dir, name), env: r.env, own: own, in: filepath.Join(r.dir, "pump")}
}

func (r *syncRun) remote() string { return filepath.Join(r.dir, "remote.git") }

// begin creates a memory of this many files on one machine, and copies it to the other one.
func (r *syncRun) begin(ctx context.Context) error {
	r.tell(fmt.Sprintf("write %d files", r.files))
	r.here, r.there = r.machine("here"), r.machine("there")
	for _, name := range []string{"here", "there", "pump", "remote.git", "copy", "copy.git"} { // of an earlier run
		if err := os.RemoveAll(filepath.Join(r.dir, name)); err != nil {
			return err
		}
	}
	if err := errors.Join(r.here.make(), r.there.make(), os.MkdirAll(r.here.in, 0o700)); err != nil {
		return err
	}
	version, err := r.there.run(ctx, r.git, "version")
	if err != nil {
		return err
	}
	r.rep = syncReport{Files: r.files, Commits: r.commits, Rounds: r.rounds, Limit: syncLimit, AboveLimit: idleSyncLimit,
		Git: strings.TrimSpace(strings.TrimPrefix(string(version.out), "git version "))}
	steps := [][]string{
		{r.git, "init", "--quiet", "--initial-branch=main"},
		{r.git, "remote", "add", "origin", "https://git.example/acme/pump"},
		{r.git, "commit", "--quiet", "--allow-empty", "--message", "Begin"},
		{r.git, "init", "--quiet", "--bare", "--initial-branch=main", r.remote()}, {r.gitmem, "init"},
	}
	for _, step := range steps {
		if _, err := r.there.run(ctx, step[0], step[1:]...); err != nil {
			return err
		}
	}
	for i := range r.files {
		if err := r.writeDay(i); err != nil {
			return err
		}
	}
	if _, err := r.there.run(ctx, r.gitmem, "sync", "--to", r.remote()); err != nil {
		return err
	}
	_, err = r.here.run(ctx, r.gitmem, "init", "--from", r.remote())
	return err
}

// writeDay writes a day of the archive of one of ten projects.
func (r *syncRun) writeDay(i int) error {
	day := fmt.Sprintf("20%02d-%02d-%02d", 10+i/280%80, 1+i/28%10, 1+i%28)
	project := fmt.Sprintf("git.example/acme/part%d", i/28000)
	name := filepath.Join(r.there.client(), "gitmem", "projects", filepath.FromSlash(project), "sessions",
		day[:4], day+".md")
	var b strings.Builder
	fmt.Fprintf(&b, "---\nformat: 1\nkind: sessions\nproject: %s\ndate: %s\n---\n\n# %s\n", project, day, day)
	for s := range 3 {
		fmt.Fprintf(&b, "\n## Session %d of the day ^s-%04x%04x\n\n", s, i, s)
		for line := range 8 {
			const form = "- [decision] Line %d of session %d on day %d says what was decided there (L%[1]d 14:%02[1]d) " +
				"^i-%04[3]x%02[2]x%02[1]x\n"
			fmt.Fprintf(&b, form, line, s, i)
		}
	}
	return errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(b.String()), 0o600))
}

// change makes one commit on a machine.
func (r *syncRun) change(ctx context.Context, h home, side string, n int) error {
	text := fmt.Sprintf("Change %d of the machine %s: the pump draws %d ampere", n, side, n)
	args := [][]string{
		{"note", "--force", text}, {"task", "add", text}, {"decide", "--force", text, "--why", text},
		{"profile", "set", "codePreferences.style", text}, {"profile", "set", "project.orders", text},
	}
	_, err := h.run(ctx, r.gitmem, args[n%len(args)]...)
	return err
}

// diverged measures machines with diverged memories. Both ways start from copies of the same state.
func (r *syncRun) diverged(ctx context.Context) error {
	var syncs, cpus, pulls, ratios []float64
	for round := range r.rounds {
		r.tell(fmt.Sprintf("round %d of %d", round+1, r.rounds))
		for n := range r.commits {
			at := round*r.commits + n
			if err := errors.Join(r.change(ctx, r.here, "here", at), r.change(ctx, r.there, "there", at)); err != nil {
				return err
			}
		}
		if _, err := r.there.run(ctx, r.gitmem, "sync"); err != nil {
			return err
		}
		took := map[bool]float64{}
		for _, sync := range []bool{round%2 == 0, round%2 != 0} {
			wall, cpu, err := r.meet(ctx, sync)
			if err != nil {
				return err
			}
			if took[sync] = wall; sync {
				cpus = append(cpus, cpu)
			}
		}
		syncs, pulls, ratios = append(syncs, took[true]), append(pulls, took[false]), append(ratios, took[true]/took[false])
		if _, err := r.here.run(ctx, r.gitmem, "sync"); err != nil {
			return err
		}
		if _, err := r.there.run(ctx, r.gitmem, "sync"); err != nil {
			return err
		}
	}
	r.rep.Sync, r.rep.SyncCPU, r.rep.Pull, r.rep.Ratio = median(syncs), median(cpus), median(pulls), median(ratios)
	r.rep.Verdict = kept(r.rep.Ratio <= syncLimit)
	return nil
}

// meet synchronises copies of the machine and of the remote, in one of the two ways.
func (r *syncRun) meet(ctx context.Context, sync bool) (wall, cpu float64, err error) {
	copied, remote := r.machine("copy"), filepath.Join(r.dir, "copy.git")
	err = errors.Join(os.RemoveAll(copied.dir), os.RemoveAll(remote))
	if err == nil {
		err = errors.Join(os.CopyFS(copied.dir, os.DirFS(r.here.dir)), os.CopyFS(remote, os.DirFS(r.remote())))
	}
	if err != nil {
		return 0, 0, err
	}
	memory := []string{"-C", copied.client()}
	steps := [][]string{{r.git, "remote", "set-url", "origin", remote}, {r.git, "update-index", "-q", "--refresh"}}
	timed := [][]string{
		{r.git, "pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main"},
		{r.git, "push", "--quiet", "origin", "HEAD:main"},
	}
	if sync {
		timed = [][]string{{r.gitmem, "sync"}}
	}
	for i, step := range append(steps, timed...) {
		if step[0] == r.git {
			step = append([]string{r.git}, append(memory, step[1:]...)...)
		}
		took, err := copied.run(ctx, step[0], step[1:]...)
		if err != nil {
			return 0, 0, err
		}
		if i >= len(steps) {
			wall, cpu = wall+milliseconds(took.wall), cpu+milliseconds(took.cpu)
		}
	}
	return wall, cpu, nil
}

// idle measures a sync with nothing to do.
func (r *syncRun) idle(ctx context.Context) error {
	var idle, fetch, version []float64
	for range 3 * r.rounds {
		for _, step := range []struct {
			to   *[]float64
			args []string
		}{
			{&idle, []string{r.gitmem, "sync"}}, {&fetch, []string{r.git, "-C", r.here.client(), "fetch", "--quiet", "origin"}},
			{&version, []string{r.gitmem, "version"}},
		} {
			took, err := r.here.run(ctx, step.args[0], step.args[1:]...)
			if err != nil {
				return err
			}
			*step.to = append(*step.to, milliseconds(took.wall))
		}
	}
	r.rep.Idle, r.rep.Fetch, r.rep.Version = median(idle), median(fetch), median(version)
	r.rep.Above = (r.rep.Idle - r.rep.Fetch) / r.rep.Version
	r.rep.IdleVerdict = kept(r.rep.Above <= idleSyncLimit)
	return nil
}

func (rep *syncReport) print(out io.Writer) error {
	fmt.Fprintf(out, "memory of %d files, %d commits on each side, git %s, medians of %d\n", rep.Files, rep.Commits,
		rep.Git, rep.Rounds)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "gitmem sync\t%.0f ms\tCPU %.0f ms\n", rep.Sync, rep.SyncCPU)
	fmt.Fprintf(w, "git pull and git push\t%.0f ms\t\n", rep.Pull)
	fmt.Fprintf(w, "ratio\t%.2f\tlimit %.1f: %s\n", rep.Ratio, rep.Limit, rep.Verdict)
	fmt.Fprintf(w, "gitmem sync with nothing to do\t%.1f ms\t\n", rep.Idle)
	fmt.Fprintf(w, "git fetch\t%.1f ms\t\n", rep.Fetch)
	fmt.Fprintf(w, "gitmem version\t%.1f ms\t\n", rep.Version)
	fmt.Fprintf(w, "beyond git fetch, in gitmem version\t%.2f\tlimit %.1f: %s\n", rep.Above, rep.AboveLimit,
		rep.IdleVerdict)
	return w.Flush()
}
