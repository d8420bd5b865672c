package bench

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"time"
)

// TeamOptions say of whose history the index is measured.
type TeamOptions struct {
	Repository string // a folder in it; it is only read
	Dir        string // an empty folder
	Rounds     int
	Self       string // gitmem's own binary
	Env        []string
	Now        func() time.Time
	Tell       func(string)
}

// TeamRow is what one thing takes, as a process of its own. Times are medians, in
// milliseconds.
type TeamRow struct {
	Figure  string  `json:"figure"`
	Commits int     `json:"commits"` // of the history
	New     int     `json:"new"`     // that the process had to read, or to drop
	Wall    float64 `json:"wall_ms"`
	CPU     float64 `json:"cpu_ms"`
	// Above is the wall beyond that of an empty program, or of a refresh with nothing
	// new: what Than says.
	Above float64 `json:"above_ms"`
	Than  string  `json:"than"`
	Peak  float64 `json:"rss_mb"` // largest, mapped packs included
	Limit float64 `json:"limit_ms"`
	// Verdict is kept or missed, "" for a figure without a limit.
	Verdict string `json:"verdict"`
}

// TeamReport is what was measured.
type TeamReport struct {
	Repository string    `json:"repository"`
	Rounds     int       `json:"rounds"`
	Rows       []TeamRow `json:"rows"`
	Missing    string    `json:"missing"` // why there is no empty program
}

const (
	// firstLimit is how long the first answer may take on a history of firstCommits.
	firstLimit   = 5000
	firstCommits = 10_000
	// idleLimit is what a refresh with nothing new may take above an empty program.
	idleLimit = 30
	// fewCommits is the length of the shorter history, whose refreshes those of the
	// whole one stand beside.
	fewCommits = 1000

	teamBranch   = "refs/heads/gitmem-bench"
	teamQuestion = "why was the parser changed?"
)

// teamRunner measures in a clone that shares the objects of the repository.
type teamRunner struct {
	TeamOptions
	home  home
	git   string
	empty string
	line  []string // first parents of the newest commit, oldest first
	rep   *TeamReport
}

// RunTeam measures the index of a history: the first answer, a refresh with nothing
// new, and refreshes after new commits on a short and on the whole history.
func RunTeam(ctx context.Context, o TeamOptions) (TeamReport, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // a child is told to take what its parent takes, at least
	rep := TeamReport{Repository: o.Repository, Rounds: o.Rounds, Rows: []TeamRow{}}
	git, err := exec.LookPath("git")
	if err != nil {
		return rep, fmt.Errorf("git makes the clone that is measured: %w", err)
	}
	r := &teamRunner{TeamOptions: o, git: git, rep: &rep}
	r.home = home{dir: filepath.Join(o.Dir, "team"), env: o.Env, now: o.Now, own: []string{"GITMEM_NO_BACKGROUND=1"}}
	if r.empty, rep.Missing = buildEmpty(ctx, o.Dir, o.Env); rep.Missing != "" {
		o.Tell(rep.Missing)
	}
	if err := r.clone(ctx); err != nil {
		return rep, err
	}
	for _, commits := range []int{fewCommits, 0} {
		if err := r.history(ctx, commits); err != nil {
			return rep, err
		}
	}
	return rep, nil
}

func (r *teamRunner) clone(ctx context.Context) error {
	r.Tell("clone")
	if err := r.home.make(); err != nil {
		return err
	}
	if _, err := r.home.run(ctx, r.git, "-c", "safe.directory=*", "clone", "--quiet", "--bare", "--shared", r.Repository, "."); err != nil {
		return err
	}
	line, err := r.home.run(ctx, r.git, "rev-list", "--first-parent", "--reverse", "HEAD")
	if err != nil {
		return err
	}
	if r.line = strings.Fields(string(line.out)); len(r.line) == 0 {
		return fmt.Errorf("%s has no commits", r.Repository)
	}
	_, err = r.home.run(ctx, r.git, "symbolic-ref", "HEAD", teamBranch)
	return err
}

// count counts the commits that one reaches, and another one does not.
func (r *teamRunner) count(ctx context.Context, to string, without ...string) (int, error) {
	out, err := r.home.run(ctx, r.git, append([]string{"rev-list", "--count", to}, without...)...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out.out)))
}

// place finds the first commit of the line from which on a count is reached.
func (r *teamRunner) place(ctx context.Context, from, least int, without ...string) (at int, err error) {
	at = from + sort.Search(len(r.line)-from, func(i int) bool {
		n, e := r.count(ctx, r.line[from+i], without...)
		if e != nil {
			err = e
		}
		return n >= least
	})
	return min(at, len(r.line)-1), err
}

