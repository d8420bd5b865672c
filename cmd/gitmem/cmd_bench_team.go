package main

import (
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newBenchTeamCmd() *cobra.Command {
	var o gitmem.BenchTeamOptions
	var shared benchOptions
	c := &cobra.Command{
		Use:   "team <dir>",
		Short: "Measure the index of a repository's history: first answer, nothing new, new commits",
		Long: `Makes a clone that shares the repository's objects, and in it measures the first
answer, what an indexer does behind it, refreshes with nothing new beside an empty Go
program, and refreshes after 1 and 50 new commits and on the way back from them: on
the first 1,000 commits of the history, and on nearly all of them. Each is a process
of its own. The files of the repository may be in the system's cache already. Nothing
is written to the repository.`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			o.Repository = args[0]
			return a.runBenchTeam(c, o, shared)
		},
	}
	c.Flags().IntVar(&o.Rounds, "rounds", 5, "measure each refresh so many times and take the median")
	c.Flags().BoolVar(&shared.json, "json", false, "print the figures as JSON")
	return c
}

func (a *app) runBenchTeam(c *cobra.Command, o gitmem.BenchTeamOptions, shared benchOptions) (err error) {
	if o.Repository, o.Self, err = a.benchRepository(o.Repository, o.Rounds); err != nil {
		return err
	}
	leave, err := a.benchFolder(&shared)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, leave()) }()
	o.Dir, o.Env, o.Now = shared.Dir, os.Environ(), a.now
	o.Tell = func(s string) { fmt.Fprintf(a.err, "gitmem: %s\n", s) }
	report, err := gitmem.RunBenchTeam(c.Context(), o)
	if err != nil {
		return err
	}
	if shared.json {
		return a.printJSON(report)
	}
	return a.printBenchTeam(report)
}

func (a *app) printBenchTeam(r gitmem.BenchTeamReport) error {
	fmt.Fprintf(a.out, "%s, medians of %d\n\n", printable(r.Repository), r.Rounds)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "figure\tcommits\tnew\twall\tCPU\tabove\tthan\tmemory\tat most\t")
	for _, row := range r.Rows {
		above, limit := "–", "–"
		if row.Than != "" {
			above = fmt.Sprintf("%.0f ms", row.Above)
		}
		if row.Limit > 0 {
			limit = fmt.Sprintf("%g ms", row.Limit)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%.0f ms\t%.0f ms\t%s\t%s\t%.0f MB\t%s\t%s\n", row.Figure, row.Commits, row.New, row.Wall, row.CPU, above, row.Than, row.Peak, limit, row.Verdict)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if r.Missing != "" {
		fmt.Fprintf(a.out, "\n%s\n", printable(r.Missing))
	}
	return nil
}
