package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newCompactCmd() *cobra.Command {
	var o gitmem.CompactOptions
	c := a.command("compact", "Replace old session logs by sections of the archive", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) error {
			done, err := m.Sessions().Compact(ctx, o)
			if err != nil && len(done.Logs) == 0 {
				return err
			}
			return cmp.Or(emit(a, done, func(done gitmem.Compaction) { a.printCompaction(done, o.DryRun) }), err)
		})
	c.Flags().StringVar(&o.OlderThan, "older-than", "90d",
		"of logs whose newest line is older (3d, last month, 2026-11-01)")
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "show what would be done, and write nothing")
	return a.jsonFlag(c, "print what was done as JSON")
}

func (a *app) printCompaction(c gitmem.Compaction, dry bool) {
	word, skipped := "compacted", 0
	if dry {
		word = "would compact"
	}
	for _, l := range c.Logs {
		skipped += l.Skipped
		fmt.Fprintf(a.out, "%s %s %s, %d failed: %s\n", l.Date, printable(l.Session), count(l.Calls, "tool call"), l.Failed,
			printable(l.File))
	}
	fmt.Fprintf(a.out, "%s %s", word, count(len(c.Logs), "log"))
	a.printLeft([]left{{c.Newer, "newer"}, {c.Running, "of sessions that may go on still"},
		{c.Unarchived, "of transcripts that are not archived"}, {len(c.Failed), "failed"}})
	if skipped > 0 {
		fmt.Fprintf(a.err, "gitmem: %s of logs could not be read; history keeps them\n", count(skipped, "line"))
	}
	for _, f := range c.Failed {
		fmt.Fprintf(a.err, "gitmem: %s was left: %s\n", printable(f.Log), printable(f.Reason))
	}
}
