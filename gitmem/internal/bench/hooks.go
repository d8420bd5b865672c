package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"
)

// HookOptions say how hooks are measured.
type HookOptions struct {
	Dir    string // an empty folder, or one that an earlier run has left
	Corpus Corpus
	Runs   int      // of each hook, by turns
	Self   string   // gitmem's own binary
	Known  []string // hooks that there are
	Env    []string
	Now    func() time.Time
	Tell   func(string)
}

// HookRow is what one hook takes in one situation. Times are of the wall, in
// milliseconds, from the start of its process to its end.
type HookRow struct {
	Hook  string   `json:"hook"`
	Case  string   `json:"case"`
	Wall  *float64 `json:"wall_ms,omitempty"` // median; nil: not measured
	P95   *float64 `json:"p95_ms,omitempty"`
	Above *float64 `json:"above_ms,omitempty"` // median above that of an empty Go program, by turns with it
	Limit float64  `json:"limit_ms"`           // of Above; 0: none, the time is told only
	CPU   *float64 `json:"cpu_ms,omitempty"`   // median of the processor's time
	Peak  *float64 `json:"peak_mb,omitempty"`  // the largest of all runs, in millions of bytes
	// Verdict is kept, missed, not measured, or "" for a hook without a limit.
	Verdict string `json:"verdict"`
	Note    string `json:"note"`
}

// HookReport is what was measured.
type HookReport struct {
	Messages int      `json:"messages"`
	Sessions int      `json:"sessions"`
	Runs     int      `json:"runs"`
	Empty    *float64 `json:"empty_ms,omitempty"` // median of an empty Go program
	// EmptyPeak is what is told as the memory of the empty program: no process is
	// told to take less, since it begins as a copy of this one.
	EmptyPeak float64   `json:"empty_peak_mb"`
	PeakMost  float64   `json:"peak_limit_mb"`
	Rows      []HookRow `json:"cases"`
	Missing   string    `json:"missing"` // why there is no empty program
}

// hookPeak is the memory that a hook may take, in millions of bytes.
const hookPeak = 60

// hookCase is one hook in one situation.
type hookCase struct {
	hook, about string
	limit       float64
	payload     func(run int) ([]byte, error)
	after       func(ctx context.Context) error // nil: nothing
	speaks      bool                            // most runs must say something: else only silence is measured
	wall, cpu   []float64
	peak        int64
	spoke       int
}

// hookRunner measures hooks.
type hookRunner struct {
	HookOptions
	home    home
	empty   string // program, "" where there is none
	missing string
	base    []float64 // of the empty program
	floor   int64     // of its memory
	world   *hookWorld
}

// RunHooks measures each hook as a process of its own. What it makes lies below o.Dir.
func RunHooks(ctx context.Context, o HookOptions) (HookReport, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // a child is told to take what its parent takes, at least
	r := &hookRunner{HookOptions: o, home: home{dir: filepath.Join(o.Dir, "hooks"), env: o.Env, now: o.Now}}
	rep := HookReport{Messages: o.Corpus.Messages, Sessions: o.Corpus.Sessions, Runs: o.Runs, PeakMost: hookPeak}
	r.empty, r.missing = buildEmpty(ctx, o.Dir, o.Env)
	if err := r.prepare(ctx); err != nil {
		return rep, err
	}
	before, err := r.failures(ctx, r.home)
	if err != nil {
		return rep, err
	}
	cases := r.world.cases(r.settle)
	if err := errors.Join(r.turns(ctx, r.home, cases), r.world.takeBack()); err != nil {
		return rep, err
	}
	failed, err := r.failures(ctx, r.home)
	if err != nil {
		return rep, err
	}
	first, err := r.first(ctx)
	if err != nil {
		return rep, err
	}
	for _, c := range slices.Concat(cases, first) {
		rep.Rows = append(rep.Rows, r.row(c, failed[c.hook]-before[c.hook]))
	}
	rep.EmptyPeak = float64(r.floor) / megabyte
	rep.Empty, rep.Missing = number(median(r.base)), r.missing
	return rep, nil
}

// prepare makes the corpus, the store and the index, with this program's own verbs.
func (r *hookRunner) prepare(ctx context.Context) error {
	writer := runner{Options: Options{Self: r.Self, Tell: r.Tell}}
	if err := writer.corpus(ctx, r.home, r.Corpus); err != nil {
		return err
	}
	if git, err := exec.LookPath("git"); err == nil { // sessions are in repositories as a rule
		if _, err := r.home.run(ctx, git, "init", "--quiet"); err != nil {
			return err
		}
	}
	if _, err := r.home.run(ctx, r.Self, "init"); err != nil {
		return err
	}
	r.Tell("index " + filepath.Base(r.home.dir))
	if err := r.settle(ctx); err != nil {
		return err
	}
	var err error
	r.world, err = newHookWorld(ctx, r.home, r.Self)
	return err
}

// settle brings the index up to date, and waits for one that does so in the
// background.
func (r *hookRunner) settle(ctx context.Context) error {
	for {
		_, err := r.home.run(ctx, r.Self, "index")
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

// turns runs all cases by turns, each right behind the empty program.
func (r *hookRunner) turns(ctx context.Context, h home, cases []*hookCase) error {
	for run := range r.Runs {
		r.Tell(fmt.Sprintf("run %d of %d", run+1, r.Runs))
		for _, c := range cases {
			if !slices.Contains(r.Known, c.hook) {
				continue
			}
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
		r.base, r.floor = append(r.base, milliseconds(s.wall)), max(r.floor, s.peak)
	}
	s, err := h.feed(ctx, in, r.Self, "hook", c.hook)
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

// row judges a case. A hook that failed has shown nothing, however fast it was.
func (r *hookRunner) row(c *hookCase, failed int) HookRow {
	row := HookRow{Hook: c.hook, Case: c.about, Limit: c.limit, Verdict: "not measured"}
	if len(c.wall) == 0 {
		row.Note = "not there"
		return row
	}
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

// buildEmpty builds a program that does nothing: what is left is what starting a
// process takes here.
func buildEmpty(ctx context.Context, dir string, env []string) (program, missing string) {
	source := filepath.Join(dir, "empty")
	program = filepath.Join(source, "empty.exe")
	err := errors.Join(os.MkdirAll(source, 0o700), os.WriteFile(filepath.Join(source, "go.mod"), []byte("module empty\n"), 0o600),
		os.WriteFile(filepath.Join(source, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o600))
	if err != nil {
		return "", err.Error()
	}
	c := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	c.Dir, c.Env = source, append(append([]string(nil), env...), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Sprintf("an empty Go program could not be built (%v: %s), so times above it are not known", err, lastLine(out))
	}
	return program, ""
}
