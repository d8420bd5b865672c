package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// historyRow is the cost of one operation, measured as separate processes. Times are medians, in
// milliseconds.
type historyRow struct {
	Figure  string  `json:"figure"`
	Commits int     `json:"commits"` // of the history
	New     int     `json:"new"`     // commits that the process had to read or to remove
	Wall    float64 `json:"wall_ms"`
	CPU     float64 `json:"cpu_ms"`
	// WallRatio and CPURatio are relative to git log --no-renames --name-only, run alternately with it.
	WallRatio float64 `json:"wall_ratio,omitempty"`
	CPURatio  float64 `json:"cpu_ratio,omitempty"`
	// Above is the wall time in excess of the baseline named in Than: an empty program, or a refresh with
	// nothing new.
	Above float64 `json:"above_ms"`
	Than  string  `json:"than"`
	Peak  float64 `json:"rss_mb"` // maximum, including mapped packs
	Limit float64 `json:"limit_ms"`
	// Verdict is kept or missed, or "" for a figure without a limit.
	Verdict string `json:"verdict"`
}

// historyReport is the cost of indexing a repository's history, and whether every commit is read as git reads
// it.
type historyReport struct {
	Repository string       `json:"repository"`
	Git        string       `json:"git"` // version
	Rounds     int          `json:"rounds"`
	Rows       []historyRow `json:"rows"`
	Commits    int          `json:"commits"` // number compared
	Files      int          `json:"files"`   // number of changed files
	Indexed    int          `json:"indexed"` // documents in the history's index
	// Different counts commits whose subject, author, time or files differ from git's; First is the first of
	// them.
	Different int    `json:"different"`
	First     string `json:"first"`
	Missing   string `json:"missing"` // why there is no empty program
}

const (
	// firstLimit is how long the first answer may take for a history of firstCommits, in milliseconds.
	firstLimit   = 5000
	firstCommits = 10_000
	// walkLimit is the maximum wall time of a walk relative to git's.
	walkLimit = 1.1
	// idleLimit is how many milliseconds a refresh with nothing new may take in excess of an empty program.
	idleLimit = 30
	// fewCommits is the length of a shorter history, whose refreshes are compared with those of the whole one.
	fewCommits = 1000

	benchBranch   = "refs/heads/gitmem-bench"
	benchQuestion = "why was the parser changed?"
)

// historyRun measures in a clone that shares the objects of the repository.
type historyRun struct {
	*setup
	repository string
	rounds     int
	home       home
	git        string
	empty      string
	line       []string // first parents of the newest commit, oldest first
	rep        *historyReport
}

// historyReports has one report per repository.
type historyReports []*historyReport

func historyVerb(s *setup) func(context.Context) (report, error) {
	rounds := s.Int("rounds", 5, "measure each side so many times and take the median")
	return func(ctx context.Context) (report, error) {
		if s.NArg() == 0 || *rounds < 1 {
			return nil, fmt.Errorf("%w: bench history [-rounds N] DIR...: folders of repositories, and 1 round at least",
				errUsage)
		}
		git, err := exec.LookPath("git")
		if err != nil {
			return nil, fmt.Errorf("git is what is measured against: %w", err)
		}
		if err := s.enter(ctx); err != nil {
			return nil, err
		}
		empty, missing := buildEmpty(ctx, s.dir, s.env)
		var all historyReports
		var differ error
		for i, dir := range s.Args() {
			r := &historyRun{setup: s, rounds: *rounds, git: git, empty: empty,
				rep: &historyReport{Rounds: *rounds, Missing: missing}}
			// Objects that a partial clone lacks must not be fetched meanwhile.
			r.home = home{dir: filepath.Join(s.dir, "history", strconv.Itoa(i)), env: s.env, own: []string{
				"GITMEM_NO_BACKGROUND=1", "GITMEM_OFFLINE=1", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=file",
				"GIT_TERMINAL_PROMPT=0", "LC_ALL=C"}}
			if r.repository, err = filepath.Abs(dir); err == nil {
				r.rep.Repository = r.repository
				err = r.measure(ctx)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", dir, err)
			}
			all = append(all, r.rep)
			if n := r.rep.Commits; r.rep.Different > 0 || r.rep.Indexed != n {
				differ = errors.Join(differ, fmt.Errorf("%s: %d of %d commits differ from git's, and %d are indexed", dir,
					r.rep.Different, n, r.rep.Indexed))
			}
		}
		return all, differ
	}
}