// history measures a history of so many commits, 0 for the whole one but the newest.
func (r *teamRunner) history(ctx context.Context, commits int) error {
	base := max(0, len(r.line)-51)
	if commits > 0 {
		at, err := r.place(ctx, 0, commits)
		if err != nil {
			return err
		}
		if base <= at {
			return nil // the whole history is no longer
		}
		base = at
	}
	n, err := r.count(ctx, r.line[base])
	if err != nil {
		return err
	}
	if err := r.first(ctx, r.line[base], n); err != nil {
		return err
	}
	idle, err := r.idle(ctx, n)
	if err != nil {
		return err
	}
	for _, more := range []int{1, 50} {
		if err := r.grow(ctx, base, n, more, idle); err != nil {
			return err
		}
	}
	return nil
}

func (r *teamRunner) ask(ctx context.Context) (spent, error) {
	return r.home.run(ctx, r.Self, "ask", teamQuestion)
}

func (r *teamRunner) moveTo(ctx context.Context, commit string) error {
	_, err := r.home.run(ctx, r.git, "update-ref", teamBranch, commit)
	return err
}

// row adds a figure. base is what its wall is compared with, 0 for nothing.
func (r *teamRunner) row(row TeamRow, all []spent, base float64) {
	var walls, cpus []float64
	for _, s := range all {
		walls, cpus = append(walls, milliseconds(s.wall)), append(cpus, milliseconds(s.cpu))
		row.Peak = max(row.Peak, float64(s.peak)/megabyte)
	}
	row.Wall, row.CPU = median(walls), median(cpus)
	judged := row.Wall
	if row.Than != "" {
		row.Above = row.Wall - base
		judged = row.Above
	}
	if row.Limit > 0 {
		row.Verdict = map[bool]string{true: "kept", false: "missed"}[judged <= row.Limit]
	}
	r.rep.Rows = append(r.rep.Rows, row)
}

// first measures the first answer on a history that nobody has indexed, and then what
// an indexer does behind it.
func (r *teamRunner) first(ctx context.Context, at string, n int) error {
	r.Tell(fmt.Sprintf("index %d commits", n))
	if err := r.moveTo(ctx, at); err != nil {
		return err
	}
	// The clone of a shorter history has an index already.
	r.home.own = append(r.home.own[:1:1], "XDG_CACHE_HOME="+filepath.Join(r.home.dir, fmt.Sprint("cache", n)))
	answered, err := r.ask(ctx)
	if err != nil {
		return err
	}
	row := TeamRow{Figure: "first answer", Commits: n, New: n}
	if n <= firstCommits {
		row.Limit = firstLimit
	}
	r.row(row, []spent{answered}, 0)
	rest, err := r.home.run(ctx, r.Self, "index")
	if err != nil {
		return err
	}
	r.row(TeamRow{Figure: "what changes do, behind it", Commits: n}, []spent{rest}, 0)
	return nil
}

// idle measures processes with nothing new and returns what a refresh takes then.
func (r *teamRunner) idle(ctx context.Context, n int) (idle float64, err error) {
	r.Tell("nothing new")
	var empties, indexed, asked []spent
	for range r.Rounds + 1 {
		if r.empty != "" {
			s, err := r.home.run(ctx, r.empty)
			if err != nil {
				return 0, err
			}
			empties = append(empties, s)
		}
		s, err := r.home.run(ctx, r.Self, "index")
		if err != nil {
			return 0, err
		}
		indexed = append(indexed, s)
		if s, err = r.ask(ctx); err != nil {
			return 0, err
		}
		asked = append(asked, s)
	}
	var base []float64
	for _, s := range empties {
		base = append(base, milliseconds(s.wall))
	}
	row := TeamRow{Figure: "index, nothing new", Commits: n}
	if r.empty != "" {
		row.Than, row.Limit = "an empty program", idleLimit
	}
	r.row(row, indexed[1:], median(base))
	idle = r.rep.Rows[len(r.rep.Rows)-1].Wall
	row.Figure, row.Limit = "question, nothing new", 0
	r.row(row, asked[1:], median(base))
	return idle, nil
}

// grow measures a refresh after new commits, and after going back from them as
// switching branches does.
func (r *teamRunner) grow(ctx context.Context, base, n, more int, idle float64) error {
	at, err := r.place(ctx, base+1, more, "^"+r.line[base])
	if err != nil {
		return err
	}
	came, err := r.count(ctx, r.line[at], "^"+r.line[base])
	if err != nil {
		return err
	}
	r.Tell(fmt.Sprintf("%d commits more", came))
	var forth, back []spent
	for range r.Rounds {
		for _, way := range []struct {
			to  string
			all *[]spent
		}{{r.line[at], &forth}, {r.line[base], &back}} {
			if err := r.moveTo(ctx, way.to); err != nil {
				return err
			}
			s, err := r.home.run(ctx, r.Self, "index")
			if err != nil {
				return err
			}
			*way.all = append(*way.all, s)
		}
	}
	row := TeamRow{Figure: "index, new commits", Commits: n, New: came, Than: "nothing new"}
	r.row(row, forth, idle)
	row.Figure = "index, back from them"
	r.row(row, back, idle)
	return nil
}
