package linediff

import "slices"

// span is a part of both sides, by indexes into the kept lines (few).
type span struct{ a0, a1, b0, b1 int }

// compare marks the changed lines of a span. It splits the span at the middle of a shortest path and
// continues with both halves.
func (d *Differ) compare(s span) {
	for {
		for s.a0 < s.a1 && s.b0 < s.b1 && d.a.few[s.a0] == d.b.few[s.b0] {
			s.a0, s.b0 = s.a0+1, s.b0+1
		}
		for s.a0 < s.a1 && s.b0 < s.b1 && d.a.few[s.a1-1] == d.b.few[s.b1-1] {
			s.a1, s.b1 = s.a1-1, s.b1-1
		}
		if s.a0 == s.a1 || s.b0 == s.b1 || d.budget <= 0 {
			d.replace(s)
			return
		}
		x, y := d.middle(s)
		d.compare(span{s.a0, s.a0 + x, s.b0, s.b0 + y})
		s.a0, s.b0 = s.a0+x, s.b0+y
	}
}

func (d *Differ) replace(s span) {
	for _, at := range d.a.at[s.a0:s.a1] {
		d.a.changed[at] = true
	}
	for _, at := range d.b.at[s.b0:s.b1] {
		d.b.changed[at] = true
	}
}

// frontier is how far each diagonal k = x-y was reached in one direction. Index 0 is the diagonal below the
// lowest one.
type frontier struct {
	x    []int32
	zero int // index of diagonal 0
}

func (f frontier) at(k int) int { return int(f.x[f.zero+k]) }

// middle returns a point near the middle of a shortest path from one corner of the span to the other,
// relative to its start, and never a corner. Both sides must have lines, with different first lines and
// different last lines.
func (d *Differ) middle(s span) (x, y int) {
	a, b := d.a.few[s.a0:s.a1], d.b.few[s.b0:s.b1]
	n, m := len(a), len(b)
	d.forward, d.backward = slices.Grow(d.forward[:0], n+m+3)[:n+m+3], slices.Grow(d.backward[:0], n+m+3)[:n+m+3]
	fwd, bwd := frontier{d.forward, m + 1}, frontier{d.backward, m + 1}
	fwd.x[0], fwd.x[n+m+2] = -1, -1
	bwd.x[0], bwd.x[n+m+2] = int32(n+1), int32(n+1)
	delta := n - m
	for step := 0; ; step++ {
		if k, met := d.goForward(a, b, fwd, bwd, step, delta); met {
			return fwd.at(k), fwd.at(k) - k
		}
		if k, met := d.goBackward(a, b, fwd, bwd, step, delta); met {
			return bwd.at(k), bwd.at(k) - k
		}
		if step >= costCap || step > 0 && d.budget <= 0 {
			return furthest(fwd, bwd, n, m, step)
		}
	}
}

// goForward takes one more step from the start on every diagonal. It reports the diagonal on which it met the
// backward search, which is where the two meet first if the difference of lengths is odd.
func (d *Differ) goForward(a, b []int32, fwd, bwd frontier, step, delta int) (int, bool) {
	n, m := len(a), len(b)
	low, high := diagonals(step, m, n)
	for k := high; k >= low; k -= 2 { // downwards, like git
		x := 0
		switch {
		case step == 0:
		case k == -step || k != step && fwd.at(k-1) < fwd.at(k+1):
			x = fwd.at(k + 1)
		default:
			x = fwd.at(k-1) + 1
		}
		from := x
		for x < n && x-k < m && a[x] == b[x-k] {
			x++
		}
		fwd.x[fwd.zero+k] = int32(x)
		d.budget -= 1 + x - from
		if delta&1 != 0 && max(k-delta, delta-k) < step && x >= bwd.at(k) {
			return k, true
		}
	}
	return 0, false
}

// goBackward is goForward from the end.
func (d *Differ) goBackward(a, b []int32, fwd, bwd frontier, step, delta int) (int, bool) {
	n, m := len(a), len(b)
	low, high := diagonals(step, n, m)
	for k := high + delta; k >= low+delta; k -= 2 {
		x := n
		switch {
		case step == 0:
		case k == delta+step || k != delta-step && bwd.at(k-1) < bwd.at(k+1):
			x = bwd.at(k - 1)
		default:
			x = bwd.at(k+1) - 1
		}
		from := x
		for x > 0 && x-k > 0 && x <= n && x-k <= m && a[x-1] == b[x-k-1] {
			x--
		}
		bwd.x[bwd.zero+k] = int32(x)
		d.budget -= 1 + from - x
		if delta&1 == 0 && max(k, -k) <= step && x <= fwd.at(k) {
			return k, true
		}
	}
	return 0, false
}

// diagonals returns the lowest and the highest diagonal that a number of steps can reach within the span:
// below is the number of those under diagonal 0.
func diagonals(step, below, above int) (low, high int) {
	return -step + 2*max(0, step-below), step - 2*max(0, step-above)
}

// furthest gives up the search: it returns the point that is furthest from either corner, where the span is
// split.
func furthest(fwd, bwd frontier, n, m, step int) (x, y int) {
	best := 0
	low, high := diagonals(step, m, n)
	for k := low; k <= high; k += 2 {
		if fx := fwd.at(k); fx <= n && fx-k <= m && 2*fx-k > best {
			x, y, best = fx, fx-k, 2*fx-k
		}
	}
	low, high = diagonals(step, n, m)
	for k := low + n - m; k <= high+n-m; k += 2 {
		if bx := bwd.at(k); bx >= 0 && bx-k >= 0 && n+m-2*bx+k > best {
			x, y, best = bx, bx-k, n+m-2*bx+k
		}
	}
	return x, y
}
