package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newBackfillCmd() *cobra.Command {
	var o gitmem.BackfillOptions
	var asJSON bool
	c := &cobra.Command{
		Use:   "backfill [session | transcript | folder]",
		Short: "Archive old transcripts before the client deletes them",
		Args:  usage(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.Only = args[0]
			}
			if a.errTTY {
				o.Progress = a.backfillBar
			}
			return a.with(func(m *gitmem.Memory) error {
				done, err := m.Sessions().Backfill(c.Context(), o)
				a.clearBackfillBar(o)
				if asJSON {
					if jsonErr := a.printJSON(done); err == nil {
						err = jsonErr
					}
					return err
				}
				a.printBackfilled(done, o.DryRun)
				return err
			})
		},
	}
	c.Flags().BoolVar(&o.All, "all", false, "archive the sessions of every project")
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "tell what would be archived, and write nothing")
	c.Flags().BoolVar(&asJSON, "json", false, "print what was done as JSON")
	return c
}

// backfillBar draws how far a backfill has come.
func (a *app) backfillBar(done, all int) {
	const width = 30
	at := done * width / max(1, all)
	fmt.Fprintf(a.err, "\r\x1b[Karchiving [%s%s] %d of %d", strings.Repeat("=", at), strings.Repeat(" ", width-at), done, all)
}

func (a *app) clearBackfillBar(o gitmem.BackfillOptions) {
	if o.Progress != nil {
		fmt.Fprint(a.err, "\r\x1b[K")
	}
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
	for _, part := range []struct {
		n    int
		what string
	}{{b.Known, "archived before"}, {b.Nothing, "with nothing new"}, {b.Running, "that may go on still"}, {len(b.Failed), "failed"}} {
		if part.n > 0 {
			fmt.Fprintf(a.out, ", %d %s", part.n, part.what)
		}
	}
	fmt.Fprintln(a.out)
	for _, f := range b.Failed {
		fmt.Fprintf(a.err, "gitmem: %s was left out: %s\n", printable(f.Transcript), printable(f.Reason))
	}
}
