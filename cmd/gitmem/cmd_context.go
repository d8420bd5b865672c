package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newContextCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "context",
		Short: "Show what a session that begins here would be told",
		Long: `Show what a session that begins here would be told: the last sessions of the
project, open tasks and questions, what failed and was decided, and what MEMORY.md
says in the project's other folders. At most 9,000 characters, in this order of
priority; what has no room is counted. Nothing is noted: looking changes nothing.`,
		Args: usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.with(func(m *gitmem.Memory) error {
				g, err := m.Sessions().Greet(c.Context(), gitmem.GreetOptions{})
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

func (a *app) printGreeting(g gitmem.Greeting, asJSON bool) error {
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
