package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newMemoryCmd() *cobra.Command {
	var fix, yes bool
	c := resultCommand(a, "lint", "Find what is not loaded, said twice, stale or against the rules", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) (gitmem.Linted, error) {
			l, err := m.Lint(ctx, false)
			if fix && err == nil && len(l.Bare) > 0 {
				l, err = a.fixLint(ctx, m, l, yes)
			}
			if err == nil && len(l.Findings) > 0 {
				err = failedResult("memory lint found " + count(len(l.Findings), "thing") + " to look at")
			}
			return l, err
		}, a.printLint)
	c.Flags().BoolVar(&fix, "fix", false, "add the frontmatter that files lack, after asking")
	c.Flags().BoolVar(&yes, "yes", false, "don't ask")
	return group("memory", "Check the memory files that the client loads",
		a.jsonFlag(c, "print the findings as JSON"))
}

// fixLint adds frontmatter to the listed files.
func (a *app) fixLint(ctx context.Context, m *gitmem.Memory, l gitmem.Linted, yes bool) (gitmem.Linted, error) {
	if !yes {
		for _, file := range l.Bare {
			fmt.Fprintln(a.err, printable(file))
		}
		if err := a.agreed("Add frontmatter to these files?", "change"); err != nil {
			return l, err
		}
	}
	return m.Lint(ctx, true)
}

func (a *app) printLint(l gitmem.Linted) {
	for _, f := range l.Findings {
		fmt.Fprintf(a.out, "%s:%d: %s\n", printable(f.File), f.Line, a.paint(yellow, f.Check))
		if f.Text != "" {
			fmt.Fprintf(a.out, "  %s\n", printable(f.Text))
		}
		fmt.Fprintf(a.out, "  %s\n  %s\n", printable(f.Detail), a.paint(dim, f.Advice))
	}
	for _, file := range l.Bare {
		fmt.Fprintf(a.out, "note: %s lacks frontmatter that says what it is; gitmem memory lint --fix adds it\n",
			printable(file))
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
