package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newUndoCmd() *cobra.Command {
	var dry, asJSON bool
	c := &cobra.Command{
		Use:   "undo <commit | citation | path:line>",
		Short: "Take back what a commit wrote to memory, by a commit of its own",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return a.with(func(m *gitmem.Memory) error {
				u, err := m.History().Undo(c.Context(), args[0], dry)
				if errors.Is(err, gitmem.ErrHeld) {
					return hinted{err, "take the secret or private block out of that file; the next note or session commits it then"}
				}
				if err != nil {
					return unknownSource(err)
				}
				return emit(a, asJSON, u, func(u gitmem.Undone) { a.printUndone(u, dry) })
			})
		},
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "show what would change, and change nothing")
	c.Flags().BoolVar(&asJSON, "json", false, "print what was done as JSON")
	return c
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
