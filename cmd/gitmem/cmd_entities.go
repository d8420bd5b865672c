package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newEntitiesCmd() *cobra.Command {
	var project, typ string
	c := a.command("entities [name]", "List the technologies, people, files and other names in ideas",
		cobra.ArbitraryArgs,
		func(ctx context.Context, m *gitmem.Memory, args []string) error {
			if name := strings.Join(args, " "); name != "" {
				list, err := m.Data().Ideas(ctx, gitmem.IdeaFilter{Entity: name, Type: typ, Project: project})
				if err != nil {
					return err
				}
				return cmp.Or(emit(a, list, a.printIdeas), orNothing(nil, len(list) == 0))
			}
			found, err := m.Data().Entities(ctx, project, typ)
			if err != nil {
				return err
			}
			return cmp.Or(emit(a, found, a.printEntities), orNothing(nil, len(found.Entities) == 0))
		})
	c.Flags().StringVar(&typ, "type", "", "project, technology, concept, person or file; a prefix is enough")
	c.Flags().StringVar(&project, "project", "", "another project, or all")
	return a.jsonFlag(c, "print the entities, or the ideas, as JSON")
}

func (a *app) printEntities(found gitmem.Entities) {
	typ := ""
	for _, e := range found.Entities {
		if e.Type != typ {
			typ = e.Type
			fmt.Fprintf(a.out, "%s\n", a.paint(bold, typ))
		}
		when, aliases := e.First, ""
		if e.Last != e.First {
			when += " to " + e.Last
		}
		if len(e.Aliases) > 0 {
			aliases = " (" + strings.Join(e.Aliases, ", ") + ")"
		}
		fmt.Fprintf(a.out, "  %s: %s in %s, %s%s\n", printable(e.Name), count(e.Ideas, "idea"), count(e.Sessions, "session"),
			when, printable(aliases))
	}
	if len(found.Entities) == 0 {
		fmt.Fprintln(a.out, "No entity is recorded that fits.")
	}
	a.printCaveats(found.Caveats)
}
