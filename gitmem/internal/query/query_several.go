package query

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/internal/slice"
)

// SearchAll runs several queries separately and fuses their hits by reciprocal rank, each hit once: hits of several
// queries come first. The first hit of each query is kept, since any query may be the only right one. The strategies
// are those of each query in turn. The result explains hits if requested, but not how a query was parsed.
func (rd *Reader) SearchAll(ctx context.Context, texts []string, f Filter) (Results, error) {
	if !f.Detailed {
		return rd.fused(ctx, texts, f)
	}
	limit := cmp.Or(f.Limit, 20)
	f.Limit = 3 * limit
	out, err := rd.fused(ctx, texts, f)
	if err != nil {
		return out, err
	}
	out.Hits = foldDocuments(out.Hits, limit)
	caveat, err := rd.details(ctx, out.Hits, index.QueryTerms(strings.Join(texts, " ")))
	if caveat != "" {
		out.Caveats = append(out.Caveats, caveat)
	}
	return out, err
}

func (rd *Reader) fused(ctx context.Context, texts []string, f Filter) (Results, error) {
	if len(texts) == 1 {
		return rd.Search(ctx, texts[0], f)
	}
	const fusionRank = 10 // the k of the fusion: smaller than for strategies, since any query may be the only right one
	limit := cmp.Or(f.Limit, 20)
	f.Limit = max(limit, 50) // low ranks in each query may add up to a high one
	out := Results{Query: strings.Join(texts, " | "), Hits: []Hit{}, Caveats: []string{}, Fallbacks: []string{},
		Suggestions: []string{}}
	places := map[string]string{}
	for _, text := range texts {
		res, err := rd.Search(ctx, text, f)
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
			out.Hits[i].first = out.Hits[i].first || rank == 0
			out.Hits[i].Score += (fusionRank + 1) / float64(fusionRank+1+rank) / float64(len(texts))
			places[h.ID] += fmt.Sprintf(", %s %d", text, rank+1)
		}
		for _, s := range res.Fallbacks {
			out.Fallbacks = append(out.Fallbacks, text+": "+s)
		}
		for _, s := range res.Suggestions {
			out.Suggestions = append(out.Suggestions, text+": "+s)
		}
		for _, word := range res.Missing {
			if !slices.ContainsFunc(out.Missing, func(known string) bool { return strings.EqualFold(known, word) }) {
				out.Missing = append(out.Missing, word)
			}
		}
		for _, s := range res.Caveats {
			if !slices.Contains(out.Caveats, s) {
				out.Caveats = append(out.Caveats, s)
			}
		}
		out.Strategies, out.State = append(out.Strategies, res.Strategies...), res.State
	}
	slices.SortStableFunc(out.Hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	if f.BySession {
		out.Hits = bySession(out.Hits, func(h Hit) string { return h.Session })
	}
	out.Hits = keepFirst(out.Hits, limit)
	for i := range out.Hits {
		h := &out.Hits[i]
		h.Score = math.Round(h.Score*1e9) / 1e9
		if f.Explain {
			h.Why = append(h.Why, fmt.Sprintf("place by query: %s; together %.3f", places[h.ID][2:], h.Score))
		}
	}
	return out, nil
}

// keepFirst keeps at most limit hits in order: the best, the first one of each query, and the next best.
func keepFirst(hits []Hit, limit int) []Hit {
	if len(hits) <= limit {
		return hits
	}
	hits[0].first = true
	others := limit - slice.Count(hits, func(h Hit) bool { return h.first })
	kept := slices.DeleteFunc(hits, func(h Hit) bool {
		if h.first {
			return false
		}
		others--
		return others < 0
	})
	return kept[:min(limit, len(kept))]
}