func (r *historyRun) measure(ctx context.Context) error {
	if err := r.clone(ctx); err != nil {
		return err
	}
	for _, commits := range []int{fewCommits, 0} {
		if err := r.grown(ctx, commits); err != nil {
			return err
		}
	}
	if err := r.moveTo(ctx, r.line[len(r.line)-1]); err != nil {
		return err
	}
	if err := errors.Join(r.walk(ctx), r.besideLog(ctx)); err != nil {
		return err
	}
	r.tell("compare")
	return r.compare(ctx)
}

// walk reads the whole history in one process, alternately with git log, and compares every commit. It runs a
// Go benchmark of this checkout, which fails if they differ.
func (r *historyRun) walk(ctx context.Context) error {
	if !r.inCheckout("walk") {
		return nil
	}
	r.tell("walk beside git log")
	got, s, err := r.benchmark(ctx, r.home, "./providers/git", "BenchmarkHistory", r.rounds, "GITMEM_BENCH_REPOSITORY="+
		r.home.work())
	if err != nil {
		return err
	}
	n := int(got["equal-commits"])
	r.rep.Rows = append(r.rep.Rows, historyRow{
		Figure: "walk in one process, beside git log", Commits: n, New: n, Wall: got["ms"], CPU: got["cpu-ms"],
		WallRatio: got["wall-ratio"], CPURatio: got["cpu-ratio"],
		Peak: float64(s.peak) / megabyte, Verdict: kept(got["wall-ratio"] <= walkLimit),
	})
	return nil
}

func kept(ok bool) string {
	if ok {
		return "kept"
	}
	return "missed"
}

// besideLog builds the index alternately with git log, after one round that warms the caches.
func (r *historyRun) besideLog(ctx context.Context) error {
	n, err := r.count(ctx, "HEAD")
	if err != nil {
		return err
	}
	r.tell(fmt.Sprintf("index %d commits beside git log", n))
	row := historyRow{Figure: "index from nothing, beside git log", Commits: n, New: n}
	mute := r.home
	mute.mute = true
	var all []spent
	var walls, cpus []float64
	for range r.rounds + 1 {
		theirs, err := mute.run(ctx, r.git, "log", "--no-renames", "--name-only")
		if err != nil {
			return err
		}
		if err := os.RemoveAll(r.home.cache()); err != nil {
			return err
		}
		s, err := r.home.run(ctx, r.gitmem, "index")
		if err != nil {
			return err
		}
		all = append(all, s)
		walls, cpus = append(walls, float64(s.wall)/float64(theirs.wall)),
			append(cpus, float64(s.cpu)/math.Max(1, float64(theirs.cpu)))
	}
	row.WallRatio, row.CPURatio = median(walls[1:]), median(cpus[1:])
	r.row(row, all[1:], 0)
	var shards []struct {
		Name string
		Docs int
	}
	_, err = r.home.answer(ctx, &shards, r.gitmem, "index", "status", "--json")
	for _, s := range shards {
		if s.Name == "history" {
			r.rep.Indexed = s.Docs
		}
	}
	return err
}

// record is the data of a commit that is compared.
type record struct {
	subject, author string
	at              int64
	files           []string
}

const (
	recordMark = "\x1e\x01"
	fieldMark  = "\x1f\x01"
	// together is how many commits one process shows.
	together = 500
	// maxRecord limits the size of one commit with its files.
	maxRecord = 256 << 20
)

// compare compares every commit as shown by gitmem show with git's.
func (r *historyRun) compare(ctx context.Context) error {
	format := strings.NewReplacer("\x01", "%x01", "\x1e", "%x1e", "\x1f", "%x1f").Replace("--format=" + recordMark +
		strings.Join([]string{"%H", "%s", "%aN", "%at", ""}, fieldMark))
	c := exec.CommandContext(ctx, r.git, "-c", "i18n.logOutputEncoding=UTF-8", "-c", "log.mailmap=true", "log", "-z",
		"--no-renames", "--name-only", format)
	c.Dir, c.Env = r.home.work(), r.home.environ()
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	var ids []string
	theirs := map[string]record{}
	s := scanRecords(out)
	for s.Scan() && err == nil {
		hash, rec := parseRecord(s.Text())
		ids, theirs["git:commit:"+hash] = append(ids, "git:commit:"+hash), rec
		if len(ids) == together {
			err = r.compareTogether(ctx, ids, theirs)
			ids = nil
			clear(theirs)
		}
	}
	if err == nil && len(ids) > 0 {
		err = r.compareTogether(ctx, ids, theirs)
	}
	_, _ = io.Copy(io.Discard, out) // lets git end
	return errors.Join(err, s.Err(), c.Wait())
}

