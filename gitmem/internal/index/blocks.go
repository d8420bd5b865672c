package index

import (
	"context"
)

// Block is a run of the postings of a term, in ascending order of rows. The
// slices are as long as each other and are valid only during the call that gets
// them.
type Block struct {
	Rows    []int32  // live rows whose field has the term
	Freqs   []uint32 // how often the term occurs there, at least 1
	Lengths []uint32 // how many terms the field has in all
}

// blockSize is the longest block.
const blockSize = 1024

// PostingBlocks is [Snapshot.Postings] by blocks, which is faster for long lists.
func (s *Snapshot) PostingBlocks(ctx context.Context, f Field, term string, visit func(Block)) error {
	var b Block
	err := s.Postings(ctx, f, term, func(row int32, freq, length int) {
		b.Rows = append(b.Rows, row)
		b.Freqs = append(b.Freqs, uint32(freq))
		b.Lengths = append(b.Lengths, uint32(length))
		if len(b.Rows) == blockSize {
			visit(b)
			b = Block{b.Rows[:0], b.Freqs[:0], b.Lengths[:0]}
		}
	})
	if err == nil && len(b.Rows) > 0 {
		visit(b)
	}
	return err
}

// DocFreq returns the number of live rows whose field has the term, without
// reading how often each has it.
func (s *Snapshot) DocFreq(ctx context.Context, f Field, term string) (int, error) {
	n := 0
	err := s.Postings(ctx, f, term, func(int32, int, int) { n++ })
	return n, err
}

// Columns are values of all rows, for those who read very many of them. The
// slices may lie in a mapped file: they are valid while the snapshot is, which
// runtime.KeepAlive can see to.
type Columns struct {
	Session []int32 // session number; -1: none
	Next    []int32 // the live row after it in its session; -1: none
	Prev    []int32 // the live row before it in its session; -1: none
}

// Columns returns values of all rows.
func (s *Snapshot) Columns() Columns {
	s.columnsOnce.Do(func() {
		n := s.Rows()
		c := Columns{make([]int32, n), make([]int32, n), make([]int32, n)}
		for i := range n {
			c.Session[i], c.Next[i], c.Prev[i] = s.SessionOf(i), s.Next(i), s.Prev(i)
		}
		s.columns = c
	})
	return s.columns
}
