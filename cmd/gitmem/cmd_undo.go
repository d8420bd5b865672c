package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newUndoCmd() *cobra.Command {
	var dry bool
	c := resultCommand(a, "undo <commit | citation | path:line>",
		"Undo a commit of memory with a new commit", cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.Undone, error) {
			u, err := m.History().Undo(ctx, args[0], dry)
			return u, unknownSource(heldHint(err))
		}, func(u gitmem.Undone) { a.printUndone(u, dry) })
	c.Flags().BoolVar(&dry, "dry-run", false, "show what would change, and change nothing")
	return a.jsonFlag(c, "print what was done as JSON")
}

func (a *app) printUndone(u gitmem.Undone, dry bool) {
	word := "undone"
	if dry {
		word = "would undo"
	}
	fmt.Fprintf(a.out, "%s: %s %s\n", word, a.paint(yellow, u.Undone[:12]), printable(u.Subject))
	for _, rel := range u.Left {
		fmt.Fprintf(a.out, "left as it is, since the store needs it: %s\n", printable(rel))
	}
	if dry {
		a.printFiles(u.Files)
		return
	}
	a.printStat(u.Files)
	if u.Commit != "" {
		fmt.Fprintf(a.out, "in commit %s; gitmem undo %s brings it back\n", a.paint(yellow, u.Commit[:12]), u.Commit[:12])
	}
}
