package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newNoteCmd() *cobra.Command {
	var force, asJSON bool
	c := &cobra.Command{
		Use:   "note <text>",
		Short: "Write a line to the project's memory and commit it",
		Args:  usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return a.with(func(m *gitmem.Memory) error {
				n, err := m.Note(c.Context(), strings.Join(args, " "), force)
				if errors.Is(err, gitmem.ErrDuplicate) {
					return hinted{err, "edit that line, or write the note all the same with --force"}
				}
				if errors.Is(err, gitmem.ErrHeld) {
					return hinted{err, "take the secret or private block out of that file; the next note or session commits it then"}
				}
				if err != nil {
					return err
				}
				return emit(a, asJSON, n, func(n gitmem.Noted) {
					fmt.Fprintf(a.out, "noted: %s\n  %s:%d [%s]\n", printable(n.Text), n.File, n.Line, a.paint(cyan, n.ID))
				})
			})
		},
	}
	c.Flags().BoolVar(&force, "force", false, "write even a near-duplicate")
	c.Flags().BoolVar(&asJSON, "json", false, "print what was written as JSON")
	return c
}
