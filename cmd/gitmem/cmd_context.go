package main

import (
	"fmt"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/spf13/cobra"
)

func (a *app) newContextCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "context",
		Short: "Show what a session that begins here would be told",
		Args:  usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.with(func(m *gitmem.Memory) error {
				g, err := m.Sessions().Context(c.Context(), gitmem.ContextOptions{})
				if err != nil {
					return err
				}
				return a.printGreeting(g, asJSON)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print it as JSON, with what was left out")
	return c
}

func (a *app) printGreeting(g gitmem.SessionContext, asJSON bool) error {
	if asJSON {
		if err := a.printJSON(g); err != nil {
			return err
		}
	} else {
		fmt.Fprint(a.out, printable(g.Text))
		if g.Notice != "" && g.Text != g.Notice {
			fmt.Fprintf(a.err, "%s\n", printable(g.Notice))
		}
		for _, s := range g.Skipped {
			fmt.Fprintf(a.err, "gitmem: skipped: %s\n", printable(s))
		}
	}
	if g.Text == "" {
		if !asJSON {
			fmt.Fprintln(a.err, "Nothing to tell.")
		}
		return errNothing
	}
	return nil
}
