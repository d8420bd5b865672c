package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

// askOptions are the flags of ask and recall.
type askOptions struct {
	filter         gitmem.Filter
	raw, explain   bool
	trace          bool
	agent, noAgent bool
	model          string
}

// asOfUsage describes --as-of for ask, search and show.
const asOfUsage = "what was recorded at a moment instead of now: 2024-03-15 (its end), last month, 3d, or a branch, " +
	"tag or commit"

// value is a flag that must not be empty: an unset shell variable would otherwise remove a
// filter, or give the present answer for the past.
type value func(string) error

func (v value) String() string { return "" }

func (v value) Type() string { return "string" }

func (v value) Set(s string) error {
	if strings.TrimSpace(s) == "" {
		return hintError{errors.New("it is empty"), "give it a value, or leave the flag out"}
	}
	return v(s)
}

// text stores the last value.
func text(to *string) value { return func(s string) error { *to = s; return nil } }

// list appends each value.
func list(to *[]string) value { return func(s string) error { *to = append(*to, s); return nil } }

// joined appends each value to a comma-separated list; a value may itself be such a list.
func joined(to *string) value {
	var all []string
	return func(s string) error {
		for v := range strings.SplitSeq(s, ",") {
			if err := list(&all).Set(v); err != nil {
				return err
			}
		}
		*to = strings.Join(all, ",")
		return nil
	}
}

// addSourceFlags adds the flags that select sources by time, project and session.
func addSourceFlags(c *cobra.Command, f *gitmem.Filter) {
	fl := c.Flags()
	fl.Var(text(&f.Since), "since", "only sources since this time: 1w, 3d, yesterday, last month, 2024-Q4, 2024-03-15")
	fl.Var(text(&f.Until), "until", "only sources until this time")
	fl.Var(text(&f.Project), "project", "another project's name, or all")
	fl.Var(text(&f.Session), "session", "only this session (id or its beginning)")
}

func addFilterFlags(c *cobra.Command, f *gitmem.Filter, limit int) {
	addSourceFlags(c, f)
	fl := c.Flags()
	fl.Var(list(&f.Author), "author", "only authors whose name or address contains this; may be repeated to allow several")
	fl.Var(joined(&f.Type), "type", "only of these types: "+strings.Join(gitmem.Types(), ", ")+
		" (several with commas or by repetition)")
	fl.Var(list(&f.Path), "path",
		"only sources about these paths (glob or part of a path); may be repeated to allow several")
	fl.Var(joined(&f.Layer), "layer",
		"only these layers: rules, memory, summaries, transcripts, team (several with commas or by repetition)")
	fl.Var(text(&f.Expand), "expand",
		"look for other words too: none, minimal (acronyms; what search does by itself) or full (synonyms; what ask does)")
	fl.Var(text(&f.AsOf), "as-of", asOfUsage)
	fl.IntVar(&f.Limit, "limit", limit, "maximum number of results")
}

func (a *app) newAskCmd(name string) *cobra.Command {
	var o askOptions
	short := "Answer a question with citations, or say that it is not recorded"
	if name == "recall" {
		short = "Same as ask; --raw lists one hit for each session"
		o.filter.BySession = true
	}
	c := a.command(name+" <question>", short, cobra.MinimumNArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) error {
			defer a.continueIndexing(m)
			return a.runAsk(ctx, m, o, strings.Join(args, " "))
		})
	addFilterFlags(c, &o.filter, 5)
	a.addOfflineFlag(c)
	c.SetFlagErrorFunc(queryFlagError)
	c.Flags().BoolVar(&o.raw, "raw", false, "print the hits without a composed answer")
	c.Flags().BoolVar(&o.explain, "explain", false, "show how the answer was found")
	c.Flags().BoolVar(&o.agent, "agent", false, "let the configured model research the question, and check its claims")
	c.Flags().BoolVar(&o.noAgent, "no-agent", false, "use no model, even if one is configured")
	c.Flags().Var(text(&o.model), "model", "another model than the configured one, for --agent")
	c.Flags().BoolVar(&o.trace, "trace", false,
		"tell each step of the research: what was followed, from where, and what it gave")
	return a.jsonFlag(c, "print the answer as JSON")
}

func (a *app) runAsk(ctx context.Context, m *gitmem.Memory, o askOptions, question string) error {
	if useAgent, err := a.usesAgent(m, o); err != nil || useAgent {
		return cmp.Or(err, a.runAgent(ctx, m, o, question))
	}
	if o.raw {
		return a.runSearch(ctx, m, searchOptions{filter: o.filter, queries: []string{question}, explain: o.explain})
	}
	o.filter.Explain, o.filter.Trace = o.explain, o.trace
	if !o.noAgent {
		o.filter.Passage = m.Research().Passage
	}
	ans, err := m.Ask(ctx, question, o.filter)
	if err != nil {
		return err
	}
	a.findPages(ctx, m)
	err = emit(a, ans, func(ans gitmem.Answer) {
		a.printAnswer(ans)
		for _, c := range ans.Citations {
			if page := a.pageAddress(c.BrowseURL); page != "" {
				fmt.Fprintf(a.out, "page: [%s] %s\n", a.paint(cyan, shorten(c.ID)), page)
			}
		}
		for _, s := range ans.Research {
			a.printTrail(fmt.Sprintf("%d %s (%s): %s", s.Level, s.Lead, strings.TrimSpace(s.By+" "+s.From), s.Gave))
		}
		if ans.Explain != nil {
			a.printExplanation(*ans.Explain, ans.Strategies)
		}
	})
	return orNothing(err, ans.Confidence == gitmem.None)
}

func (a *app) printTrail(lines ...string) {
	for _, line := range lines {
		fmt.Fprintln(a.out, a.paint(dim, shorten(printable(line))))
	}
}
