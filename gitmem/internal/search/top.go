package search

import "cmp"

// heap keeps its greatest item in front.
type heap[T any] struct {
	items []T
	order func(a, b T) int
}

func (h *heap[T]) push(item T) {
	h.items = append(h.items, item)
	i := len(h.items) - 1
	for up := (i - 1) / 2; i > 0 && h.order(h.items[up], h.items[i]) < 0; i, up = up, (up-1)/2 {
		h.items[up], h.items[i] = h.items[i], h.items[up]
	}
}

// replace replaces the greatest item.
func (h *heap[T]) replace(item T) {
	h.items[0] = item
	h.sink(0)
}

func (h *heap[T]) pop() T {
	out, last := h.items[0], len(h.items)-1
	h.items[0] = h.items[last]
	h.items = h.items[:last]
	h.sink(0)
	return out
}

// init makes a heap of the items.
func (h *heap[T]) init() {
	for i := len(h.items)/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
}

func (h *heap[T]) sink(i int) {
	for {
		big := i
		for _, child := range [2]int{2*i + 1, 2*i + 2} {
			if child < len(h.items) && h.order(h.items[big], h.items[child]) < 0 {
				big = child
			}
		}
		if big == i {
			return
		}
		h.items[i], h.items[big] = h.items[big], h.items[i]
		i = big
	}
}

// candidate is a row that may be among the best.
type candidate struct {
	row   int32
	id    string
	score float64
	raw   float64 // score before division and session
	share float64 // what its session adds
}

// behind sorts candidates from the worst to the best.
func behind(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id))
}

// top keeps the best candidates, the worst of them in front.
type top struct {
	heap  heap[candidate]
	limit int
}

// least is the score that a candidate must reach; -1: any.
func (t *top) least() float64 {
	if len(t.heap.items) < t.limit {
		return -1
	}
	return t.heap.items[0].score
}

// floor is a little below least: a bound is summed in another order than the score, and
// differs in its last bits.
func (t *top) floor() float64 { return t.least() - 1e-8 }

func (t *top) add(c candidate) {
	if len(t.heap.items) < t.limit {
		t.heap.push(c)
	} else if behind(c, t.heap.items[0]) < 0 {
		t.heap.replace(c)
	}
}
