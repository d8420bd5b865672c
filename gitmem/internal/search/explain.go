package search

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/internal/slice"
)

// Explain describes how a query was parsed, from its text, its search and the terms found.
func Explain(p Parsed, q Query, terms []Term) answer.Explanation {
	e := answer.Explanation{
		Words: []string{}, Phrases: []string{}, Required: []string{}, Excluded: []string{}, Filters: []string{},
		StopWords: stopped(p.Words(), q.Terms), Expansions: expansions(q.Expanded), Terms: []answer.ExplainedTerm{},
		Steps: []string{},
	}
	for _, it := range p.Items {
		switch {
		case it.Field != "":
			e.Filters = append(e.Filters, it.String())
		case it.Sign == Excluded:
			e.Excluded = append(e.Excluded, it.Text)
		case it.Phrase:
			e.Phrases = append(e.Phrases, it.Text)
		case it.Sign == Required:
			e.Required = append(e.Required, it.Text)
		default:
			e.Words = append(e.Words, it.Text)
		}
	}
	switch {
	case !q.Range.IsZero():
		e.Time = "only " + q.Range.String()
	case !q.Near.IsZero():
		e.Time = "rather " + q.Near.String()
	}
	for _, t := range terms {
		e.Terms = append(e.Terms, answer.ExplainedTerm{Term: t.Text, Docs: t.Docs, Weight: t.Rarity})
	}
	return e
}

// stopped returns the words of a text that are not among the terms because they are stop words.
func stopped(text string, terms []QueryTerm) []string {
	out := []string{}
	for _, t := range index.Words(text) {
		w := text[t.Start:t.End]
		used := slices.ContainsFunc(terms, func(q QueryTerm) bool { return q.Text == t.Term })
		if !used && index.IsStopword(strings.ToLower(w)) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

func expansions(terms []QueryTerm) []string {
	out := []string{}
	for _, t := range terms {
		if t.For >= 0 && t.For < len(terms) {
			out = append(out, fmt.Sprintf("%s for %s", t.Text, terms[t.For].Text))
		}
	}
	return out
}

// Explain returns the reasons for a hit: its words and their fields, the contributions of its neighbours and its
// session, the rules that moved it, and its rank in each strategy. title and paths are those of its source.
func (h Hit) Explain(q Query, title string, paths []string) []string {
	var out []string
	if held := h.held(q); len(held) > 0 {
		out = append(out, fmt.Sprintf("holds %s: %.0f %% of the query, which gives %.3f", strings.Join(held, ", "),
			100*h.Coverage, h.Words))
	}
	for _, where := range []struct{ name, text string }{{"title", title}, {"paths", strings.Join(paths, " ")}} {
		if in := h.within(where.text); len(in) > 0 {
			out = append(out, fmt.Sprintf("its %s: %s", where.name, strings.Join(in, ", ")))
		}
	}
	if h.Cosine > 0 {
		out = append(out, fmt.Sprintf("its meaning is %.2f near the query's", h.Cosine))
	}
	if h.Neighbours > 0.0005 {
		out = append(out, fmt.Sprintf("neighbouring turns add %.3f", h.Neighbours))
	}
	if h.Session > 0.0005 {
		out = append(out, fmt.Sprintf("its session matches as a whole: × %.2f", 1+h.Session))
	}
	for _, rule := range h.Rules {
		out = append(out, "rule: "+rule)
	}
	places := slice.Map(h.Found, func(f Found) string { return fmt.Sprintf("%s %d", f.Leg, f.Rank) })
	if len(places) > 0 {
		out = append(out, fmt.Sprintf("place by strategy: %s; together %.3f", strings.Join(places, ", "), h.Fused))
	}
	if len(q.Phrases) > 0 {
		out = append(out, "phrases were checked on its text")
	}
	return out
}

// held returns the terms in a hit, with the term that each one expands.
func (h Hit) held(q Query) []string {
	var out []string
	all := q.Expanded
	if all == nil {
		all = q.Terms
	}
	for _, m := range h.Matched {
		i := slices.IndexFunc(all, func(t QueryTerm) bool { return t.Text == m })
		if i >= 0 && all[i].For >= 0 && all[i].For < len(all) {
			m += " (for " + all[all[i].For].Text + ")"
		}
		out = append(out, m)
	}
	return out
}

func (h Hit) within(text string) []string {
	terms := index.Terms(text)
	return slice.Filter(h.Matched, func(m string) bool { return slices.Contains(terms, m) })
}
