package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newDiffCmd() *cobra.Command {
	var since string
	var stat bool
	c := resultCommand(a, "diff [citation | path[:line]]", "Show what memory changed since a time or a commit",
		cobra.MaximumNArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.Difference, error) {
			d, err := m.History().Diff(ctx, since, strings.Join(args, ""))
			return d, unknownSource(err)
		}, func(d gitmem.Difference) {
			switch {
			case len(d.Files) == 0:
				fmt.Fprintf(a.err, "gitmem: nothing changed since %s\n", cmp.Or(since, "the last commit"))
			case stat:
				a.printStat(d.Files)
			default:
				a.printFiles(d.Files)
			}
		})
	c.Flags().StringVar(&since, "since", "", "time (3d, yesterday, 2026-11-01) or commit to compare with")
	c.Flags().BoolVar(&stat, "stat", false, "count lines for each file")
	return a.jsonFlag(c, "print the differences as JSON")
}

// printStat prints the counts of changed lines, one row per file.
func (a *app) printStat(files []gitmem.FileChange) {
	added, removed := 0, 0
	for _, f := range files {
		fmt.Fprintf(a.out, "%s %s %s %s\n", a.paint(green, fmt.Sprintf("%+5d", f.Added)),
			a.paint(red, fmt.Sprintf("%5s", fmt.Sprintf("-%d", f.Removed))), f.Status, printable(f.Path))
		added, removed = added+f.Added, removed+f.Removed
	}
	fmt.Fprintf(a.out, "%s changed, %d added, %d removed\n", count(len(files), "file"), added, removed)
}
