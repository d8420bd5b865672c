package search

import "math"

// A session that was indexed at once is a line: its turns are consecutive rows, and the rows that add to a turn are
// adjacent. A session that gained or lost turns later is scored row by row, which takes longer.

// sparse is the maximum number of rows of a line for each posting. Scoring a line scans all of its rows, which costs
// less than random access to each row that a term adds to.
const sparse = 256

// line returns the rows between the first and the last to which any term of a group adds, and false if they are not a
// line.
func (s *scorer) line(group int32) (lo, hi int32, ok bool) {
	if !s.groups.isSession(group) || s.q.Weights.K1 <= 0 { // without K1, rows without any term would count
		return 0, 0, false
	}
	lo, hi = math.MaxInt32, 0
	held := int32(0)
	for n := s.groups.first[group]; n != 0; n = s.groups.stretches[n-1].next {
		at := &s.groups.stretches[n-1]
		rows := s.terms[at.term].rows
		lo, hi, held = min(lo, rows[at.from]), max(hi, rows[at.to-1]), held+at.to-at.from
	}
	if (hi-lo)/sparse > held {
		return 0, 0, false
	}
	for row := lo; row < hi; row++ {
		if s.cols.Next[row] != row+1 {
			return 0, 0, false
		}
	}
	before, first := s.adjacentRows(lo, -1, s.cols.Prev)
	after, last := s.adjacentRows(hi, 1, s.cols.Next)
	return before, after, first && last
}

// adjacentRows follows up to two links from a row, and reports whether these rows are adjacent.
func (s *scorer) adjacentRows(row, step int32, links []int32) (int32, bool) {
	for range 2 {
		next := links[row]
		if uint32(next) >= uint32(len(links)) {
			return row, true
		}
		if next != row+step {
			return row, false
		}
		row = next
	}
	return row, true
}

// scoreLine scores the rows lo to hi of a group that is a line, with two more unused positions at either end.
func (s *scorer) scoreLine(group, lo, hi int32, o offer) {
	n := hi - lo + 1
	s.lineTF, s.lineSum = sized(s.lineTF, int(n)+4), sized(s.lineSum, int(n)+4)
	for k := s.groups.first[group]; k != 0; {
		term, from, to := s.groups.stretches[k-1].term, n, int32(0)
		for ; k != 0 && s.groups.stretches[k-1].term == term; k = s.groups.stretches[k-1].next {
			at := &s.groups.stretches[k-1]
			s.spreadLine(at, lo)
			rows := s.terms[term].rows
			from, to = min(from, rows[at.from]-lo), max(to, rows[at.to-1]-lo+5)
		}
		saturateLine(s.lineTF[from:to], s.lineSum[from:to], s.terms[term].gain, s.q.Weights.K1)
	}
	for i, sum := range s.lineSum[2 : n+2] {
		if sum*o.scale >= o.best.floor() {
			o.row(lo+int32(i), sum)
		}
	}
	clear(s.lineSum)
}

// spreadLine adds the frequencies of a term to its rows and their neighbours.
func (s *scorer) spreadLine(at *stretch, lo int32) {
	t, w := &s.terms[at.term], &s.q.Weights
	for i := at.from; i < at.to; i++ {
		w.spreadFive(s.lineTF[t.rows[i]-lo:], t.tf[i])
	}
}

// spreadFive adds the frequency of the row in the middle to it and its neighbours.
func (w *Weights) spreadFive(five []float64, tf float64) {
	_ = five[4]
	five[0] += w.TwoAway * tf
	five[1] += w.After * tf
	five[2] += tf
	five[3] += w.Before * tf
	five[4] += w.TwoAway * tf
}

// saturateLine adds a term to the sums and clears it.
func saturateLine(heard, sum []float64, gain, k1 float64) {
	sum = sum[:len(heard)]
	for i, tf := range heard {
		sum[i] += gain * tf / (k1 + tf)
		heard[i] = 0
	}
}
