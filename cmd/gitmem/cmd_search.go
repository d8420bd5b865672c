package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

// queryFlagError explains how to write -word, which cobra treats as a flag outside quotes.
func queryFlagError(c *cobra.Command, err error) error {
	err = flagError(c, err)
	if known := (hintError{}); errors.As(err, &known) || !strings.HasPrefix(err.Error(), "unknown ") {
		return err
	}
	return hintError{err,
		"put the query in quotes to exclude a word, as in 'pump -valve', or write it behind --; see gitmem help search"}
}

type searchOptions struct {
	filter  gitmem.Filter
	queries []string
	by      string
	explain bool
}

func (a *app) newSearchCmd() *cobra.Command {
	var o searchOptions
	words := func(c *cobra.Command, args []string) error {
		if len(o.queries) > 0 {
			return nil
		}
		return cobra.MinimumNArgs(1)(c, args)
	}
	c := a.command("search <words> | -e <query>…", "List ranked hits of all layers", words,
		func(ctx context.Context, m *gitmem.Memory, args []string) error {
			defer a.continueIndexing(m)
			if len(args) > 0 {
				o.queries = append(o.queries, strings.Join(args, " "))
			}
			return a.runSearch(ctx, m, o)
		})
	addFilterFlags(c, &o.filter, 20)
	a.addOfflineFlag(c)
	c.SetFlagErrorFunc(queryFlagError)
	c.Flags().VarP(list(&o.queries), "query", "e",
		"a query; may be repeated: hits that several queries find come first")
	c.Flags().StringVar(&o.by, "by", "", `"session" keeps the best hit of each session`)
	c.Flags().Var(joined(&o.filter.Agent), "agent", "only sources from sessions of these agents: "+
		strings.Join(gitmem.Agents(), ", ")+" (several with commas or by repetition)")
	c.Flags().BoolVar(&o.explain, "explain", false, "show how each score was computed")
	return a.jsonFlag(c, "print the hits as JSON")
}

func (a *app) runSearch(ctx context.Context, m *gitmem.Memory, o searchOptions) error {
	if o.by != "" && o.by != "session" {
		return &usageError{fmt.Errorf("--by %q: only session is known", o.by)}
	}
	o.filter.BySession, o.filter.Explain = o.filter.BySession || o.by == "session", o.explain
	res, err := m.SearchAll(ctx, o.queries, o.filter)
	if err != nil {
		return err
	}
	a.findPages(ctx, m)
	return orNothing(emit(a, res, a.printHits), len(res.Hits) == 0)
}

func (a *app) printHits(res gitmem.Results) {
	if len(res.Hits) == 0 {
		fmt.Fprintln(a.out, "Nothing found.")
	}
	for i, h := range res.Hits {
		fmt.Fprintf(a.out, "%d. %s [%s]\n", i+1, hitTitle(h), a.paint(cyan, shorten(h.ID)))
		if h.Excerpt != "" && h.Excerpt != h.Title {
			fmt.Fprintf(a.out, "   > %s\n", a.paint(dim, printable(h.Quoted())))
		}
		if page := a.pageAddress(h.BrowseURL); page != "" {
			fmt.Fprintf(a.out, "   %s\n", page)
		}
		for _, why := range h.Why {
			fmt.Fprintf(a.out, "   %s %s\n", a.paint(dim, "because:"), shorten(printable(why)))
		}
	}
	a.printState(res.State)
	a.printCaveats(res.Caveats)
	a.printFallbacks(res.Fallbacks, res.Suggestions)
	if res.Explain != nil {
		a.printExplanation(*res.Explain, res.Strategies)
	}
}

// printFallbacks prints the fallbacks of a search that found too little, and what to try
// next.
func (a *app) printFallbacks(fallbacks, suggestions []string) {
	for _, f := range fallbacks {
		fmt.Fprintf(a.out, "%s %s\n", a.paint(yellow, "fallback:"), printable(f))
	}
	for _, s := range suggestions {
		fmt.Fprintf(a.out, "%s %s\n", a.paint(cyan, "hint:"), shorten(printable(s)))
	}
}

// printExplanation prints how a query was parsed and what each strategy found.
func (a *app) printExplanation(e gitmem.Explanation, strategies []gitmem.Strategy) {
	fmt.Fprintln(a.out)
	for _, part := range []struct {
		name  string
		items []string
	}{
		{"words", e.Words}, {"phrases", e.Phrases}, {"required", e.Required}, {"excluded", e.Excluded},
		{"filters", e.Filters},
		{"dropped as stop words", e.StopWords}, {"added", e.Expansions},
	} {
		if len(part.items) > 0 {
			a.printTrail(part.name + ": " + strings.Join(part.items, ", "))
		}
	}
	if e.Time != "" {
		a.printTrail("time: " + e.Time)
	}
	if len(e.Steps) == 0 { // the steps of an answer name the terms
		for _, t := range e.Terms {
			a.printTrail(fmt.Sprintf("term %s: in %d documents, weight %.2f", t.Term, t.Docs, t.Weight))
		}
	}
	a.printTrail(e.Steps...)
	for _, s := range strategies {
		line := fmt.Sprintf("strategy %s: %d hits in %d ms", s.Name, s.Hits, s.MS)
		if !s.OK {
			line = fmt.Sprintf("strategy %s: failed after %d ms: %s", s.Name, s.MS, s.Error)
		}
		a.printTrail(line)
	}
}

func hitTitle(h gitmem.Hit) string {
	title := printable(h.Title)
	var by []string
	if h.Author != "" && h.Author != h.Title {
		by = append(by, printable(h.Author))
	}
	if agent := h.OtherAgent(); agent != "" {
		by = append(by, agent)
	}
	if len(h.Time) >= 10 {
		by = append(by, h.Time[:10])
	}
	if h.Status == "taken back" {
		by = append(by, string(h.Status))
	}
	if len(by) > 0 {
		title += " (" + strings.Join(by, ", ") + ")"
	}
	return title
}
