package search

import (
	"context"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// The weights of the legs against each other. The expanded leg knows all that the
// direct one knows, and more: what it alone finds would stay behind everything that
// both find if their ranks counted alike. The leg of a time counts as much as those
// of the words together.
const (
	weightDirect   = 1
	weightExpanded = 10
	// weightSummaries is small beside the words: a summary says where to look, and
	// the messages there are ranked by themselves.
	weightSummaries = 0.2
)

// ofWords is what the legs for the words of a query weigh together.
func ofWords(q Query) float64 {
	if q.Expanded == nil {
		return weightDirect
	}
	return weightDirect + weightExpanded
}

// summaries is the layer of what sums up sessions.
const summaries = "summaries"

// enough is the share of a query that a summary must hold to lead anywhere.
const enough = 0.5

// Summaries is the leg that looks through what sums up sessions. A session whose
// summary holds at least half of the query gives its rank to all of its
// messages. ok is false where no session has a summary.
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
	return Leg{Name: summaries, Weight: weightSummaries * ofWords(q), Sessions: true, Find: func(ctx context.Context, q Query) (Result, error) {
		shown := len(q.Layers) == 0 || slices.Contains(q.Layers, summaries)
		q.Layers = []string{summaries}
		res, err := ruled(ctx, some, q)
		res.Hits = slices.DeleteFunc(res.Hits, func(h Hit) bool { return h.Coverage < enough })
		for i := range res.Hits {
			res.Hits[i].lead = !shown
		}
		return res, err
	}}, ok
}

// Guessing makes a leg of one that finds by likeness: what it weighs is its share of
// the words' weight, and it is believed as far as it agrees with them.
func Guessing(leg Leg, q Query) Leg {
	leg.Guess = true
	leg.Weight *= ofWords(q)
	return leg
}

// candidates is how many of the best by their words the rules choose from at least.
const candidates = 60

// ruled ranks by words and then by the rules. A query without words lists what is
// newest, where rules have no say.
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

// Direct is the leg that looks for the words as typed.
func Direct(snaps []*index.Snapshot) Leg {
	return Leg{Name: "direct", Weight: weightDirect, Find: func(ctx context.Context, q Query) (Result, error) {
		return ruled(ctx, snaps, q)
	}}
}

// Expanded is the leg that looks for the words and their synonyms. ok is false for a
// query without synonyms.
func Expanded(snaps []*index.Snapshot, q Query) (Leg, bool) {
	return Leg{Name: "expanded", Weight: weightExpanded, Find: func(ctx context.Context, q Query) (Result, error) {
		q.Terms = q.Expanded
		return ruled(ctx, snaps, q)
	}}, q.Expanded != nil
}

// During is the leg that looks for the words within the time that the query names.
// Beside [Direct] it prefers what is of that time and drops nothing: people
// err in dates, and tell of things later than they happened. ok is false for a
// query that names no time, or is bounded by one.
func During(snaps []*index.Snapshot, q Query) (Leg, bool) {
	if q.Near.IsZero() || !q.Range.IsZero() {
		return Leg{}, false
	}
	near := recorded(snaps, q.Near)
	return Leg{Name: "during", Weight: ofWords(q), Find: func(ctx context.Context, q Query) (Result, error) {
		q.Range = near
		if q.Expanded != nil {
			q.Terms = q.Expanded
		}
		return ruled(ctx, snaps, q)
	}}, true
}

// recorded moves a month that was named without its year back to the last one of
// which anything can be recorded.
func recorded(snaps []*index.Snapshot, r Range) Range {
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
