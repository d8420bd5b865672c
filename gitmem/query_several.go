package gitmem

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// fusionRank is the k of reciprocal rank fusion, as in the fusion of strategies.
const fusionRank = 60

// SearchAll searches for several queries, each by itself, and fuses their hits by
// reciprocal ranks: what several queries find comes first, and each hit comes once.
func (m *Memory) SearchAll(ctx context.Context, texts []string, f Filter) (Results, error) {
	if len(texts) == 1 {
		return m.Search(ctx, texts[0], f)
	}
	limit := cmp.Or(f.Limit, 20)
	f.Limit = max(limit, 50) // what is far behind in each may be first in all
	out := Results{Query: strings.Join(texts, " | "), Hits: []Hit{}, Caveats: []string{}, Fallbacks: []string{}, Suggestions: []string{}}
	places := map[string]string{}
	for _, text := range texts {
		res, err := m.Search(ctx, text, f)
		if err != nil {
			return Results{}, err
		}
		for rank, h := range res.Hits {
			i := slices.IndexFunc(out.Hits, func(k Hit) bool { return k.ID == h.ID })
			if i < 0 {
				i = len(out.Hits)
				h.Score = 0
				out.Hits = append(out.Hits, h)
			}
			out.Hits[i].Score += (fusionRank + 1) / float64(fusionRank+1+rank) / float64(len(texts))
			places[h.ID] += fmt.Sprintf(", %s %d", text, rank+1)
		}
		out.add(text, res)
	}
	slices.SortStableFunc(out.Hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	if f.BySession {
		out.Hits = bySession(out.Hits, func(h Hit) string { return h.Session })
	}
	out.Hits = out.Hits[:min(limit, len(out.Hits))]
	for i := range out.Hits {
		h := &out.Hits[i]
		h.Score = math.Round(h.Score*1e9) / 1e9
		if f.Explain {
			h.Why = append(h.Why, fmt.Sprintf("place by query: %s; together %.3f", places[h.ID][2:], h.Score))
		}
	}
	return out, nil
}

// add adds what is told of one more query beside its hits.
func (r *Results) add(query string, res Results) {
	union := func(list *[]string, more []string) {
		for _, s := range more {
			if !slices.Contains(*list, s) {
				*list = append(*list, s)
			}
		}
	}
	union(&r.Caveats, res.Caveats)
	for _, s := range res.Fallbacks {
		r.Fallbacks = append(r.Fallbacks, query+": "+s)
	}
	for _, s := range res.Suggestions {
		r.Suggestions = append(r.Suggestions, query+": "+s)
	}
	r.AsOf = res.AsOf
	for _, s := range res.Strategies {
		i := slices.IndexFunc(r.Strategies, func(k Strategy) bool { return k.Name == s.Name })
		if i < 0 {
			r.Strategies = append(r.Strategies, s)
			continue
		}
		k := &r.Strategies[i]
		k.OK, k.MS, k.Hits, k.Error = k.OK && s.OK, k.MS+s.MS, k.Hits+s.Hits, cmp.Or(k.Error, s.Error)
	}
	if r.Explain == nil || res.Explain == nil {
		r.Explain = res.Explain
		return
	}
	e, more := r.Explain, res.Explain
	union(&e.Words, more.Words)
	union(&e.Phrases, more.Phrases)
	union(&e.Required, more.Required)
	union(&e.Excluded, more.Excluded)
	union(&e.Filters, more.Filters)
	union(&e.StopWords, more.StopWords)
	union(&e.Expansions, more.Expansions)
	e.Terms, e.Time = append(e.Terms, more.Terms...), cmp.Or(e.Time, more.Time)
}
