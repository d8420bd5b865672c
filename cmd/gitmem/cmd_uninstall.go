package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/cmd/internal/install"
	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newUninstallCmd() *cobra.Command {
	var o installOptions
	c := a.command("uninstall", "Remove what install added to an agent's settings", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) error {
			return a.runUninstall(ctx, m, o)
		})
	o.addFlags(c)
	return a.jsonFlag(c, "print what was done as JSON")
}

func (a *app) runUninstall(ctx context.Context, m *gitmem.Memory, o installOptions) error {
	edits, proposed, r, err := a.edits(m, "", o)
	if err == nil && o.hooks() { // they are removed even if another file can't be changed
		edits = slices.DeleteFunc(edits, func(e edit) bool {
			err := e.do(install.Records{}, true, &installed{DryRun: true})
			if err != nil && !e.copied {
				r.Notes = append(r.Notes, "what is there of gitmem's stays: "+gitmem.ErrorText(err))
			}
			return err != nil && !e.copied
		})
	}
	if err == nil {
		err = apply(ctx, m, r, edits, true)
	}
	if err == nil {
		err = a.propose(ctx, m, r, proposed, true)
	}
	if err != nil {
		return err
	}
	if err := a.archiveAgent(ctx, m, r, false); err != nil {
		return err
	}
	if o.hooks() {
		r.Notes = append(r.Notes, a.otherRegistrations(m, r.Settings)...)
	}
	return a.show(r, a.printUninstalled)
}

// otherRegistrations reports where else gitmem's hooks remain registered.
func (a *app) otherRegistrations(m *gitmem.Memory, path string) []string {
	var notes []string
	for _, s := range a.scopes(m) {
		if s.Path != path && len(s.Own) > 0 {
			notes = append(notes, "hooks are left in "+s.Path)
		}
		if p := s.Plugin; p != "" {
			notes = append(notes, "the plugin stays; it goes with claude plugin uninstall "+p)
		}
	}
	if there := a.registeredClients(); len(there) > 0 {
		notes = append(notes, "it stays in other clients: "+clientList(there, "uninstall"))
	}
	return notes
}

func (a *app) printUninstalled(r *installed) {
	a.printDry(r)
	removed, places := 0, []string{}
	for _, c := range r.Changes {
		if c.Did != "kept" {
			removed++
			_, file, ok := strings.Cut(c.What, " in ")
			if !ok {
				file = r.Settings
			}
			if !slices.Contains(places, file) {
				places = append(places, file)
			}
			continue
		}
		fmt.Fprintf(a.out, "kept %s: %s\n", printable(c.What), c.Notes)
	}
	switch {
	case r.DryRun || r.Diff != "" && removed == 0:
	case len(r.Changes) == 0:
		fmt.Fprintf(a.out, "nothing of gitmem's is in %s\n", printable(r.Settings))
	case removed == 1:
		fmt.Fprintf(a.out, "took 1 entry out of %s\n", printable(places[0]))
	case removed > 0:
		fmt.Fprintf(a.out, "took %d hooks, permission rules and servers out of %s\n", removed,
			printable(strings.Join(places, " and ")))
	}
	for _, s := range r.Skills {
		if !r.DryRun || s.Did == "kept" {
			fmt.Fprintf(a.out, "%s: %s %s\n", textKind(s.What), s.Did, printable(s.What))
		}
	}
	a.printNotes(r)
	if !r.DryRun {
		fmt.Fprintf(a.out, "memory stays in %s\n", printable(r.Root))
	}
}
