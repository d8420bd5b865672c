package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// hookRow is the cost of one hook in one situation. Times are wall times, in milliseconds, from the start of
// its process to its end.
type hookRow struct {
	Hook  string   `json:"hook"`
	Case  string   `json:"case"`
	Wall  *float64 `json:"wall_ms,omitempty"` // median; nil: not measured
	P95   *float64 `json:"p95_ms,omitempty"`
	Above *float64 `json:"above_ms,omitempty"` // median in excess of an empty Go program, run alternately with it
	Limit float64  `json:"limit_ms"`           // of Above; 0: no limit, the time is only reported
	CPU   *float64 `json:"cpu_ms,omitempty"`   // median CPU time
	Peak  *float64 `json:"peak_mb,omitempty"`  // maximum of all runs, in millions of bytes
	// Verdict is kept, missed, not measured, or "" for a hook without a limit.
	Verdict string `json:"verdict"`
	Note    string `json:"note"`
}

// hookReport is the result of the measurements.
type hookReport struct {
	Messages int      `json:"messages"`
	Sessions int      `json:"sessions"`
	Runs     int      `json:"runs"`
	Empty    *float64 `json:"empty_ms,omitempty"` // median of an empty Go program
	EmptyCPU *float64 `json:"empty_cpu_ms,omitempty"`
	// EmptyPeak is the reported memory of the empty program. No process reports less, because it begins as a
	// copy of this one.
	EmptyPeak float64   `json:"empty_peak_mb"`
	PeakMost  float64   `json:"peak_limit_mb"`
	Rows      []hookRow `json:"cases"`
	Missing   string    `json:"missing"` // why there is no empty program
}

// hookPeak is the memory limit of a hook, in millions of bytes.
const hookPeak = 60

// hookCase is one hook in one situation.
type hookCase struct {
	hook, about string
	limit       float64
	payload     func(run int) ([]byte, error)
	after       func(ctx context.Context) error // nil: nothing
	speaks      bool                            // most runs must produce output, otherwise only silence is measured
	wall, cpu   []float64
	peak        int64
	spoke       int
}

// hookRunner measures hooks.
type hookRunner struct {
	*sessions
	runs    int
	empty   string // program, or ""
	missing string
	base    []float64 // of the empty program
	baseCPU []float64
	floor   int64 // memory of the empty program
	world   *hookWorld
}

func hooksVerb(s *setup) func(context.Context) (report, error) {
	r := &hookRunner{}
	s.corpusFlags()
	s.IntVar(&r.runs, "runs", 20, "run each hook so many times")
	return func(ctx context.Context) (report, error) {
		if r.runs < 1 {
			return nil, fmt.Errorf("%w: -runs is 1 at least", errUsage)
		}
		if err := errors.Join(s.checkCorpus(), s.enter(ctx)); err != nil {
			return nil, err
		}
		rep, err := r.all(ctx, s)
		if err != nil {
			return nil, err
		}
		return rep, nil
	}
}

// all measures the hooks with the sessions of the run's corpus.
func (r *hookRunner) all(ctx context.Context, s *setup) (rep *hookReport, err error) {
	if r.sessions, err = newSessions(ctx, s, "hooks", 1); err != nil {
		return nil, err
	}
	r.empty, r.missing = buildEmpty(ctx, s.dir, s.env)
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	return r.measure(ctx)
}

