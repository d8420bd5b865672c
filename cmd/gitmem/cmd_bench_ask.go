package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

type benchAskOptions struct {
	gitmem.BenchAskOptions
	repos      []string
	json, rows bool
}

func (a *app) newBenchAskCmd() *cobra.Command {
	var o benchAskOptions
	c := &cobra.Command{
		Use:   "ask --questions FILE",
		Short: "Ask judged questions about repositories and count right answers",
		Long: `Asks questions whose answers were judged beforehand and tells how often a right
source stood among the first three, how far each level of confidence can be relied
on, and what was said of things that never happened. Indexes are built in a
temporary folder; nothing of yours is read or written.

FILE is a JSON list of {"id": "1", "repo": "owner/name", "kind": "why", "words": "own",
"question": "why …?", "gold": ["commit:<hash>", "docs:<path>~<words>", "person:<name>"]}.
What never happened has "none": true, and "reversed": true or "nameless": "<name>".`,
		Example: "  gitmem bench ask --questions set.json --repo relay=~/src/relay --repo lamp=~/src/lamp",
		Args:    usage(cobra.NoArgs),
		RunE:    func(c *cobra.Command, _ []string) error { return a.runBenchAsk(c, o) },
	}
	f := c.Flags()
	f.StringVar(&o.Questions, "questions", "", "file of judged questions")
	f.StringArrayVar(&o.repos, "repo", nil, "folder of a repository that questions name: name=folder; several times for several")
	f.IntVar(&o.Limit, "limit", 5, "sources asked for")
	f.StringVar(&o.Expand, "expand", "", "as in ask: none, minimal or full")
	f.BoolVar(&o.rows, "rows", false, "print each question too")
	f.BoolVar(&o.json, "json", false, "print the figures as JSON")
	return c
}

func (a *app) runBenchAsk(c *cobra.Command, o benchAskOptions) (err error) {
	if o.Questions == "" {
		return &usageError{errors.New("--questions names a file of judged questions")}
	}
	if err := checkLimit(o.Limit); err != nil {
		return err
	}
	o.Questions, o.Repos = a.absolute(o.Questions), map[string]string{}
	for _, r := range o.repos {
		name, dir, ok := strings.Cut(r, "=")
		if !ok {
			return &usageError{fmt.Errorf("--repo %q: expected name=folder", r)}
		}
		o.Repos[name] = a.absolute(dir)
	}
	if len(o.repos) == 0 {
		o.Repos[""] = a.dir
	}
	if o.Dir, err = os.MkdirTemp(a.temp, "gitmem-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.Dir)) }()
	o.Now, o.Path = a.now, a.getenv("PATH")
	o.Tell = func(s string) { fmt.Fprintf(a.err, "gitmem: %s\n", s) }
	report, err := gitmem.RunBenchAsk(c.Context(), o.BenchAskOptions)
	if err != nil {
		return err
	}
	if o.json {
		return a.printJSON(report)
	}
	return a.printBenchAsk(report, o.rows)
}

// absolute is a path seen from the working folder.
func (a *app) absolute(p string) string {
	if rest, ok := strings.CutPrefix(p, "~/"); ok && a.home != "" {
		return filepath.Join(a.home, rest)
	}
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(a.dir, p)
}

func (a *app) printBenchAsk(r gitmem.BenchAskReport, rows bool) error {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	if rows {
		for _, row := range r.Rows {
			fmt.Fprintf(w, "%s\t%s\t%s\trank %d\t%s\n", row.ID, row.Verdict, row.Confidence, row.Rank, printable(row.Question))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "questions\tn\tfirst\tuseful\trefused")
	for _, g := range r.Groups {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d (%.0f %%)\t%d\n", printable(g.Name), g.Questions, g.First, g.Useful, 100*float64(g.Useful)/float64(g.Questions), g.Refused)
	}
	fmt.Fprintln(w, "\nconfidence\tn\tright\tnever happened")
	for _, l := range r.Levels {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", l.Confidence, l.Answers, l.Right, l.Never)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.out, "\nof %d that never happened %d answered; of %d reversed %d told as such; of %d with a name that occurs nowhere %d not recorded; median %.1f ms\n",
		r.Never, r.NeverAnswered, r.Reversed, r.ReversedTold, r.Nameless, r.NamelessRefused, r.P50MS)
	return err
}
