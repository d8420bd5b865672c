package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newBenchHooksCmd() *cobra.Command {
	var o gitmem.BenchHookOptions
	var shared benchOptions
	c := &cobra.Command{
		Use:   "hooks",
		Short: "Measure each hook as a process of its own, beside an empty Go program",
		Long: `Writes invented sessions, indexes them and runs each hook by turns as the client
would: a process that starts, reads its JSON and ends. Each run stands right behind
one of an empty Go program, built for it with the go command; what a hook takes
above that is what it has a limit for. Nothing of yours is read or written: all of
it happens in a temporary folder, or below --dir.`,
		Args: usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error { return a.runBenchHooks(c, o, shared) },
	}
	f := c.Flags()
	benchCorpusFlags(c, &o.Corpus)
	f.IntVar(&o.Runs, "runs", 20, "run each hook so many times")
	f.StringVar(&shared.Dir, "dir", "", "folder for all of it, kept afterwards; one that an earlier run has left is used again")
	f.BoolVar(&shared.keep, "keep", false, "keep the temporary folder")
	f.BoolVar(&shared.json, "json", false, "print the figures as JSON")
	return c
}

func (a *app) runBenchHooks(c *cobra.Command, o gitmem.BenchHookOptions, shared benchOptions) (err error) {
	if err := checkBenchCorpus(&o.Corpus); err != nil {
		return err
	}
	if o.Runs < 1 {
		return &usageError{errors.New("--runs is 1 at least")}
	}
	if o.Self, err = itself(); err != nil {
		return err
	}
	leave, err := a.benchFolder(&shared)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, leave()) }()
	o.Dir, o.Env, o.Now, o.Known = shared.Dir, os.Environ(), a.now, hook.Names()
	o.Tell = func(s string) { fmt.Fprintf(a.err, "gitmem: %s\n", s) }
	report, err := gitmem.RunBenchHooks(c.Context(), o)
	if err != nil {
		return err
	}
	if shared.json {
		return a.printJSON(report)
	}
	return a.printBenchHooks(report)
}

func (a *app) printBenchHooks(r gitmem.BenchHookReport) error {
	fmt.Fprintf(a.out, "%d messages in %d sessions, medians of %d processes, wall; ", r.Messages, r.Sessions, r.Runs)
	value := func(v *float64, unit string) string {
		if v == nil {
			return "–"
		}
		return strconv.FormatFloat(*v, 'f', 1, 64) + unit
	}
	fmt.Fprintf(a.out, "an empty Go program: %s and %.1f MB; memory at most %g MB\n\n", value(r.Empty, " ms"), r.EmptyPeak, r.PeakMost)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "hook\tcase\twall\tp95\tabove empty\tat most\tCPU\tmemory\t\t")
	for _, row := range r.Rows {
		limit := "–"
		if row.Limit > 0 {
			limit = fmt.Sprintf("%g ms", row.Limit)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row.Hook, row.Case, value(row.Wall, " ms"), value(row.P95, " ms"), value(row.Above, " ms"),
			limit, value(row.CPU, " ms"), value(row.Peak, " MB"), row.Verdict, row.Note)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if r.Missing != "" {
		fmt.Fprintf(a.out, "\n%s\n", printable(r.Missing))
	}
	return nil
}
