package main

import (
	"context"
	"fmt"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/spf13/cobra"
)

func (a *app) newContextCmd() *cobra.Command {
	c := resultCommand(a, "context", "Show what a session that starts here would get", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) (gitmem.SessionContext, error) {
			s, err := m.Sessions().Context(ctx, gitmem.ContextOptions{})
			return s, orNothing(err, s.Text == "")
		}, a.printContext)
	return a.jsonFlag(c, "print it as JSON, with what was left out")
}

func (a *app) printContext(s gitmem.SessionContext) {
	fmt.Fprint(a.out, printable(s.Text))
	if s.Notice != "" && s.Text != s.Notice {
		fmt.Fprintf(a.err, "%s\n", printable(s.Notice))
	}
	for _, skipped := range s.Skipped {
		fmt.Fprintf(a.err, "gitmem: skipped: %s\n", printable(skipped))
	}
	if s.Text == "" {
		fmt.Fprintln(a.err, "Nothing to tell.")
	}
}
