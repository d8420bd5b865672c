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
	var again bool
	c := a.command("backfill [session | current | transcript | folder]",
		"Archive old transcripts before the client deletes them", cobra.MaximumNArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) error {
			if o.Only = strings.Join(args, ""); o.Only == "current" {
				own := gitmem.OwnSessions(a.getenv)
				if len(own) == 0 {
					return hintError{fmt.Errorf("%w: no agent says which session this is", gitmem.ErrUsage),
						"current is for a command that an agent runs; else name the session"}
				}
				o.Only = own[0]
			}
			if a.errTTY {
				o.Progress = a.backfillBar(again)
			}
			if again {
				done, err := m.Sessions().Rederive(ctx, o)
				a.endBar()
				return cmp.Or(err, emit(a, done, func(done gitmem.Rederived) { a.printRederived(done, o.DryRun) }))
			}
			return a.runBackfill(ctx, m, o)
		})
	c.Flags().BoolVar(&o.All, "all", false, "archive the sessions of all projects")
	c.Flags().StringSliceVar(&o.Agents, "agent", nil,
		"archive the sessions of these agents, too, from now on: codex, gemini, …")
	c.Flags().BoolVar(&again, "again", false, "find the ideas of archived sessions again; keep what a person edited")
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "show what would be archived or changed, and write nothing")
	return a.jsonFlag(c, "print what was done as JSON")
}

// runBackfill archives sessions, and those of other agents if a person at a terminal agrees.
func (a *app) runBackfill(ctx context.Context, m *gitmem.Memory, o gitmem.BackfillOptions) error {
	done, err := m.Sessions().Backfill(ctx, o)
	a.endBar()
	err = cmp.Or(err, emit(a, done, func(done gitmem.Backfilled) { a.printBackfilled(done, o.DryRun) }))
	if err != nil || len(done.LeftOut) == 0 || o.DryRun || a.json || !a.outTTY || !a.inTTY() {
		return err
	}
	fmt.Fprint(a.out, "Archive these, too, from now on? They become a part of the memory's git history. [y/N] ")
	if !a.readYes() {
		return nil
	}
	for _, agent := range done.LeftOut {
		o.Agents = append(o.Agents, agent.Agent)
	}
	return a.runBackfill(ctx, m, o)
}

// backfillBar draws the progress of a backfill.
func (a *app) backfillBar(again bool) func(done, all int) {
	word := "archiving"
	if again {
		word = "deriving"
	}
	return func(done, all int) {
		const width = 30
		at := done * width / max(1, all)
		fmt.Fprintf(a.err, "\r\x1b[K%s [%s%s] %d of %d", word, strings.Repeat("=", at),
			strings.Repeat(" ", width-at), done, all)
	}
}

func (a *app) endBar() {
	if a.errTTY {
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
	a.printLeft([]left{{b.Known, "archived before"}, {b.Nothing, "with nothing new"}, {b.Deleted, "deleted by hand"},
		{b.Running, "that may go on still"}, {len(b.Failed), "failed"}})
	if len(b.LeftOut) > 0 {
		var sessions, names []string
		for _, o := range b.LeftOut {
			sessions, names = append(sessions, fmt.Sprintf("%d of %s", o.Sessions, o.Title)), append(names, o.Agent)
		}
		fmt.Fprintf(a.out, "not archived: sessions of other agents: %s; gitmem backfill --agent %s archives them\n",
			strings.Join(sessions, ", "), strings.Join(names, ","))
	}
	for _, learnt := range b.Learnt {
		fmt.Fprintf(a.out, "profile: %s\n", printable(learnt))
	}
	for _, f := range b.Failed {
		fmt.Fprintf(a.err, "gitmem: %s was left out: %s\n", printable(f.Transcript), printable(f.Reason))
	}
}

func (a *app) printRederived(r gitmem.Rederived, dry bool) {
	word := "changed"
	if dry {
		word = "would change"
	}
	for _, s := range r.Changed {
		fmt.Fprintf(a.out, "%s: %s added, %d dropped", printable(s.ID), count(s.Added, "line"), s.Dropped)
		a.printLeft([]left{{s.Person, "as a person left them"}, {s.Cited, "still cited"}})
	}
	fmt.Fprintf(a.out, "%s %d of %s", word, len(r.Changed), count(r.Sections, "section"))
	a.printLeft([]left{{r.Gone, "without a transcript"}, {r.Compacted, "of old logs"}, {r.Running, "that may go on still"},
		{r.Asking, "for a model to read"}, {r.Marked, "with a model's ideas"},
		{r.Unknown, "only added to, without a history"}, {len(r.Left), "left"}})
	for _, f := range r.Left {
		fmt.Fprintf(a.err, "gitmem: %s was left as it is: %s\n", printable(f.ID), printable(f.Reason))
	}
}

// left is how many items a run skipped, and why.
type left struct {
	n    int
	what string
}

// printLeft ends a line with the skipped items.
func (a *app) printLeft(list []left) {
	for _, part := range list {
		if part.n > 0 {
			fmt.Fprintf(a.out, ", %d %s", part.n, part.what)
		}
	}
	fmt.Fprintln(a.out)
}