func scanRecords(r io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<16), maxRecord)
	mark := []byte(recordMark)
	s.Split(func(b []byte, atEOF bool) (int, []byte, error) {
		rest, _ := bytes.CutPrefix(b, mark)
		skipped := len(b) - len(rest)
		if i := bytes.Index(rest, mark); i >= 0 {
			return skipped + i, rest[:i], nil
		}
		if atEOF && len(b) > 0 {
			return len(b), rest, nil
		}
		return 0, nil, nil
	})
	return s
}

// parseRecord parses a commit as printed by git log: with -z, a NUL ends the text and a line feed begins the
// files.
func parseRecord(text string) (hash string, r record) {
	parts := strings.SplitN(strings.ToValidUTF8(text, "\uFFFD"), fieldMark, 5)
	if len(parts) < 5 {
		return parts[0], r
	}
	r.subject, r.author = words(parts[1]), words(parts[2])
	r.at, _ = strconv.ParseInt(parts[3], 10, 64)
	r.files = strings.FieldsFunc(strings.TrimPrefix(strings.TrimPrefix(parts[4], "\x00"), "\n"), func(c rune) bool {
		return c == 0
	})
	slices.Sort(r.files)
	return parts[0], r
}

// words normalises white space, which only matters for presentation.
func words(s string) string { return strings.Join(strings.Fields(s), " ") }

func (r *historyRun) compareTogether(ctx context.Context, ids []string, theirs map[string]record) error {
	s, err := r.home.run(ctx, r.gitmem, append([]string{"show", "--json"}, ids...)...)
	if err != nil {
		return err
	}
	if len(ids) == 1 {
		s.out = slices.Concat([]byte("["), s.out, []byte("]"))
	}
	var ours []struct {
		ID, Title, Author string
		Time              time.Time
		Paths             []string
	}
	if err := json.Unmarshal(s.out, &ours); err != nil {
		return err
	}
	r.rep.Commits += len(ids)
	shown := map[string]record{}
	for _, o := range ours {
		slices.Sort(o.Paths)
		shown[o.ID] = record{words(o.Title), words(o.Author), o.Time.Unix(), o.Paths}
	}
	for _, id := range ids {
		git, here := theirs[id], shown[id]
		r.rep.Files += len(git.files)
		if git.subject == here.subject && git.author == here.author && git.at == here.at &&
			slices.Equal(git.files, here.files) {
			continue
		}
		if r.rep.Different++; r.rep.Different == 1 {
			r.rep.First = fmt.Sprintf("%s\ngit:  %+.300v\nhere: %+.300v", id, git, here)
		}
	}
	return nil
}

func (all historyReports) print(out io.Writer) error {
	for _, rep := range all {
		if err := rep.print(out); err != nil {
			return err
		}
	}
	return nil
}

func (rep *historyReport) print(out io.Writer) error {
	fmt.Fprintf(out, "%s, git %s, medians of %d\n\n", rep.Repository, rep.Git, rep.Rounds)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "figure\tcommits\tnew\twall\tCPU\tto git log\tabove\tthan\tmemory\tat most\t")
	for _, row := range rep.Rows {
		ratio, above, limit := "–", "–", "–"
		if row.WallRatio > 0 {
			ratio = fmt.Sprintf("wall %.2f ×, CPU %.2f ×", row.WallRatio, row.CPURatio)
		}
		if row.Than != "" {
			above = fmt.Sprintf("%.0f ms", row.Above)
		}
		if row.Limit > 0 {
			limit = fmt.Sprintf("%g ms", row.Limit)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%.0f ms\t%.0f ms\t%s\t%s\t%s\t%.0f MB\t%s\t%s\n", row.Figure, row.Commits, row.New,
			row.Wall, row.CPU, ratio, above, row.Than, row.Peak, limit, row.Verdict)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	equal := "all equal"
	if rep.Different > 0 {
		equal = fmt.Sprintf("%d differ, the first %s", rep.Different, rep.First)
	}
	fmt.Fprintf(out, "\n%d commits with %d changed files compared: %s\n", rep.Commits, rep.Files, equal)
	fmt.Fprintf(out, "%d commits are indexed\n", rep.Indexed)
	if rep.Missing != "" {
		fmt.Fprintln(out, rep.Missing)
	}
	_, err := fmt.Fprintln(out)
	return err
}
