package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"
)

// HistoryOptions say whose history is measured.
type HistoryOptions struct {
	Repository string // a folder in it
	Dir        string // an empty folder
	Rounds     int    // of each side, by turns
	Lines      bool   // measure and compare changed lines, too
	Self       string // gitmem's own binary
	Env        []string
	Now        func() time.Time
	Tell       func(string)
}

// HistoryRow is what one way to read a whole history takes, as processes of their
// own that print it to nowhere. Times are medians.
type HistoryRow struct {
	Figure    string  `json:"figure"`
	GitWall   float64 `json:"git_wall_ms"`
	Wall      float64 `json:"wall_ms"`
	Ratio     float64 `json:"wall_ratio"` // median of the rounds
	GitCPU    float64 `json:"git_cpu_ms"`
	CPU       float64 `json:"cpu_ms"`
	CPURatio  float64 `json:"cpu_ratio"`
	GitPeak   float64 `json:"git_rss_mb"` // largest resident memory, mapped packs included
	Peak      float64 `json:"rss_mb"`
	HeapInUse float64 `json:"heap_in_use_mb"` // largest
	HeapSys   float64 `json:"heap_sys_mb"`    // what the heap ever took from the system
	// Verdict is aim, limit, missed, or "" for a figure without a limit.
	Verdict string `json:"verdict"`
}

// HistoryReport is what was measured, and whether both sides say the same.
type HistoryReport struct {
	Repository  string       `json:"repository"`
	Git         string       `json:"git"` // version
	Rounds      int          `json:"rounds"`
	CommitGraph bool         `json:"commit_graph"` // git reads parents and times from one
	Commits     int          `json:"commits"`
	Files       int          `json:"files"`
	Rows        []HistoryRow `json:"readings"`
	// Equal says that all commits are the same in all that was compared: id, parents,
	// order and changed files, people, times and messages.
	Equal bool `json:"equal"`
	// Different counts commits with other ids, parents or files, Texts those with other
	// people, times or messages. First names the first of them.
	Different int      `json:"different"`
	Texts     int      `json:"texts"`
	First     string   `json:"first"`
	Skipped   []string `json:"skipped"` // what this side could not read
	// Counted are the files whose added and removed lines were compared, where that
	// was asked for, and CountedEqual those with git's numbers. Both sides look for the
	// fewest changes and stop looking at different times, so that a few differ.
	Counted      int `json:"counted"`
	CountedEqual int `json:"counted_equal"`
}

const (
	// historyLimit and historyAim are walls in parts of git's.
	historyLimit, historyAim = 1.6, 1.1
	// historyHeap is the heap that a walk may take, in millions of bytes.
	historyHeap = 150
)

// historyFigure is one way to read the history.
type historyFigure struct {
	name       string
	git        []string
	how        HistoryReading
	limit, aim float64 // 0 for none
}

func historyFigures(lines bool) []historyFigure {
	out := []historyFigure{
		{"messages and changed files", []string{"log", "--no-renames", "--name-only"}, HistoryReading{Paths: true}, historyLimit, historyAim},
		{"messages only", []string{"log"}, HistoryReading{}, historyLimit, historyAim},
	}
	if lines {
		out = append(out, historyFigure{"changed lines and what they do", []string{"log", "--no-renames", "--numstat"}, HistoryReading{Lines: true}, 0, 0})
	}
	return out
}

// historyRunner runs both sides.
type historyRunner struct {
	HistoryOptions
	home home
	git  string
}

// RunHistory measures how long a whole history takes to read, beside git.
func RunHistory(ctx context.Context, o HistoryOptions) (HistoryReport, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // a child is told to take what its parent takes, at least
	rep := HistoryReport{Repository: o.Repository, Rounds: o.Rounds, Skipped: []string{}}
	git, err := exec.LookPath("git")
	if err != nil {
		return rep, fmt.Errorf("git is what is measured against: %w", err)
	}
	r := &historyRunner{HistoryOptions: o, git: git, home: home{dir: o.Dir, env: o.Env, now: o.Now}}
	if err := r.home.make(); err != nil {
		return rep, err
	}
	rep.Rows = []HistoryRow{}
	if err := r.describe(ctx, &rep); err != nil {
		return rep, err
	}
	for _, f := range historyFigures(o.Lines) {
		o.Tell("read " + f.name)
		row, err := r.measure(ctx, f)
		if err != nil {
			return rep, err
		}
		rep.Rows = append(rep.Rows, row)
	}
	o.Tell("compare")
	if err := r.compare(ctx, &rep); err != nil || !o.Lines {
		return rep, err
	}
	o.Tell("compare lines")
	return rep, r.compareLines(ctx, &rep)
}

