package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newBenchHistoryCmd() *cobra.Command {
	var o gitmem.BenchHistoryOptions
	var shared benchOptions
	c := &cobra.Command{
		Use:   "history <dir>",
		Short: "Measure reading a repository's history beside git log, and compare both",
		Long: `Reads the whole history behind HEAD by turns with git and with gitmem, each as a
process of its own that prints it to nowhere, and tells the ratio of both. Then it
lets both print every commit in one form and compares: ids, parents, order, changed
files, people, times and messages. Nothing is written to the repository, and nothing
is fetched. A difference is an error.`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			o.Repository = args[0]
			return a.runBenchHistory(c, o, shared)
		},
	}
	c.Flags().IntVar(&o.Rounds, "rounds", 5, "measure each side so many times and take the median")
	c.Flags().BoolVar(&o.Lines, "lines", false, "measure the changed lines of every file, too, which takes much longer, and count those that equal git's")
	c.Flags().BoolVar(&shared.json, "json", false, "print the figures as JSON")
	return c
}

func (a *app) runBenchHistory(c *cobra.Command, o gitmem.BenchHistoryOptions, shared benchOptions) (err error) {
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
	report, err := gitmem.RunBenchHistory(c.Context(), o)
	if err != nil {
		return err
	}
	if shared.json {
		err = a.printJSON(report)
	} else {
		err = a.printBenchHistory(report)
	}
	if err == nil && !report.Equal {
		err = fmt.Errorf("%d of %d commits differ from git's", report.Different+report.Texts, report.Commits)
	}
	return err
}

func (a *app) printBenchHistory(r gitmem.BenchHistoryReport) error {
	graph := "no commit-graph"
	if r.CommitGraph {
		graph = "with a commit-graph"
	}
	fmt.Fprintf(a.out, "%s, git %s, %s, medians of %d\n\n", printable(r.Repository), printable(r.Git), graph, r.Rounds)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "figure\tgit\tgitmem\twall\tCPU\tgit's memory\tmemory\theap in use\theap in all\t")
	for _, row := range r.Rows {
		fmt.Fprintf(w, "%s\t%.0f ms\t%.0f ms\t%.2f ×\t%.2f ×\t%.0f MB\t%.0f MB\t%.0f MB\t%.0f MB\t%s\n", row.Figure, row.GitWall, row.Wall, row.Ratio, row.CPURatio,
			row.GitPeak, row.Peak, row.HeapInUse, row.HeapSys, row.Verdict)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "\n%d commits with %d changed files compared: ", r.Commits, r.Files)
	if r.Equal {
		fmt.Fprintln(a.out, "all equal")
	} else {
		fmt.Fprintf(a.out, "%d differ in id, parents or files, %d in people, times or messages; the first:\n%s\n", r.Different, r.Texts, printable(r.First))
	}
	if r.Counted > 0 {
		fmt.Fprintf(a.out, "%d of %d files (%.2f %%) have git's numbers of added and removed lines\n", r.CountedEqual, r.Counted, 100*float64(r.CountedEqual)/float64(r.Counted))
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(a.out, "skipped %s\n", printable(s))
	}
	return nil
}

func (a *app) newBenchReadHistoryCmd() *cobra.Command {
	var o gitmem.BenchHistoryReading
	c := &cobra.Command{
		Use: "child-history <dir> <figures>", Hidden: true, Args: usage(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			o.Repository, o.Figures = args[0], args[1]
			return gitmem.BenchReadHistory(c.Context(), o, a.out)
		},
	}
	c.Flags().BoolVar(&o.Paths, "paths", false, "with changed files")
	c.Flags().BoolVar(&o.Lines, "lines", false, "with changed lines and what they do")
	c.Flags().BoolVar(&o.Records, "records", false, "in the form that is compared")
	return c
}

// benchRepository is what every measurement of a repository needs to know: where it
// is, and the program to measure.
func (a *app) benchRepository(dir string, rounds int) (repository, self string, err error) {
	if rounds < 1 {
		return "", "", &usageError{errors.New("--rounds is 1 at least")}
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(a.dir, dir)
	}
	self, err = itself()
	return dir, self, err
}
