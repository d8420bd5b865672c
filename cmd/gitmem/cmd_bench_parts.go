package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newBenchCorpusCmd() *cobra.Command {
	o := gitmem.BenchCorpus{}
	c := &cobra.Command{
		Use:   "corpus <dir>",
		Short: "Write invented sessions below a folder, in the client's form",
		Args:  usage(cobra.ExactArgs(1)),
		RunE:  func(c *cobra.Command, args []string) error { return a.runBenchCorpus(c, args[0], o) },
	}
	benchCorpusFlags(c, &o)
	return c
}

func (a *app) runBenchCorpus(c *cobra.Command, dir string, o gitmem.BenchCorpus) error {
	if err := checkBenchCorpus(&o); err != nil {
		return err
	}
	w, err := gitmem.WriteBenchCorpus(c.Context(), dir, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%d messages in %d sessions: %.1f MB of text (%d bytes a message) in %.1f MB of files below %s\n",
		w.Messages, w.Sessions, float64(w.Texts)/1e6, w.Texts/int64(w.Messages), float64(w.Files)/1e6, dir)
	return nil
}

// The commands below are what bench measures, each in a process of its own.

func (a *app) newBenchDocumentsCmd() *cobra.Command {
	return &cobra.Command{
		Use: "child-documents <file>", Hidden: true, Args: usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return a.with(func(m *gitmem.Memory) error {
				st, err := m.BenchDocuments(c.Context(), args[0])
				if err != nil {
					return err
				}
				return json.NewEncoder(a.out).Encode(st)
			})
		},
	}
}

func (a *app) newBenchBuildCmd() *cobra.Command {
	return &cobra.Command{
		Use: "child-build <dir> <documents>", Hidden: true, Args: usage(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error { return gitmem.BenchBuild(c.Context(), args[0], args[1]) },
	}
}

func (a *app) newBenchWarmCmd() *cobra.Command {
	return &cobra.Command{
		Use: "child-warm <queries> <rounds>", Hidden: true, Args: usage(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			b, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			rounds, err := strconv.Atoi(args[1])
			if err != nil {
				return &usageError{err}
			}
			return a.with(func(m *gitmem.Memory) error {
				t, err := m.BenchWarm(c.Context(), strings.Split(strings.TrimSpace(string(b)), "\n"), rounds)
				if err != nil {
					return err
				}
				return json.NewEncoder(a.out).Encode(t)
			})
		},
	}
}
