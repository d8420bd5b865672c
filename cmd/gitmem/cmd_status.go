package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

// indexVerb is an operation on the indexes of one place.
type indexVerb = func(*gitmem.Memory, context.Context) ([]gitmem.ShardStatus, error)

func (a *app) newStatusCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "status",
		Short: "Tell what is captured, where it lies and what waits",
		Args:  usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.with(func(m *gitmem.Memory) error {
				st, err := m.Status(c.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return a.printJSON(st)
				}
				a.printStatus(st)
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the status as JSON")
	return c
}

func (a *app) printStatus(st gitmem.Status) {
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(a.out, "%-12s %s\n", name+":", printable(value))
		}
	}
	field("root", st.Root)
	switch {
	case st.Repository != "":
		field("store", st.Repository)
	case st.Store:
		field("store", "files without a repository (gitmem init makes one)")
	default:
		field("store", "none (gitmem init makes one; questions work without)")
	}
	field("project", st.Project)
	field("folder", st.Folder)
	if st.Store {
		field("memory", fmt.Sprintf("%d files, %d bytes", st.Files, st.Bytes))
		field("last commit", st.LastCommit)
		field("waiting", fmt.Sprintf("%d files not committed", len(st.Pending)))
	}
	field("index", st.IndexDir)
	for _, s := range st.Shards {
		field("  "+s.Name, fmt.Sprintf("%s, %d documents", s.State, s.Docs))
	}
	for _, c := range st.Caveats {
		field("caveat", c)
	}
}
