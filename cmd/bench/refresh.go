package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
)

func (r *historyRun) clone(ctx context.Context) error {
	r.tell("clone")
	if err := errors.Join(os.RemoveAll(r.home.dir), r.home.make()); err != nil {
		return err
	}
	if _, err := r.home.run(ctx, r.git, "-c", "safe.directory=*", "clone", "--quiet", "--bare", "--shared", r.repository,
		"."); err != nil {
		return err
	}
	line, err := r.home.run(ctx, r.git, "rev-list", "--first-parent", "--reverse", "HEAD")
	if err != nil {
		return err
	}
	if r.line = strings.Fields(string(line.out)); len(r.line) == 0 {
		return fmt.Errorf("%s has no commits", r.repository)
	}
	version, err := r.home.run(ctx, r.git, "version")
	if err != nil {
		return err
	}
	r.rep.Git = strings.TrimSpace(strings.TrimPrefix(string(version.out), "git version "))
	_, err = r.home.run(ctx, r.git, "symbolic-ref", "HEAD", benchBranch)
	return err
}

// count counts the commits that are reachable from to and not from without.
func (r *historyRun) count(ctx context.Context, to string, without ...string) (int, error) {
	out, err := r.home.run(ctx, r.git, append([]string{"rev-list", "--count", to}, without...)...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out.out)))
}

// place returns the first commit of the line from which a count is reached.
func (r *historyRun) place(ctx context.Context, from, least int, without ...string) (at int, err error) {
	at = from + sort.Search(len(r.line)-from, func(i int) bool {
		n, e := r.count(ctx, r.line[from+i], without...)
		if e != nil {
			err = e
		}
		return n >= least
	})
	return min(at, len(r.line)-1), err
}

// grown measures the index of a history of this many commits; 0 is the whole history except for the newest.
func (r *historyRun) grown(ctx context.Context, commits int) error {
	base := max(0, len(r.line)-51)
	if commits > 0 {
		at, err := r.place(ctx, 0, commits)
		if err != nil {
			return err
		}
		if base <= at {
			return nil // the whole history is not longer
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

func (r *historyRun) ask(ctx context.Context) (spent, error) {
	return r.home.run(ctx, r.gitmem, "ask", benchQuestion)
}

func (r *historyRun) moveTo(ctx context.Context, commit string) error {
	_, err := r.home.run(ctx, r.git, "update-ref", benchBranch, commit)
	return err
}

// row adds a figure. base is the baseline of its wall time, 0 for none.
func (r *historyRun) row(row historyRow, all []spent, base float64) {
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
		row.Verdict = kept(judged <= row.Limit)
	}
	r.rep.Rows = append(r.rep.Rows, row)
}

// first measures the first answer for a history without an index, and then the indexer that runs after it.
func (r *historyRun) first(ctx context.Context, at string, n int) error {
	r.tell(fmt.Sprintf("index %d commits", n))
	if err := r.moveTo(ctx, at); err != nil {
		return err
	}
	// The clone of a shorter history has an index already.
	if err := os.RemoveAll(r.home.cache()); err != nil {
		return err
	}
	answered, err := r.ask(ctx)
	if err != nil {
		return err
	}
	row := historyRow{Figure: "first answer", Commits: n, New: n}
	if n <= firstCommits {
		row.Limit = firstLimit
	}
	r.row(row, []spent{answered}, 0)
	rest, err := r.home.run(ctx, r.gitmem, "index")
	if err != nil {
		return err
	}
	r.row(historyRow{Figure: "what changes do, behind it", Commits: n}, []spent{rest}, 0)
	return nil
}

// idle measures processes with nothing new and returns the time of such a refresh.
func (r *historyRun) idle(ctx context.Context, n int) (idle float64, err error) {
	r.tell("nothing new")
	var empties, indexed, asked []spent
	for range r.rounds + 1 {
		if r.empty != "" {
			s, err := r.home.run(ctx, r.empty)
			if err != nil {
				return 0, err
			}
			empties = append(empties, s)
		}
		s, err := r.home.run(ctx, r.gitmem, "index")
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
	row := historyRow{Figure: "index, nothing new", Commits: n}
	if r.empty != "" {
		row.Than, row.Limit = "an empty program", idleLimit
	}
	r.row(row, indexed[1:], median(base))
	idle = r.rep.Rows[len(r.rep.Rows)-1].Wall
	row.Figure, row.Limit = "question, nothing new", 0
	r.row(row, asked[1:], median(base))
	return idle, nil
}

// grow measures a refresh after new commits, and after going back from them, as a branch switch does.
func (r *historyRun) grow(ctx context.Context, base, n, more int, idle float64) error {
	at, err := r.place(ctx, base+1, more, "^"+r.line[base])
	if err != nil {
		return err
	}
	came, err := r.count(ctx, r.line[at], "^"+r.line[base])
	if err != nil {
		return err
	}
	r.tell(fmt.Sprintf("%d commits more", came))
	var forth, back []spent
	for range r.rounds {
		for _, way := range []struct {
			to  string
			all *[]spent
		}{{r.line[at], &forth}, {r.line[base], &back}} {
			if err := r.moveTo(ctx, way.to); err != nil {
				return err
			}
			s, err := r.home.run(ctx, r.gitmem, "index")
			if err != nil {
				return err
			}
			*way.all = append(*way.all, s)
		}
	}
	row := historyRow{Figure: "index, new commits", Commits: n, New: came, Than: "nothing new"}
	r.row(row, forth, idle)
	row.Figure = "index, back from them"
	r.row(row, back, idle)
	return nil
}
