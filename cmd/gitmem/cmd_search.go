package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

type searchOptions struct {
	filter  gitmem.Filter
	by      string
	json    bool
	explain bool
}

func (a *app) newSearchCmd() *cobra.Command {
	var o searchOptions
	c := &cobra.Command{
		Use:   "search <words>",
		Short: "List ranked hits of all layers",
		Args:  usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return a.with(func(m *gitmem.Memory) error { return a.runSearch(c, m, o, strings.Join(args, " ")) })
		},
	}
	addFilterFlags(c, &o.filter, 20)
	c.Flags().StringVar(&o.by, "by", "", `"session" keeps the best hit of each session`)
	c.Flags().BoolVar(&o.json, "json", false, "print the hits as JSON")
	c.Flags().BoolVar(&o.explain, "explain", false, "say how each score came about")
	return c
}

func (a *app) runSearch(c *cobra.Command, m *gitmem.Memory, o searchOptions, words string) error {
	if err := checkLimit(o.filter.Limit); err != nil {
		return err
	}
	if o.by != "" && o.by != "session" {
		return &usageError{fmt.Errorf("--by %q: only session is known", o.by)}
	}
	o.filter.BySession = o.by == "session"
	res, err := m.Search(c.Context(), words, o.filter)
	if err != nil {
		return err
	}
	a.bar.clear()
	if o.json {
		err = a.printJSON(res)
	} else {
		a.printHits(res, o.explain)
	}
	if err == nil && len(res.Hits) == 0 {
		return errNothing
	}
	return err
}

func (a *app) printHits(res gitmem.Results, explain bool) {
	if len(res.Hits) == 0 {
		fmt.Fprintln(a.out, "Nothing found.")
	}
	for i, h := range res.Hits {
		fmt.Fprintf(a.out, "%d. %s [%s]\n", i+1, hitTitle(h), a.paint(cyan, shorten(h.ID)))
		if h.Excerpt != "" {
			fmt.Fprintf(a.out, "   > %s\n", a.paint(dim, printable(h.Excerpt)))
		}
		if explain {
			fmt.Fprintf(a.out, "   score %.3f: %s\n", h.Score, h.Why)
		}
	}
	a.printAsOf(res.AsOf)
	for _, c := range res.Caveats {
		fmt.Fprintf(a.out, "%s %s\n", a.paint(yellow, "caveat:"), printable(c))
	}
}

func hitTitle(h gitmem.Hit) string {
	title := printable(h.Title)
	var by []string
	if h.Author != "" && h.Author != h.Title {
		by = append(by, printable(h.Author))
	}
	if len(h.Time) >= 10 {
		by = append(by, h.Time[:10])
	}
	if len(by) > 0 {
		title += " (" + strings.Join(by, ", ") + ")"
	}
	return title
}
