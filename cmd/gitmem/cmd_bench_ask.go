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
		Long: `Asks questions whose answers were judged beforehand and tells how often the right
sources were found, how far each level of confidence can be relied on, and how
often a question without an answer was given one. Indexes are built in a temporary
folder; nothing of yours is read or written.

FILE is JSON, a list or {"questions": [{"id": "1", "repo": "name", "kind": "decision",
"question": "why …?", "gold": ["<commit>"]}]}. gold lists the commits (seven digits
or more), citation ids or, for the kind who, names that answer; entries that count
as one are parted by |. An empty list says that nothing answers.`,
		Example: "  gitmem bench ask --questions set.json --repo relay=~/src/relay --repo lamp=~/src/lamp",
		Args:    usage(cobra.NoArgs),
		RunE:    func(c *cobra.Command, _ []string) error { return a.runBenchAsk(c, o) },
	}
	f := c.Flags()
	f.StringVar(&o.Questions, "questions", "", "file of judged questions")
	f.StringArrayVar(&o.repos, "repo", nil, "folder of a repository that questions name: name=folder; several times for several")
	f.IntVar(&o.Limit, "limit", 10, "sources asked for")
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
			fmt.Fprintf(w, "%s\t%s\t%s\trank %d\tright %t\t%s\n", row.ID, row.Kind, row.Confidence, row.Rank, row.Right, printable(row.Question))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "questions\tn\thit@1\thit@5\tMRR")
	for _, g := range r.Groups {
		fmt.Fprintf(w, "%s\t%d\t%.1f\t%.1f\t%.1f\n", printable(g.Name), g.Questions, 100*g.Hit1, 100*g.Hit5, 100*g.MRR)
	}
	fmt.Fprintln(w, "\nconfidence\tn\tright\twrong\tno answer exists")
	for _, l := range r.Levels {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\n", l.Confidence, l.Answers, l.Right, l.Wrong, l.Made)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	falsely := 0.0
	if r.Unanswerable > 0 {
		falsely = 100 * float64(r.FalseAnswers) / float64(r.Unanswerable)
	}
	_, err := fmt.Fprintf(a.out, "\nfalse answers %.1f %% (%d of %d), high is right in %.1f %%, %.1f %% of the answerable ones are high, median %.1f ms\n",
		falsely, r.FalseAnswers, r.Unanswerable, 100*r.HighRight, 100*r.HighShare, r.P50MS)
	return err
}
