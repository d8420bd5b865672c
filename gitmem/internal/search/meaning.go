package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/gitmem/gitmem/internal/slice"
)

// Weight of a cosine relative to a score of the words, by layer; fitted on questions with known records.
const (
	ofMeaning     = 2
	ofTurnMeaning = 1
)

// Unrelated is the cosine below which a text is unrelated to a query: unrelated texts of one language mostly stay
// below. Alone is the minimum cosine of a hit that no word found.
const (
	Unrelated = 0.3
	Alone     = 0.36
)

// blend orders the hits of the words and those of a leg by meaning, which returned at most limit hits, by the sum of
// their scores. Without cosines the words' hits keep their order: the n-th has the n-th largest score. If the leg
// omitted hits, a missing one may have up to the least of its cosines, and gets that value.
func (res *Result) blend(meaning Result, leg Leg, limit int) {
	least := Unrelated
	if n := len(meaning.Hits); n > 0 && n >= limit {
		least = max(least, meaning.Hits[n-1].Score)
	}
	scores := slice.Map(res.Hits, func(h Hit) float64 { return h.Score })
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	res.AddMeaning(meaning.Hits, leg.Name)
	res.Hits = slices.DeleteFunc(res.Hits, func(h Hit) bool {
		return h.guess && len(h.Found) == 1 && h.Cosine > 0 && h.Cosine < Alone
	})
	for i := range res.Hits {
		h := &res.Hits[i]
		h.Fused = weightOf(*h) * (max(h.Cosine, least) - Unrelated)
		if i < len(scores) {
			h.Fused += scores[i]
		}
	}
	res.normalise()
	slices.SortFunc(res.Hits, byFused)
}

// AddMeaning sets the cosines of hits that a leg found, best first, and adds those that only it found, with score 0.
func (res *Result) AddMeaning(near []Hit, leg string) {
	at := map[hitKey]int{}
	for i, h := range res.Hits {
		at[hitKey{h.Shard, h.Row}] = i
	}
	for rank, h := range near {
		i, known := at[hitKey{h.Shard, h.Row}]
		if !known {
			i = len(res.Hits)
			res.Hits = append(res.Hits, Hit{Shard: h.Shard, Row: h.Row, Doc: h.Doc, guess: true})
		}
		hit := &res.Hits[i]
		hit.Cosine, hit.Item, hit.Found = h.Score, h.Item, append(hit.Found, Found{Leg: leg, Rank: rank + 1})
	}
}

// normalise divides the fused scores by the best.
func (res *Result) normalise() {
	best := 1e-9
	for _, h := range res.Hits {
		best = max(best, h.Fused)
	}
	for i := range res.Hits {
		h := &res.Hits[i]
		h.ranked, h.Fused = true, math.Round(h.Fused/best*1e9)/1e9
	}
}

// weightOf returns the weight of a hit's cosine: people repeat subjects in conversations, so that it is less
// informative there.
func weightOf(h Hit) float64 {
	if h.Doc.Layer == "transcripts" {
		return ofTurnMeaning
	}
	return ofMeaning
}
