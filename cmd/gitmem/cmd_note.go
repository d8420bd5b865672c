package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newNoteCmd() *cobra.Command {
	var force bool
	c := resultCommand(a, "note <text>", "Write a line to the project's memory and commit it", cobra.MinimumNArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.Noted, error) {
			n, err := m.Note(ctx, strings.Join(args, " "), force)
			if errors.Is(err, gitmem.ErrDuplicate) {
				err = hintError{err, "edit that line, or write the note all the same with --force"}
			}
			return n, heldHint(err)
		}, func(n gitmem.Noted) {
			fmt.Fprintf(a.out, "noted: %s\n  %s:%d [%s]\n", printable(n.Text)+n.Trust.Mark(), n.File, n.Line,
				a.paint(cyan, n.ID))
		})
	c.Flags().BoolVar(&force, "force", false, "write the note even if it is nearly a duplicate")
	return a.jsonFlag(c, "print what was written as JSON")
}

// heldHint adds a hint to the error for a file that is not committed.
func heldHint(err error) error {
	if errors.Is(err, gitmem.ErrHeld) {
		return hintError{err, "take the secret or private block out of that file; the next note or session commits it then"}
	}
	return err
}
