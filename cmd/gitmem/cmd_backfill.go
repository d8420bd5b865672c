package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newBackfillCmd() *cobra.Command {
	var o gitmem.BackfillOptions
	c := a.command("backfill [session | transcript | folder]", "Archive old transcripts before the client deletes them", cobra.MaximumNArgs(1), func(ctx context.Context, m *gitmem.Memory, args []string) error {
		o.Only = strings.Join(args, "")
		if a.errTTY {
			o.Progress = a.backfillBar
		}
		done, err := m.Sessions().Backfill(ctx, o)
		if a.errTTY {
			fmt.Fprint(a.err, "\r\x1b[K")
		}
		return cmp.Or(err, emit(a, done, func(done gitmem.Backfilled) { a.printBackfilled(done, o.DryRun) }))
	})
	c.Flags().BoolVar(&o.All, "all", false, "archive the sessions of every project")
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "tell what would be archived, and write nothing")
	return a.jsonFlag(c, "print what was done as JSON")
}

// backfillBar draws the progress of a backfill.
func (a *app) backfillBar(done, all int) {
	const width = 30
	at := done * width / max(1, all)
	fmt.Fprintf(a.err, "\r\x1b[Karchiving [%s%s] %d of %d", strings.Repeat("=", at), strings.Repeat(" ", width-at), done, all)
}

func (a *app) printBackfilled(b gitmem.Backfilled, dry bool) {
	word := "archived"
	if dry {
		word = "would archive"
		for _, s := range b.Sections {
			fmt.Fprintf(a.out, "%s %s %s\n", s.Date, s.Session, printable(s.File))
		}
	}
	fmt.Fprintf(a.out, "%s %s of %s", word, count(len(b.Sections), "session"), count(b.Transcripts, "transcript"))
	a.printLeft([]left{{b.Known, "archived before"}, {b.Nothing, "with nothing new"}, {b.Running, "that may go on still"}, {len(b.Failed), "failed"}})
	for _, f := range b.Failed {
		fmt.Fprintf(a.err, "gitmem: %s was left out: %s\n", printable(f.Transcript), printable(f.Reason))
	}
}

// left is how many things a run passed over, and why.
type left struct {
	n    int
	what string
}

// printLeft ends a line with what a run passed over.
func (a *app) printLeft(list []left) {
	for _, part := range list {
		if part.n > 0 {
			fmt.Fprintf(a.out, ", %d %s", part.n, part.what)
		}
	}
	fmt.Fprintln(a.out)
}
