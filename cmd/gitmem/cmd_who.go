package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newWhoCmd() *cobra.Command {
	var f gitmem.Filter
	var ascii bool
	c := resultCommand(a, "who [<path> | <words>...]", "Rank the people who know a path or a subject", cobra.ArbitraryArgs,
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.Experts, error) {
			defer a.continueIndexing(m)
			e, err := m.Team().Who(ctx, strings.Join(args, " "), f)
			return e, orNothing(err, len(e.People) == 0)
		}, func(e gitmem.Experts) { a.printExperts(e, drawing{ascii: ascii || !a.blocks()}) })
	a.addPeopleFlags(c, &f, &ascii, "maximum number of people")
	return a.jsonFlag(c, "print the people as JSON")
}

func (a *app) printExperts(e gitmem.Experts, d drawing) {
	if len(e.People) == 0 {
		fmt.Fprintf(a.out, "Nobody is recorded for %s.\n", orWhole(printable(e.Query)))
		a.printCaveats(e.Caveats)
		return
	}
	fmt.Fprintf(a.out, "%s%s\n\n", a.paint(bold, orWhole(printable(e.Query))), searchedArea(e, d))
	var rows [][]string
	narrow := max(0, 102-a.columns()) // columns that do not fit into 102 characters
	room := max(12, a.columns()-82)
	for _, p := range e.People {
		rows = append(rows, []string{
			d.cell(p.Name, max(12, 26-narrow)), fmt.Sprintf("%.0f %%", 100*p.Score), strconv.Itoa(p.Commits),
			strconv.Itoa(p.Lines), strconv.Itoa(p.Reviews),
			day(p.Last), yesNo(p.Active), d.cell(strings.Join(p.Areas, ", "), room),
		})
	}
	a.printTable([]column{
		{head: "person", style: bold}, {head: "share", right: true}, {head: "commits", right: true},
		{head: "lines", right: true}, {head: "reviews", right: true},
		{head: "last"}, {head: "active"}, {head: "areas", style: cyan},
	}, rows)
	fmt.Fprintln(a.out)
	if e.Others > 0 {
		fmt.Fprintf(a.out, "and %d more\n", e.Others)
	}
	fmt.Fprintf(a.out, "bus factor: %d\n", e.BusFactor)
	if len(e.Owners) > 0 {
		fmt.Fprintf(a.out, "CODEOWNERS: %s\n", printable(strings.Join(e.Owners, " ")))
	}
	if e.Bots > 0 {
		fmt.Fprintf(a.out, "left out: %s by bots\n", count(e.Bots, "commit"))
	}
	a.printCaveats(e.Caveats)
}

func orWhole(query string) string {
	if query == "" || query == "." {
		return "the whole repository"
	}
	return query
}

// searchedArea reports which part of the tree was searched.
func searchedArea(e gitmem.Experts, d drawing) string {
	switch e.By {
	case "words":
		shown := e.Area[:min(len(e.Area), 3)]
		more := ""
		if e.Files > len(shown) {
			more = fmt.Sprintf(" and %d more", e.Files-len(shown))
		}
		return ": " + d.cell(strings.Join(shown, ", "), 120) + more
	case "commits":
		return ": the commits that tell of it, no file does"
	}
	return ""
}

func day(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return t.Format(time.DateOnly)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
