package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newDoctorCmd() *cobra.Command {
	var o gitmem.Checkup
	var all bool
	c := resultCommand(a, "doctor", "Check the store and the indexes, and show how to fix each problem", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) ([]gitmem.Finding, error) {
			o.Hooks = a.hookCheck(m)
			findings, err := m.Doctor(ctx, o)
			if err == nil && slices.ContainsFunc(findings, func(f gitmem.Finding) bool {
				return f.State == gitmem.FindingFail
			}) {
				err = failedResult("doctor found trouble")
			}
			return findings, err
		}, func(findings []gitmem.Finding) { a.printFindings(findings, all) })
	f := c.Flags()
	f.BoolVar(&o.Fix, "fix", false, "fix what can be fixed safely, and report it")
	f.BoolVar(&o.Secrets, "secrets", false, "search files, names, history and caches for secrets")
	f.Bool("quick", false, "")
	_ = f.MarkHidden("quick") // older versions only compared indexes with their sources without it
	f.BoolVar(&all, "all", false, "show all checks and all places")
	return a.jsonFlag(c, "print the findings as JSON")
}

// maxPlaces is how many places of a finding are printed without --all.
const maxPlaces = 10

// printFindings prints the problems and repairs, and the main checks that passed; all of
// them if all is set.
func (a *app) printFindings(findings []gitmem.Finding, all bool) {
	for _, f := range findings {
		well := f.State == gitmem.FindingOK
		if well && !f.Fixed && !all && !shownAlways(f) {
			continue
		}
		mark := a.paint(green, "ok")
		switch f.State {
		case gitmem.FindingFail:
			mark = a.paint(red, "!!")
		case gitmem.FindingWarn:
			mark = a.paint(yellow, "! ")
		}
		fmt.Fprintf(a.out, "%s %s: %s\n", mark, f.Check, printable(f.Detail))
		if !well || f.Fixed || all {
			a.printPlaces(f.Places, all)
		}
		if f.Advice != "" {
			fmt.Fprintf(a.out, "   %s\n", printable(f.Advice))
		}
	}
}

// shownAlways reports whether a check is shown even if it passed.
func shownAlways(f gitmem.Finding) bool {
	switch f.Check {
	case "capture":
		return f.Detail != "on" // off, paused or excluded by the user
	case "root", "store", "permissions", "locks", "committed", "secrets", "repository", "secret search":
		return true
	}
	return strings.HasSuffix(f.Check, " index") && f.Check != "git index"
}

func (a *app) printPlaces(places []gitmem.FindingPlace, all bool) {
	if len(places) == 1 && places[0].Kind == "" && !all {
		return // it is reported on another line
	}
	for i, p := range places {
		if i == maxPlaces && !all {
			fmt.Fprintf(a.out, "   … and %d more (gitmem doctor --all)\n", len(places)-i)
			return
		}
		fmt.Fprintf(a.out, "   - %s\n", printable(p.String()))
	}
}