// command is a process in which nothing of the user's is seen and which can't reach
// the network, where git would fetch what a partial clone lacks.
func (r *historyRunner) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, program, args...)
	c.Dir = r.home.work()
	c.Env = append(r.home.environ(), "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	return c
}

// gitArgs are the arguments of git in the repository.
func (r *historyRunner) gitArgs(args ...string) []string {
	return append([]string{"-c", "safe.directory=*", "-C", r.Repository}, args...)
}

func (r *historyRunner) describe(ctx context.Context, rep *HistoryReport) error {
	var all [2]string
	for i, args := range [][]string{{"version"}, {"rev-parse", "--git-path", "objects/info"}} {
		s, err := r.spend(r.command(ctx, r.git, r.gitArgs(args...)...), true)
		if err != nil {
			return err
		}
		all[i] = strings.TrimSpace(string(s.out))
	}
	rep.Git = strings.TrimPrefix(all[0], "git version ")
	info := all[1]
	if !filepath.IsAbs(info) {
		info = filepath.Join(r.Repository, info)
	}
	graphs, err := filepath.Glob(filepath.Join(info, "commit-graph*"))
	rep.CommitGraph = len(graphs) > 0
	return err
}

// spend runs a process to its end. What it prints is kept only where it is asked for.
func (r *historyRunner) spend(c *exec.Cmd, keep bool) (spent, error) {
	var out, errs bytes.Buffer
	c.Stderr = &errs
	if keep {
		c.Stdout = &out
	}
	start := r.Now()
	err := c.Run()
	s := spent{wall: r.Now().Sub(start), out: out.Bytes()}
	if c.ProcessState != nil {
		s.cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		s.peak, s.peakKnown = peakOf(c.ProcessState)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", filepath.Base(c.Path), err, strings.TrimSpace(errs.String()))
	}
	return s, err
}

// measure runs both sides by turns, after one round that warms the caches.
func (r *historyRunner) measure(ctx context.Context, f historyFigure) (HistoryRow, error) {
	row := HistoryRow{Figure: f.name}
	var walls, cpus, gitWalls, gitCPUs, ratios, cpuRatios []float64
	for round := range r.Rounds + 1 {
		theirs, err := r.spend(r.command(ctx, r.git, r.gitArgs(f.git...)...), false)
		if err != nil {
			return row, err
		}
		ours, read, err := r.ours(ctx, f.how)
		if err != nil {
			return row, err
		}
		row.GitPeak, row.Peak = max(row.GitPeak, float64(theirs.peak)/megabyte), max(row.Peak, float64(ours.peak)/megabyte)
		row.HeapInUse, row.HeapSys = max(row.HeapInUse, float64(read.HeapInUse)/megabyte), max(row.HeapSys, float64(read.HeapSys)/megabyte)
		if round == 0 {
			continue
		}
		walls, cpus = append(walls, milliseconds(ours.wall)), append(cpus, milliseconds(ours.cpu))
		gitWalls, gitCPUs = append(gitWalls, milliseconds(theirs.wall)), append(gitCPUs, milliseconds(theirs.cpu))
		ratios = append(ratios, part(ours.wall, theirs.wall))
		cpuRatios = append(cpuRatios, part(ours.cpu, theirs.cpu))
	}
	row.Wall, row.CPU, row.GitWall, row.GitCPU = median(walls), median(cpus), median(gitWalls), median(gitCPUs)
	row.Ratio, row.CPURatio = median(ratios), median(cpuRatios)
	row.judge(f)
	return row, nil
}

// part is a duration in parts of another one; 0 of none.
func part(a, b time.Duration) float64 {
	if b <= 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func (row *HistoryRow) judge(f historyFigure) {
	switch {
	case f.limit == 0:
	case row.Ratio > f.limit || row.HeapInUse > historyHeap:
		row.Verdict = "missed"
	case row.Ratio > f.aim:
		row.Verdict = "limit"
	default:
		row.Verdict = "aim"
	}
}

// ours runs this program's side, which leaves figures of its heap in a file.
func (r *historyRunner) ours(ctx context.Context, how HistoryReading) (spent, HistoryRead, error) {
	var read HistoryRead
	s, err := r.spend(r.child(ctx, how), false)
	if err != nil {
		return s, read, err
	}
	b, err := os.ReadFile(r.figures())
	if err != nil {
		return s, read, err
	}
	return s, read, errors.Join(json.Unmarshal(b, &read), os.Remove(r.figures()))
}

func (r *historyRunner) figures() string { return filepath.Join(r.home.dir, "figures.json") }

func (r *historyRunner) child(ctx context.Context, how HistoryReading) *exec.Cmd {
	return r.command(ctx, r.Self, "bench", "child-history", fmt.Sprintf("--paths=%v", how.Paths), fmt.Sprintf("--lines=%v", how.Lines),
		fmt.Sprintf("--records=%v", how.Records), r.Repository, r.figures())
}
