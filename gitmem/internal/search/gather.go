package search

import (
	"context"
	"math"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// postings are the rows that contain a term in any field, in ascending order.
type postings struct {
	rows []int32
	tf   []float64 // frequency: the sum over the fields, weighted and normalised by length
}

func (p *postings) clear() { p.rows, p.tf = p.rows[:0], p.tf[:0] }

// find returns the frequency of a row, 0 if it does not contain the term.
func (p *postings) find(row int32) float64 {
	i, ok := slices.BinarySearch(p.rows, row)
	if !ok {
		return 0
	}
	return p.tf[i]
}

// field contains the weighting of a field's frequencies: weight × frequency / (base + slope × length).
type field struct {
	name                index.Field
	weight, base, slope float64
	once                bool // a word counts once
}

// fields lists the weighted fields of a shard. BM25F divides each field's frequency by the field's own length before it
// sums and saturates them.
func (w Weights) fields(snap *index.Snapshot) []field {
	var out []field
	for _, f := range [...]field{
		{name: index.Text, weight: w.Text}, {name: index.Title, weight: w.Title},
		{name: index.Tool, weight: w.Tool}, {name: index.Paths, weight: w.Paths},
		{name: index.DiffTerms, weight: w.DiffTerms, once: true},
	} {
		if mean := snap.AverageLength(f.name); f.weight > 0 && mean > 0 {
			f.base, f.slope = 1-w.B, w.B/mean
			out = append(out, f)
		}
	}
	return out
}

// grow reserves space for more postings, once: reallocation costs more than the use of the
// postings.
func (p *postings) grow(more int) {
	p.rows, p.tf = slices.Grow(p.rows, more), slices.Grow(p.tf, more)
}

// add appends a block of a field's postings.
func (p *postings) add(b index.Block, f field) {
	n := len(p.tf)
	if cap(p.rows) < n+len(b.Rows) {
		p.grow(len(b.Rows) + b.More)
	}
	p.rows = append(p.rows, b.Rows...)
	p.tf = slices.Grow(p.tf, len(b.Rows))[:len(p.rows)]
	out := p.tf[n:]
	for i := range out {
		out[i] = f.weight * float64(b.Freqs[i]) / (f.base + f.slope*float64(b.Lengths[i]))
	}
	if f.once {
		for i := range out {
			out[i] /= float64(b.Freqs[i])
		}
	}
}

// mergeInto adds two lists.
func mergeInto(out, a, b *postings) {
	if most := len(a.rows) + len(b.rows); cap(out.rows) < most {
		out.grow(most)
	}
	i, k := 0, 0
	for i < len(a.rows) && k < len(b.rows) {
		switch row, other := a.rows[i], b.rows[k]; {
		case row < other:
			out.rows, out.tf = append(out.rows, row), append(out.tf, a.tf[i])
			i++
		case row > other:
			out.rows, out.tf = append(out.rows, other), append(out.tf, b.tf[k])
			k++
		default:
			out.rows, out.tf = append(out.rows, row), append(out.tf, a.tf[i]+b.tf[k])
			i, k = i+1, k+1
		}
	}
	out.rows, out.tf = append(out.rows, a.rows[i:]...), append(out.tf, a.tf[i:]...)
	out.rows, out.tf = append(out.rows, b.rows[k:]...), append(out.tf, b.tf[k:]...)
}

// gather reads the postings of all terms, and scores the sessions by them.
func (s *scorer) gather(ctx context.Context) error {
	fields := s.q.Weights.fields(s.snap)
	for i := range s.terms {
		t := &s.terms[i]
		t.docs = 0
		for _, f := range fields {
			s.field.clear()
			err := s.snap.PostingBlocks(ctx, f.name, s.q.Terms[i].Text, func(b index.Block) { s.field.add(b, f) })
			if err != nil {
				return err
			}
			if f.once {
				t.docs = len(t.rows)
			}
			s.take(&t.postings)
		}
		if t.docs == 0 {
			t.docs = len(t.rows)
		}
		s.releasePages(i, frugalTerms)
		t.idf = IDF(s.snap.Live(), t.docs)
		t.gain = t.idf * s.q.Terms[i].Weight
		s.divide(int32(i))
	}
	return nil
}

// take adds the postings of the field just read to those of the fields before.
func (s *scorer) take(p *postings) {
	switch {
	case len(s.field.rows) == 0:
	case len(p.rows) == 0:
		*p, s.field = s.field, *p
	default:
		s.merged.clear()
		mergeInto(&s.merged, p, &s.field)
		*p, s.merged = s.merged, *p
	}
}

// IDF returns the inverse document frequency of BM25 in the form that is never negative: ln(1 + (N - df + 0.5) / (df +
// 0.5)).
func IDF(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}
