package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newProjectCmd() *cobra.Command {
	link := func(use, short string, undo bool) *cobra.Command {
		return resultCommand(a, use+" <project>", short, cobra.ExactArgs(1),
			func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.Project, error) {
				return m.Projects().Link(ctx, args[0], undo)
			}, a.printProject)
	}
	c := resultCommand(a, "project", "Show the project of this folder, and link it with others", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) (gitmem.Project, error) {
			return m.Projects().Here(ctx)
		}, a.printProject)
	c.PersistentFlags().BoolVar(&a.json, "json", false, "print the project as JSON")
	c.AddCommand(link("link", "Let the memory of another project count here, and the other way round", false),
		link("unlink", "Keep the memory of a linked project apart again", true))
	return c
}

func (a *app) printProject(p gitmem.Project) {
	field := func(name string, values ...string) {
		for _, v := range values {
			fmt.Fprintf(a.out, "%-9s %s\n", name+":", printable(v))
		}
	}
	field("project", p.ID)
	field("remote", p.Remotes...)
	field("folder", p.Folders...)
	field("linked", p.Linked...)
	for _, id := range p.SameHistory {
		field("apart", id+" has the same history; gitmem project link "+id)
	}
}
