package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newFixCmd() *cobra.Command {
	var f gitmem.Filter
	c := a.command("fix <error text> | -", "Show what ended the same failure before", cobra.MinimumNArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) error { return a.runFix(ctx, m, f, args) })
	addSourceFlags(c, &f)
	c.Flags().IntVar(&f.Limit, "limit", 5, "maximum number of results")
	return a.jsonFlag(c, "print what was found as JSON")
}

// mostError is the maximum size of an error text on standard input, in bytes.
const mostError = 1 << 20

func (a *app) runFix(ctx context.Context, m *gitmem.Memory, f gitmem.Filter, args []string) error {
	text := strings.Join(args, " ")
	if text == "-" {
		b, err := io.ReadAll(io.LimitReader(a.in, mostError))
		if err != nil {
			return err
		}
		text = string(b)
	}
	found, err := m.Data().Fix(ctx, text, f)
	if err != nil {
		return err
	}
	return orNothing(emit(a, found, func(found gitmem.Fixes) { a.printFixes(found, f) }), len(found.Fixes) == 0)
}

func (a *app) printFixes(found gitmem.Fixes, f gitmem.Filter) {
	for i, fix := range found.Fixes {
		fmt.Fprintf(a.out, "%d. ", i+1)
		a.printFix(fix)
	}
	if len(found.Fixes) == 0 {
		fmt.Fprintln(a.out, "Not recorded: no failure with this error was seen to end.")
		for _, fix := range found.Open {
			fmt.Fprint(a.out, "   ")
			a.printFailure(fix, "was not seen to end")
		}
		if f.Project == "" {
			fmt.Fprintf(a.out, "%s --project all looks in other projects, too\n", a.paint(cyan, "hint:"))
		}
	}
	a.printCaveats(found.Caveats)
}

// printFix prints how a failure ended.
func (a *app) printFix(fix gitmem.Fix) {
	if len(fix.Changes) == 0 {
		fmt.Fprintln(a.out, "It passed when it was run again, without a change in the session.")
	}
	for i, c := range fix.Changes {
		if i == 1 {
			fmt.Fprintln(a.out, "   also changed before it passed:")
		}
		what := c.Command
		switch {
		case c.Path != "":
			what = "edit " + c.Path
		case what == "":
			what = "a subagent: " + c.Agent
		}
		indent := "   "[:3*min(i, 1)]
		fmt.Fprintf(a.out, "%s%s [%s]\n", indent, a.paint(bold, indented(what)), a.paint(cyan, shorten(c.ID)))
		for _, l := range c.Lines[:len(c.Lines)*(1-min(i, 1))] {
			fmt.Fprintf(a.out, "     %s\n", printable(l))
		}
	}
	if fix.Asked != "" {
		fmt.Fprintf(a.out, "   the user said before: %s\n", indented(fix.Asked))
	}
	a.printFailure(fix, fmt.Sprintf("passed [%s]", a.paint(cyan, shorten(fix.Ended))))
}

// printFailure prints what failed, when and where, and how it ended.
func (a *app) printFailure(fix gitmem.Fix, became string) {
	fmt.Fprintf(a.out, "%s > %s\n", indented(fix.Command), a.paint(dim, indented(fix.Error)))
	where := fix.Project
	if len(fix.Time) >= 10 {
		where = fix.Time[:10] + " in " + where
	}
	fmt.Fprintf(a.out, "     failed on %s [%s], %s", printable(where), a.paint(cyan, shorten(fix.Failed)), became)
	if fix.Times > 1 {
		fmt.Fprintf(a.out, "; %d failures ended like this", fix.Times)
	}
	fmt.Fprintln(a.out)
}

// indented returns a text from a transcript with its further lines indented.
func indented(text string) string {
	return strings.ReplaceAll(printable(strings.TrimSpace(text)), "\n", "\n     ")
}
