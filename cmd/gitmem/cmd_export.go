package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newExportCmd() *cobra.Command {
	var to, project string
	c := resultCommand(a, "export --to <form> <folder or file>",
		"Write memory in the format of another tool, or as JSON lines",
		cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.Exported, error) {
			if err := knownForm(to); err != nil {
				return gitmem.Exported{}, err
			}
			return m.Projects().Export(ctx, to, a.absolute(args[0]), project)
		}, a.printExported)
	c.Flags().StringVar(&to, "to", "", strings.Join(gitmem.Forms(), ", "))
	c.Flags().StringVar(&project, "project", "", `memory of this project instead of the current one; "all" for all`)
	return a.jsonFlag(c, "print what was written as JSON")
}

// knownForm refuses a form that does not exist.
func knownForm(form string) error {
	if slices.Contains(gitmem.Forms(), form) {
		return nil
	}
	return &usageError{fmt.Errorf("form %q: expected one of %s", form, strings.Join(gitmem.Forms(), ", "))}
}

func (a *app) printExported(e gitmem.Exported) {
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(e.Entries)) {
		kinds = append(kinds, count(e.Entries[kind], kind))
	}
	if len(kinds) == 0 {
		kinds = []string{"nothing: memory is empty here"}
	}
	for _, caveat := range e.Caveats {
		fmt.Fprintf(a.out, "note: %s\n", printable(caveat))
	}
	fmt.Fprintf(a.out, "written: %s (%s)\n  %s\nRead it before you send it: what is secret only to you can't be known.\n",
		printable(e.Path), count(e.Files, "file"), strings.Join(kinds, ", "))
}

func (a *app) newImportCmd() *cobra.Command {
	var dry bool
	c := resultCommand(a, "import <form> <folder or file>", "Import notes that another tool exported",
		cobra.ExactArgs(2),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.Imported, error) {
			if err := knownForm(args[0]); err != nil {
				return gitmem.Imported{}, err
			}
			done, err := m.Projects().Import(ctx, args[0], a.absolute(args[1]), dry)
			if errors.Is(err, gitmem.ErrNotFound) {
				a.printImported(done, dry) // why nothing was found
			}
			return done, err
		}, func(i gitmem.Imported) { a.printImported(i, dry) })
	c.Flags().BoolVar(&dry, "dry-run", false, "show what would be imported, and write nothing")
	return a.jsonFlag(c, "print what was imported as JSON")
}

func (a *app) printImported(i gitmem.Imported, dry bool) {
	for _, what := range i.Done {
		fmt.Fprintln(a.out, printable(what))
	}
	for _, what := range i.Skipped {
		fmt.Fprintln(a.err, "gitmem: skipped: "+printable(what))
	}
	fmt.Fprintf(a.out, "%s %d, %d were there already\n", map[bool]string{true: "would import", false: "imported"}[dry],
		len(i.Done), i.Known)
}
