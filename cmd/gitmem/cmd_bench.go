package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

type benchOptions struct {
	gitmem.BenchOptions
	json, keep bool
}

func (a *app) newBenchCmd() *cobra.Command {
	var o benchOptions
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure the search engine beside SQLite FTS5 on invented sessions",
		Long: `Writes invented sessions, builds the indexes and measures each figure on both
sides by turns. Nothing of yours is read or written: all of it happens in a
temporary folder, or below --dir. With 350,000 messages it takes a quarter of an
hour and 2 GB of disk.

FTS5's side is built from cmd/bench when the working folder is a checkout of
gitmem and Go and a C compiler are there, or named by --peer.`,
		Args: usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error { return a.runBench(c, o) },
	}
	f := c.Flags()
	benchCorpusFlags(c, &o.Corpus)
	f.IntVar(&o.Rounds, "rounds", 5, "measure each figure so many times and take the median")
	f.IntVar(&o.Queries, "queries", 60, "number of queries")
	f.DurationVar(&o.Storm, "storm", time.Minute, "let ten readers and two indexers run so long; 0 leaves it out")
	f.DurationVar(&o.Pace, "storm-pace", 500*time.Millisecond, "how often each reader searches; 0 is without a pause")
	f.StringVar(&o.Dir, "dir", "", "folder for all of it, kept afterwards; one that an earlier run has left is used again")
	f.StringVar(&o.Peer, "peer", "", "program of FTS5's side")
	f.StringSliceVar(&o.Only, "only", nil, "measure these figures only: "+strings.Join(gitmem.BenchFigures(), ", "))
	f.BoolVar(&o.keep, "keep", false, "keep the temporary folder")
	f.BoolVar(&o.json, "json", false, "print the figures as JSON")
	c.AddCommand(a.newBenchCorpusCmd(), a.newBenchDocumentsCmd(), a.newBenchBuildCmd(), a.newBenchWarmCmd(), a.newBenchHooksCmd(), a.newBenchAskCmd(),
		a.newBenchHistoryCmd(), a.newBenchTeamCmd(), a.newBenchReadHistoryCmd())
	return c
}

func benchCorpusFlags(c *cobra.Command, o *gitmem.BenchCorpus) {
	c.Flags().IntVar(&o.Messages, "messages", 350_000, "number of messages")
	c.Flags().IntVar(&o.Sessions, "sessions", 0, "number of sessions; 0 is one for 175 messages")
	c.Flags().Uint64Var(&o.Seed, "seed", 1, "another number gives another corpus")
}

// checkBenchCorpus fills in the number of sessions.
func checkBenchCorpus(o *gitmem.BenchCorpus) error {
	if o.Sessions == 0 {
		o.Sessions = max(1, o.Messages/175)
	}
	if o.Sessions < 1 || o.Messages < o.Sessions {
		return &usageError{fmt.Errorf("--messages %d --sessions %d: each session needs one message", o.Messages, o.Sessions)}
	}
	return nil
}

func (a *app) runBench(c *cobra.Command, o benchOptions) (err error) {
	if err := checkBenchCorpus(&o.Corpus); err != nil {
		return err
	}
	if o.Rounds < 1 || o.Queries < 1 {
		return &usageError{errors.New("--rounds and --queries are 1 at least")}
	}
	for _, name := range o.Only {
		if !slices.Contains(gitmem.BenchFigures(), name) {
			return &usageError{fmt.Errorf("--only %q: the figures are %s", name, strings.Join(gitmem.BenchFigures(), ", "))}
		}
	}
	if o.Self, err = itself(); err != nil {
		return err
	}
	leave, err := a.benchFolder(&o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, leave()) }()
	o.Env, o.Now = os.Environ(), a.now
	o.Tell = func(s string) { fmt.Fprintf(a.err, "gitmem: %s\n", s) }
	if o.Peer == "" {
		o.Tell("build FTS5's side")
		o.Peer, o.Missing = gitmem.BuildBenchPeer(c.Context(), a.dir, o.Dir, o.Env)
	}
	report, err := gitmem.RunBench(c.Context(), o.BenchOptions)
	if err != nil {
		return err
	}
	if o.json {
		return a.printJSON(report)
	}
	return a.printBench(report)
}

// itself is the path of this program. The name that it was called by is asked
// first: in tests one program goes by several.
func itself() (string, error) {
	name, err := exec.LookPath(os.Args[0])
	if err != nil {
		return os.Executable()
	}
	return filepath.Abs(name)
}

// benchFolder chooses the folder of a run and returns what is to be done with it
// at the end.
func (a *app) benchFolder(o *benchOptions) (leave func() error, err error) {
	stay := func() error { return nil }
	if o.Peer != "" {
		if o.Peer, err = filepath.Abs(o.Peer); err != nil {
			return stay, err
		}
	}
	if o.Dir != "" {
		if o.Dir, err = filepath.Abs(o.Dir); err != nil {
			return stay, err
		}
		return stay, os.MkdirAll(o.Dir, 0o700)
	}
	if o.Dir, err = os.MkdirTemp(a.temp, "gitmem-bench-"); err != nil {
		return stay, err
	}
	if o.keep {
		fmt.Fprintf(a.err, "gitmem: the folder %s will be kept\n", o.Dir)
		return stay, nil
	}
	return func() error { return os.RemoveAll(o.Dir) }, nil
}

func (a *app) printBench(r gitmem.BenchReport) error {
	fmt.Fprintf(a.out, "%d messages in %d sessions, %d documents, %.1f MB of text, %d queries, medians of %d\n\n",
		r.Messages, r.Sessions, r.Documents, float64(r.Text)/1e6, r.Queries, r.Rounds)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "figure\tgitmem\tFTS5\tratio\tat most\taim\t\t")
	for _, row := range r.Rows {
		ratio := "–"
		if row.Ratio != nil {
			ratio = strconv.FormatFloat(*row.Ratio, 'f', 2, 64)
		}
		limit, aim := row.Value(&row.Limit), row.Value(&row.Aim)
		if row.By == "ratio" {
			limit, aim = fmt.Sprintf("ratio %.2f", row.Limit), fmt.Sprintf("%.2f", row.Aim)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row.Figure, row.Value(row.Gitmem), row.Value(row.FTS5), ratio, limit, aim, row.Verdict, row.Note)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if r.Missing != "" {
		fmt.Fprintf(a.out, "\nFTS5 was not measured: %s\n", printable(r.Missing))
	}
	return nil
}
