package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newIndexCmd() *cobra.Command {
	var detach, background bool
	c := a.newIndexVerb("index", "Update, inspect or rebuild the indexes", (*gitmem.Indexes).Update)
	update := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case background:
			return a.indexInBackground(c.Context())
		case detach:
			return a.with(a.detachIndexer)
		}
		return update(c, args)
	}
	a.addOfflineFlag(c)
	c.Flags().BoolVar(&detach, "detach", false, "run in the background and return at once")
	c.Flags().BoolVar(&background, "background", false, "run as that process")
	_ = c.Flags().MarkHidden("background") // the flag exists
	c.AddCommand(
		a.newIndexVerb("status", "Tell the state of each index", (*gitmem.Indexes).Status),
		a.newIndexVerb("rebuild", "Build each index of this place anew", (*gitmem.Indexes).Rebuild),
	)
	return c
}

func (a *app) newIndexVerb(name, short string, do func(*gitmem.Indexes, context.Context) ([]gitmem.ShardStatus,
	error)) *cobra.Command {
	get := func(ctx context.Context, m *gitmem.Memory, _ []string) ([]gitmem.ShardStatus, error) {
		shards, err := do(m.Indexes(), ctx)
		if name != "status" {
			a.continueIndexing(m) // the texts for semantic search
		}
		return shards, err
	}
	return a.jsonFlag(resultCommand(a, name, short, cobra.NoArgs, get, func(shards []gitmem.ShardStatus) {
		for _, s := range shards {
			fmt.Fprintf(a.out, "%-12s %-8s %d documents%s\n", s.Name, s.State, s.Docs, busy(s))
		}
	}), "print the states as JSON")
}

func busy(s gitmem.ShardStatus) string {
	text := ""
	if s.Pending > 0 {
		what := "commits"
		if s.Name == "transcripts" {
			what = s.Name
		}
		text = fmt.Sprintf(", %d older %s are not indexed yet", s.Pending, what)
	}
	if n := len(s.Tips); n > 0 {
		more := ""
		if n > 1 {
			more = " and " + count(n-1, "other tip")
		}
		text = ", up to " + s.Tips[0][:min(len(s.Tips[0]), 12)] + more + text
	}
	if s.Read < s.ToRead {
		text += fmt.Sprintf(", read for meaning: %d of %d", s.Read, s.ToRead)
	}
	if s.Busy {
		text += ", being brought up to date by another process"
	}
	return text
}

// detachIndexer leaves indexing to a background process.
func (a *app) detachIndexer(m *gitmem.Memory) error {
	started, err := a.startIndexer(m)
	if err != nil {
		return err
	}
	result := map[string]bool{"started": started}
	return emit(a, result, func(map[string]bool) {
		if started {
			fmt.Fprintln(a.out, "The indexes are brought up to date in the background: see gitmem index status.")
		} else {
			fmt.Fprintln(a.out, "Another process brings the indexes up to date already.")
		}
	})
}

// startIndexer starts this program again in the background. started is false if one is
// running.
func (a *app) startIndexer(m *gitmem.Memory) (started bool, err error) {
	c, err := a.ownCommand("index", "--background")
	if err != nil {
		return false, fmt.Errorf("start an indexer: %w", err)
	}
	return m.Indexes().Detach(c)
}

// noBackground is the variable that prevents questions from starting a background process.
const noBackground = "GITMEM_NO_BACKGROUND"

// continueIndexing starts a background process for the indexing that an answered question did not wait for.
// If that fails, the next question is answered with the same caveat.
func (a *app) continueIndexing(m *gitmem.Memory) {
	if a.getenv(noBackground) == "" && a.unfinished && !a.cacheless {
		_, _ = a.startIndexer(m)
	}
}

// ownCommand returns this program with other arguments.
func (a *app) ownCommand(args ...string) (gitmem.Command, error) {
	program, err := a.program()
	env := a.environ()
	if a.offline {
		env = append(env, "GITMEM_OFFLINE=1")
	}
	return gitmem.Command{Program: program, Argv: append([]string{a.name}, args...), Env: env}, err
}

// indexInBackground is the work of the background process. Its output is the indexer's log: one line at the
// end.
func (a *app) indexInBackground(ctx context.Context) error {
	closeInherited()
	return a.with(func(m *gitmem.Memory) error {
		began := a.now()
		pruned := m.PruneTraces()
		shards, err := m.Indexes().Update(ctx)
		if err := errors.Join(err, pruned); err != nil {
			return err
		}
		err = json.NewEncoder(a.out).Encode(struct {
			Time   string               `json:"time"`
			Ms     int64                `json:"ms"`
			Shards []gitmem.ShardStatus `json:"shards"`
		}{began.UTC().Format(time.RFC3339), a.now().Sub(began).Milliseconds(), shards})
		if _, readErr := m.Indexes().Read(ctx); !errors.Is(readErr, gitmem.ErrLocked) {
			err = errors.Join(err, readErr)
		}
		return err
	})
}
