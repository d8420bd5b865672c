package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newProjectCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "project",
		Short: "Tell what the project here is known by, and link it with others",
		Args:  usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withProjects(asJSON, func(s *gitmem.Projects) (gitmem.Project, error) { return s.Here(c.Context()) })
		},
	}
	c.PersistentFlags().BoolVar(&asJSON, "json", false, "print the project as JSON")
	link := func(use, short string, undo bool) *cobra.Command {
		return &cobra.Command{
			Use: use + " <project>", Short: short, Args: usage(cobra.ExactArgs(1)),
			RunE: func(c *cobra.Command, args []string) error {
				return a.withProjects(asJSON, func(s *gitmem.Projects) (gitmem.Project, error) { return s.Link(c.Context(), args[0], undo) })
			},
		}
	}
	c.AddCommand(link("link", "Let the memory of another project count here, and the other way round", false),
		link("unlink", "Keep the memory of a linked project apart again", true))
	return c
}

func (a *app) withProjects(asJSON bool, do func(*gitmem.Projects) (gitmem.Project, error)) error {
	return emitFrom(a, asJSON, func(m *gitmem.Memory) (gitmem.Project, error) { return do(m.Projects()) }, a.printProject)
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
