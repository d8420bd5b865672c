package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newDiffCmd() *cobra.Command {
	var since string
	var stat, asJSON bool
	c := &cobra.Command{
		Use:   "diff [citation | path[:line]]",
		Short: "Show what memory changed since a time or a commit",
		Args:  usage(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return a.with(func(m *gitmem.Memory) error {
				d, err := m.History().Diff(c.Context(), since, strings.Join(args, ""))
				switch {
				case err != nil:
					return unknownSource(err)
				case asJSON:
					return a.printJSON(d)
				case len(d.Files) == 0:
					fmt.Fprintf(a.err, "gitmem: nothing changed since %s\n", cmp.Or(since, "the last commit"))
				case stat:
					a.printStat(d.Files)
				default:
					a.printFiles(d.Files)
				}
				return nil
			})
		},
	}
	c.Flags().StringVar(&since, "since", "", "time (3d, yesterday, 2026-11-01) or commit to compare with")
	c.Flags().BoolVar(&stat, "stat", false, "count lines for each file")
	c.Flags().BoolVar(&asJSON, "json", false, "print the differences as JSON")
	return c
}

// printStat counts lines, one file a row.
func (a *app) printStat(files []gitmem.FileChange) {
	added, removed := 0, 0
	for _, f := range files {
		fmt.Fprintf(a.out, "%s %s %s %s\n", a.paint(green, fmt.Sprintf("%+5d", f.Added)), a.paint(red, fmt.Sprintf("%5s", fmt.Sprintf("-%d", f.Removed))), f.Status, printable(f.Path))
		added, removed = added+f.Added, removed+f.Removed
	}
	noun := "files"
	if len(files) == 1 {
		noun = "file"
	}
	fmt.Fprintf(a.out, "%d %s changed, %d added, %d removed\n", len(files), noun, added, removed)
}
