package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newBenchCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure the search engine on invented sessions",
		Args:  usage(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.newBenchCorpusCmd())
	return c
}

func (a *app) newBenchCorpusCmd() *cobra.Command {
	o := gitmem.BenchCorpus{}
	c := &cobra.Command{
		Use:   "corpus <dir>",
		Short: "Write invented sessions below a folder, in the client's form",
		Args:  usage(cobra.ExactArgs(1)),
		RunE:  func(c *cobra.Command, args []string) error { return a.runBenchCorpus(c, args[0], o) },
	}
	c.Flags().IntVar(&o.Messages, "messages", 350_000, "number of messages")
	c.Flags().IntVar(&o.Sessions, "sessions", 0, "number of sessions; 0 is one for 175 messages")
	c.Flags().Uint64Var(&o.Seed, "seed", 1, "another number gives another corpus")
	return c
}

func (a *app) runBenchCorpus(c *cobra.Command, dir string, o gitmem.BenchCorpus) error {
	if o.Sessions == 0 {
		o.Sessions = max(1, o.Messages/175)
	}
	if o.Sessions < 1 || o.Messages < o.Sessions {
		return &usageError{fmt.Errorf("--messages %d --sessions %d: each session needs one message", o.Messages, o.Sessions)}
	}
	w, err := gitmem.WriteBenchCorpus(c.Context(), dir, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%d messages in %d sessions: %.1f MB of text (%d bytes a message) in %.1f MB of files below %s\n",
		w.Messages, w.Sessions, float64(w.Texts)/1e6, w.Texts/int64(w.Messages), float64(w.Files)/1e6, dir)
	return nil
}
