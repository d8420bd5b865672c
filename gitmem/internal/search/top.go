package search

import (
	"cmp"
	"slices"
)

// candidate is a row that may be among the best.
type candidate struct {
	row   int32
	id    string
	score float64
	raw   float64 // score before division and session
	share float64 // what its session adds
}

// bestFirst sorts candidates from the best to the worst.
func bestFirst(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id))
}

// top keeps the best candidates, best first.
type top struct {
	items []candidate
	limit int
}

// least returns the score that a candidate must reach; -1: any.
func (t *top) least() float64 {
	if len(t.items) < t.limit {
		return -1
	}
	return t.items[len(t.items)-1].score
}

// floor returns a value slightly below least: a bound is summed in another order than the score, and differs in its
// last bits.
func (t *top) floor() float64 { return t.least() - 1e-8 }

func (t *top) add(c candidate) {
	if at, _ := slices.BinarySearchFunc(t.items, c, bestFirst); at < t.limit {
		t.items = slices.Insert(t.items, at, c)
		t.items = t.items[:min(len(t.items), t.limit)]
	}
}
