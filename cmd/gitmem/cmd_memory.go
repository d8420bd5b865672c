package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newMemoryCmd() *cobra.Command {
	c := resultCommand(a, "lint", "Find what is not loaded, said twice, stale or against the rules", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) (gitmem.Linted, error) {
			l, err := m.Lint(ctx)
			if err == nil && len(l.Findings) > 0 {
				err = failedResult("memory lint found " + count(len(l.Findings), "thing") + " to look at")
			}
			return l, err
		}, a.printLint)
	return group("memory", "Look after the memory that the client loads at every start", a.jsonFlag(c, "print the findings as JSON"))
}

func (a *app) printLint(l gitmem.Linted) {
	for _, f := range l.Findings {
		fmt.Fprintf(a.out, "%s:%d: %s\n", printable(f.File), f.Line, a.paint(yellow, f.Check))
		if f.Text != "" {
			fmt.Fprintf(a.out, "  %s\n", printable(f.Text))
		}
		fmt.Fprintf(a.out, "  %s\n  %s\n", printable(f.Detail), a.paint(dim, f.Advice))
	}
	for _, caveat := range l.Caveats {
		fmt.Fprintf(a.out, "note: %s\n", printable(caveat))
	}
	switch {
	case len(l.Files) == 0:
		fmt.Fprintln(a.out, "this project has no memory files yet")
	case len(l.Findings) == 0:
		fmt.Fprintf(a.out, "%s looked over, nothing found\n", count(len(l.Files), "memory file"))
	}
}
