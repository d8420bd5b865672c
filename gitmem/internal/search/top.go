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

// behind orders candidates from the best to the worst.
func behind(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id))
}

// top keeps the best candidates.
type top struct {
	items []candidate
	limit int
	least float64 // score that a candidate has to reach
}

func (t *top) add(c candidate) {
	if t.items = append(t.items, c); len(t.items) >= 2*t.limit {
		t.cut()
	}
}

// cut keeps what is among the best and orders it, the best first.
func (t *top) cut() {
	slices.SortFunc(t.items, behind)
	if len(t.items) >= t.limit {
		t.items = t.items[:t.limit]
		t.least = t.items[t.limit-1].score
	}
}