// measure runs each hook as a separate process.
func (r *hookRunner) measure(ctx context.Context) (*hookReport, error) {
	rep := &hookReport{Messages: r.corpus.Size, Sessions: r.corpus.Sessions, Runs: r.runs, PeakMost: hookPeak}
	before, err := r.failures(ctx)
	if err != nil {
		return nil, err
	}
	cases := r.world.cases(r.settle)
	if err := errors.Join(r.turns(ctx, r.home, cases), r.world.takeBack()); err != nil {
		return nil, err
	}
	failed, err := r.failures(ctx)
	if err != nil {
		return nil, err
	}
	first, err := r.first(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range slices.Concat(cases, first) {
		rep.Rows = append(rep.Rows, r.row(c, failed[c.hook]-before[c.hook]))
	}
	rep.EmptyPeak = float64(r.floor) / megabyte
	rep.Empty, rep.EmptyCPU, rep.Missing = number(median(r.base)), number(median(r.baseCPU)), r.missing
	return rep, nil
}

// prepare creates the store and the index with the program's own verbs.
func (r *hookRunner) prepare(ctx context.Context) error {
	if git, err := exec.LookPath("git"); err == nil { // sessions are usually in repositories
		if _, err := r.home.run(ctx, git, "init", "--quiet"); err != nil {
			return err
		}
	}
	if _, err := r.home.run(ctx, r.gitmem, "init"); err != nil {
		return err
	}
	r.tell("index")
	if err := r.settle(ctx); err != nil {
		return err
	}
	var err error
	r.world, err = newHookWorld(ctx, r.sessions)
	return err
}

// settle brings the index up to date, and waits for a background process that is doing so.
func (r *hookRunner) settle(ctx context.Context) error {
	for {
		_, err := r.index(ctx)
		if !errors.Is(err, errLocked) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// turns runs all cases in turn, each directly after the empty program.
func (r *hookRunner) turns(ctx context.Context, h home, cases []*hookCase) error {
	for run := range r.runs {
		r.tell(fmt.Sprintf("run %d of %d", run+1, r.runs))
		for _, c := range cases {
			if err := r.turn(ctx, h, c, run); err != nil {
				return fmt.Errorf("measure %s: %w", c.hook, err)
			}
		}
	}
	return nil
}

func (r *hookRunner) turn(ctx context.Context, h home, c *hookCase, run int) error {
	in, err := c.payload(run)
	if err != nil {
		return err
	}
	if r.empty != "" {
		s, err := h.feed(ctx, nil, r.empty)
		if err != nil {
			return err
		}
		r.base, r.baseCPU = append(r.base, milliseconds(s.wall)), append(r.baseCPU, milliseconds(s.cpu))
		r.floor = max(r.floor, s.peak)
	}
	s, err := h.feed(ctx, in, r.gitmem, "hook", c.hook)
	if err != nil {
		return err
	}
	c.wall, c.cpu, c.peak = append(c.wall, milliseconds(s.wall)), append(c.cpu, milliseconds(s.cpu)), max(c.peak, s.peak)
	if len(s.out) > 0 {
		c.spoke++
	}
	if c.after != nil {
		return c.after(ctx)
	}
	return nil
}

// row evaluates a case. A hook that failed has no valid time, however fast it was.
func (r *hookRunner) row(c *hookCase, failed int) hookRow {
	row := hookRow{Hook: c.hook, Case: c.about, Limit: c.limit, Verdict: "not measured"}
	row.Wall, row.P95, row.CPU = number(median(c.wall)), number(percentile(c.wall, 95)), number(median(c.cpu))
	if c.peak > 0 {
		row.Peak = number(float64(c.peak) / megabyte)
	}
	row.Note = fmt.Sprintf("said something in %d of %d runs", c.spoke, len(c.wall))
	if r.empty != "" {
		row.Above = number(*row.Wall - median(r.base))
	}
	switch {
	case failed > 0:
		row.Verdict, row.Note = "missed", fmt.Sprintf("%d runs ended with an error", failed)
	case row.Peak != nil && *row.Peak > hookPeak, c.speaks && 2*c.spoke < len(c.wall):
		row.Verdict = "missed"
	case c.limit == 0:
		row.Verdict = ""
	case row.Above == nil:
	case *row.Above <= c.limit:
		row.Verdict = "kept"
	default:
		row.Verdict = "missed"
	}
	return row
}

// buildEmpty builds a program that does nothing: its cost is that of starting a process on this machine.
func buildEmpty(ctx context.Context, dir string, env []string) (program, missing string) {
	source := filepath.Join(dir, "empty")
	program = filepath.Join(source, "empty.exe")
	err := errors.Join(os.MkdirAll(source, 0o700), os.WriteFile(filepath.Join(source, "go.mod"),
		[]byte("module empty\n"), 0o600),
		os.WriteFile(filepath.Join(source, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o600))
	if err != nil {
		return "", err.Error()
	}
	c := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	c.Dir, c.Env = source, append(append([]string(nil), env...), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Sprintf("an empty Go program could not be built (%v: %s), so times above it are not known", err,
			strings.TrimSpace(string(out)))
	}
	return program, ""
}

// first measures the first prompts after an installation with existing transcripts: without an index that
// nobody is building, and while one is being built.
func (r *hookRunner) first(ctx context.Context) ([]*hookCase, error) {
	h := r.home
	root := filepath.Join(h.dir, "first")
	h.own = []string{"GITMEM_HOME=" + root, "GITMEM_NO_BACKGROUND=1"}
	if err := errors.Join(os.RemoveAll(root), os.MkdirAll(root, 0o700)); err != nil {
		return nil, err
	}
	if _, err := h.run(ctx, r.gitmem, "init"); err != nil {
		return nil, err
	}
	w := *r.world
	w.home, w.made = h, nil
	none := &hookCase{hook: "user-prompt-submit", about: "the first prompt, no index yet", limit: 100, payload: w.prompt}
	built := &hookCase{hook: "user-prompt-submit", about: "the first prompts, index being built", limit: 100,
		payload: w.prompt}
	if err := r.turns(ctx, h, []*hookCase{none}); err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, r.gitmem, "index")
	c.Dir, c.Env = h.work(), h.environ()
	if err := c.Start(); err != nil {
		return nil, err
	}
	err := r.turns(ctx, h, []*hookCase{built})
	_ = c.Process.Kill() // it may have ended
	_ = c.Wait()         // returns an error because the process was killed
	return []*hookCase{none, built}, err
}

// failures counts the runs of each hook that ended with an error, using their traces.
func (r *hookRunner) failures(ctx context.Context) (map[string]int, error) {
	var cost struct {
		Hooks []struct {
			Hook   string `json:"hook"`
			Errors int    `json:"errors"`
		} `json:"hooks"`
	}
	if _, err := r.home.answer(ctx, &cost, r.gitmem, "stats", "--cost", "--json"); err != nil {
		return nil, err
	}
	failed := map[string]int{}
	for _, k := range cost.Hooks {
		failed[k.Hook] = k.Errors
	}
	return failed, nil
}

func (rep *hookReport) print(out io.Writer) error {
	value := func(v *float64, unit string) string {
		if v == nil {
			return "–"
		}
		return strconv.FormatFloat(*v, 'f', 1, 64) + unit
	}
	fmt.Fprintf(out,
		"%d messages in %d sessions, medians of %d processes, wall; an empty Go program: %s, CPU %s and %.1f MB; memory at "+
			"most %g MB\n\n",
		rep.Messages, rep.Sessions, rep.Runs, value(rep.Empty, " ms"), value(rep.EmptyCPU, " ms"),
		rep.EmptyPeak, rep.PeakMost)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "hook\tcase\twall\tp95\tabove empty\tat most\tCPU\tmemory\t\t")
	for _, row := range rep.Rows {
		limit := "–"
		if row.Limit > 0 {
			limit = fmt.Sprintf("%g ms", row.Limit)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row.Hook, row.Case, value(row.Wall, " ms"),
			value(row.P95, " ms"), value(row.Above, " ms"),
			limit, value(row.CPU, " ms"), value(row.Peak, " MB"), row.Verdict, row.Note)
	}
	if err := w.Flush(); err != nil || rep.Missing == "" {
		return err
	}
	_, err := fmt.Fprintf(out, "\n%s\n", rep.Missing)
	return err
}
