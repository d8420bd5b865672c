package search

import (
	"cmp"
	"math"
	"slices"
)

// What a cosine counts against a score of the words, by layer; fitted on questions whose records
// are known.
const (
	ofMeaning     = 2
	ofTurnMeaning = 1
)

// Unrelated is the cosine below which a text has nothing to do with a query: texts of one
// language that have none in common mostly stay below.
const Unrelated = 0.3

// blend orders the hits of the words and those of a leg by meaning by the sum of their scores.
// The words' hits keep their order among themselves: the n-th has the n-th largest score. What
// the leg did not return has at most the least of its cosines, and gets that.
func (res *Result) blend(meaning Result, leg Leg) {
	least := Unrelated
	if n := len(meaning.Hits); n > 0 {
		least = max(least, meaning.Hits[n-1].Score)
	}
	scores := make([]float64, len(res.Hits))
	at := map[hitKey]int{}
	for i, h := range res.Hits {
		scores[i], at[hitKey{h.Shard, h.Row}] = h.Score, i
	}
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	for i := range res.Hits {
		res.Hits[i].Fused = scores[i] + weightOf(res.Hits[i])*(least-Unrelated)
	}
	for rank, h := range meaning.Hits {
		i, known := at[hitKey{h.Shard, h.Row}]
		if !known {
			i = len(res.Hits)
			found := Hit{Shard: h.Shard, Row: h.Row, Doc: h.Doc, guess: true}
			found.Fused = weightOf(h) * (least - Unrelated)
			res.Hits = append(res.Hits, found)
		}
		hit := &res.Hits[i]
		hit.Cosine = h.Score
		hit.Fused += weightOf(h) * (h.Score - least)
		hit.Found = append(hit.Found, Found{Leg: leg.Name, Rank: rank + 1})
	}
	res.normalise()
	slices.SortFunc(res.Hits, byFused)
}

// normalise makes the fused scores shares of the best.
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

// weightOf is what the cosine of a hit counts: people speak of the same things again, so that in
// conversations it tells less.
func weightOf(h Hit) float64 {
	if h.Doc.Layer == "transcripts" {
		return ofTurnMeaning
	}
	return ofMeaning
}
