package search

import (
	"context"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// The weights of the legs relative to each other. The expanded leg finds everything that the direct one finds, and
// more: with equal weights its own hits would rank below all hits of both. The leg of a time counts as much as those of
// the words together.
const (
	weightDirect   = 1
	weightExpanded = 10
	// weightSummaries is small compared to the words: a summary points to a session, whose messages are ranked separately.
	weightSummaries = 0.2
)

// wordsWeight returns the total weight of the legs for the words of a query.
func wordsWeight(q Query) float64 {
	if q.Expanded == nil {
		return weightDirect
	}
	return weightDirect + weightExpanded
}

// summaries is the layer of the summaries of sessions.
const summaries = "summaries"

// minSummaryShare is the minimum share of a query that a summary must contain to count.
const minSummaryShare = 0.5

// Summaries returns the leg that searches the summaries of sessions. A session whose summary contains at least half of
// the query gives its rank to all of its messages. ok is false if no session has a summary.
func Summaries(snaps []*index.Snapshot, q Query) (Leg, bool) {
	some := make([]*index.Snapshot, len(snaps))
	ok := false
	for i, snap := range snaps {
		if snap == nil {
			continue
		}
		if _, has := snap.StringRef(summaries); has {
			some[i], ok = snap, true
		}
	}
	return Leg{Name: summaries, Weight: weightSummaries * wordsWeight(q), Sessions: true,
		Find: func(ctx context.Context, q Query) (Result, error) {
			shown := len(q.Layers) == 0 || slices.Contains(q.Layers, summaries)
			q.Layers = []string{summaries}
			res, err := ruled(ctx, some, q)
			res.Hits = slices.DeleteFunc(res.Hits, func(h Hit) bool { return h.Coverage < minSummaryShare })
			for i := range res.Hits {
				res.Hits[i].lead = !shown
			}
			return res, err
		}}, ok
}

// Guessing returns a leg for a search by similarity: its weight is a share of the words' weight, reduced by [trust].
func Guessing(leg Leg, q Query) Leg {
	leg.Guess = true
	leg.Weight *= wordsWeight(q)
	return leg
}

// candidates is the minimum number of best hits by words to which the rules are applied.
const candidates = 60

// ruled ranks by words and then by the rules. A query without words lists the newest,
// without rules.
func ruled(ctx context.Context, snaps []*index.Snapshot, q Query) (Result, error) {
	limit := q.Limit
	if len(q.Terms) > 0 {
		q.Limit = max(limit, candidates)
	}
	res, err := Run(ctx, snaps, q)
	if err == nil && len(q.Terms) > 0 {
		res.Hits = byRules(q.Features, res.Hits, limit)
	}
	return res, err
}

// Direct returns the leg that searches the words as typed.
func Direct(snaps []*index.Snapshot) Leg {
	return Leg{Name: "direct", Weight: weightDirect, Find: func(ctx context.Context, q Query) (Result, error) {
		return ruled(ctx, snaps, q)
	}}
}

// Expanded returns the leg that searches the words and their synonyms. ok is false for a query without synonyms.
func Expanded(snaps []*index.Snapshot, q Query) (Leg, bool) {
	return Leg{Name: "expanded", Weight: weightExpanded, Find: func(ctx context.Context, q Query) (Result, error) {
		q.Terms = q.Expanded
		return ruled(ctx, snaps, q)
	}}, q.Expanded != nil
}

// During returns the leg that searches the words within the time that the query names. In addition to [Direct] it
// prefers documents of that time and drops nothing: people err in dates, and mention things later than they happened.
// ok is false for a query that names no time, or is restricted to one.
func During(snaps []*index.Snapshot, q Query) (Leg, bool) {
	if q.Near.IsZero() || !q.Range.IsZero() {
		return Leg{}, false
	}
	near := withinRecords(snaps, q.Near)
	return Leg{Name: "during", Weight: wordsWeight(q), Find: func(ctx context.Context, q Query) (Result, error) {
		q.Range = near
		if q.Expanded != nil {
			q.Terms = q.Expanded
		}
		return ruled(ctx, snaps, q)
	}}, true
}

// withinRecords moves a month without a year back to the last one before the newest records.
func withinRecords(snaps []*index.Snapshot, r Range) Range {
	if !r.NoYear {
		return r
	}
	newest := int64(0)
	for _, snap := range snaps {
		if snap == nil {
			continue
		}
		for i := range snap.Rows() {
			newest = max(newest, snap.Unix(i))
		}
	}
	for newest > 0 && r.from().Unix() > newest {
		r = r.yearBack()
	}
	return r
}

// Restricts reports whether the words of a range exclude everything else.
func (r Range) Restricts() bool {
	first, _, _ := strings.Cut(strings.ToLower(r.Words), " ")
	return first == "since" || first == "until"
}
