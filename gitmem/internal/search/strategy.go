package search

import (
	"context"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// The weights of the legs against each other. Direct and during are sure of what
// they find: they hold the very words, the latter at the very time.
const (
	weightDirect = 1
	weightDuring = 1
)

// Direct is the leg that looks for the words as typed.
func Direct(snaps []*index.Snapshot) Leg {
	return Leg{Name: "direct", Weight: weightDirect, Find: func(ctx context.Context, q Query) (Result, error) {
		return Run(ctx, snaps, q)
	}}
}

// During is the leg that looks for the words within the time that the query names.
// Together with [Direct] it prefers what is of that time and drops nothing: people
// err in dates, and tell of things later than they happened. It tells false for a
// query that names no time, or bounds it anyway.
func During(snaps []*index.Snapshot, q Query) (Leg, bool) {
	if q.Near.IsZero() || !q.Range.IsZero() {
		return Leg{}, false
	}
	near := recorded(snaps, q.Near)
	return Leg{Name: "during", Weight: weightDuring, Find: func(ctx context.Context, q Query) (Result, error) {
		q.Range = near
		return Run(ctx, snaps, q)
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

// Restricts tells whether the words of a range leave no doubt that everything else
// is unwanted.
func (r Range) Restricts() bool {
	first, _, _ := strings.Cut(strings.ToLower(r.Words), " ")
	return first == "since" || first == "until"
}
