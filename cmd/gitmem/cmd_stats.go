package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newStatsCmd() *cobra.Command {
	var cost bool
	var o gitmem.CostOptions
	var f gitmem.Filter
	c := a.command("stats", "Count the records of memory, or what hooks gave the model", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) error {
			switch {
			case cost && f.Project != "":
				return &usageError{errors.New("--cost tells of all projects: leave --project out")}
			case !cost && o.Since != "":
				return &usageError{errors.New("--since is for --cost: gitmem stats --cost --since " + o.Since)}
			case !cost:
				st, err := m.Stats(ctx, f)
				if err != nil {
					return err
				}
				return emit(a, st, a.printStats)
			}
			c, err := m.Cost(ctx, o)
			if err != nil {
				return err
			}
			return emit(a, c, a.printCost)
		})
	c.Flags().BoolVar(&cost, "cost", false, "what hooks gave the model, and how long they took")
	c.Flags().StringVar(&f.Project, "project", "", "another project, or all")
	c.Flags().StringVar(&o.Since, "since", "", "with --cost: only since this time, such as 7d, yesterday, 2026-11-01")
	return a.jsonFlag(c, "print the figures as JSON")
}

// printStats prints the content of memory.
func (a *app) printStats(st gitmem.Stats) {
	ideas, kinds := kindCounts(st.Ideas)
	_, types := kindCounts(st.Entities)
	fmt.Fprintf(a.out, "%s, %s, %s, %s open\n", count(st.Sessions, "session"), count(st.Topics, "topic"),
		count(ideas, "idea"), grouped(st.Open))
	if ideas > 0 {
		fmt.Fprintf(a.out, "ideas: %s\n", kinds)
	}
	if types != "" {
		fmt.Fprintf(a.out, "entities: %s\n", types)
	}
	fmt.Fprintln(a.out)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "layer\ttype\titems\tfrom\tto\n")
	for _, k := range st.Kinds {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", k.Layer, k.Type, grouped(k.Items), k.Oldest, k.Newest)
	}
	_ = w.Flush() // an output error is not reported
	a.printCaveats(st.Caveats)
}

// kindCounts returns the sum of counts by kind, and a list of them.
func kindCounts(of map[string]int) (sum int, list string) {
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(of)) {
		sum += of[kind]
		kinds = append(kinds, grouped(of[kind])+" "+kind)
	}
	return sum, strings.Join(kinds, ", ")
}

// costRows is how many days and sessions are printed; --json has all.
const costRows = 10

func (a *app) printCost(c gitmem.Cost) {
	since := ""
	if c.Since != "" {
		since = " since " + c.Since
	}
	if c.Chars == 0 {
		fmt.Fprintf(a.out, "Hooks told the model nothing%s.\n", since)
	} else {
		fmt.Fprintf(a.out,
			"Hooks told the model %s characters%s, about %s tokens (a quarter of the characters), in %s to %s.\n",
			grouped(c.Chars), since, grouped(c.Tokens), count(c.Injections, "piece"), count(len(c.Sessions), "session"))
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	row := func(name string, sessions string, i gitmem.Injected) {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t~%s\n", name, sessions, i.Injections, grouped(i.Chars), grouped(i.Tokens))
	}
	if len(c.Days) > 0 {
		fmt.Fprint(w, "\nday\tsessions\tpieces\tcharacters\ttokens\n")
	}
	for _, d := range c.Days[:min(costRows, len(c.Days))] {
		row(d.Day, fmt.Sprint(d.Sessions), d.Injected)
	}
	if len(c.Sessions) > 0 {
		fmt.Fprint(w, "\nsession\tlast\tpieces\tcharacters\ttokens\n")
	}
	for _, s := range c.Sessions[:min(costRows, len(c.Sessions))] {
		row(printable(s.Session), s.Last, s.Injected)
	}
	if len(c.Hooks) > 0 {
		fmt.Fprint(w, "\nhook\truns\tin all\thalf within\t95 % within\tfailed\n")
	}
	for _, h := range c.Hooks {
		name := printable(h.Hook)
		if hook.Background(h.Hook) {
			name += " (background)"
		}
		fmt.Fprintf(w, "%s\t%d\t%.1f s\t%g ms\t%g ms\t%d\n", name, h.Runs, h.Seconds, h.P50, h.P95, h.Errors)
	}
	if len(c.Models) > 0 {
		fmt.Fprint(w, "\nmodels\truns\ttokens\tdaily_tokens\n")
	}
	for _, d := range c.Models {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", d.Day, d.Runs, grouped(d.Tokens), grouped(c.DailyTokens))
	}
	_ = w.Flush()
	a.printCostRest(c)
}

// printCostRest prints what the tables omit.
func (a *app) printCostRest(c gitmem.Cost) {
	fmt.Fprintln(a.out)
	if n := max(len(c.Days), len(c.Sessions)); n > costRows {
		fmt.Fprintf(a.out, "Shown are %d of %s and of %s: --json has all.\n", costRows, count(len(c.Days), "day"),
			count(len(c.Sessions), "session"))
	}
	if c.Traced == "" {
		fmt.Fprintln(a.out, "No hook has left a trace in this time.")
	} else {
		fmt.Fprintf(a.out, "Times are known from %s on; traces are kept for 30 days.\n", c.Traced)
	}
	if c.Unread > 0 {
		fmt.Fprintf(a.out, "%s of the traces could not be read.\n", count(c.Unread, "line"))
	}
	for _, s := range c.Caveats {
		fmt.Fprintln(a.out, printable(s))
	}
}

// grouped formats a number with a comma between thousands.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
