package index

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"runtime"
)

// Block is a run of the postings of a term, in ascending order of rows. The
// slices are as long as each other and are valid only during the call that gets
// them.
type Block struct {
	Rows    []int32  // live rows whose field has the term
	Freqs   []uint32 // how often the term occurs there, at least 1
	Lengths []uint32 // how many terms the field has in all
	// More is how many postings follow in the same list, dead rows' among them.
	More int
}

// blockSize is the longest block.
const blockSize = 1024

// Postings calls visit for each live row whose field has the term, in
// ascending order: how often the term occurs there, and how many terms the
// field has in all. The term must be one that Terms gives. The error is
// ErrClosed after Close, ErrCorrupt on damage, or the context's.
func (s *Snapshot) Postings(ctx context.Context, f Field, term string, visit func(row int32, freq, length int)) error {
	return s.PostingBlocks(ctx, f, term, func(b Block) {
		for i, row := range b.Rows {
			visit(row, int(b.Freqs[i]), int(b.Lengths[i]))
		}
	})
}

// PostingBlocks is [Snapshot.Postings] by blocks, which is faster for long lists.
func (s *Snapshot) PostingBlocks(ctx context.Context, f Field, term string, visit func(Block)) error {
	return s.eachList(ctx, f, term, func(r *postingsReader) error {
		for {
			var b Block
			err := s.reading(ctx, f, func() (err error) {
				b, err = r.next(s.t)
				return err
			})
			if err != nil || len(b.Rows) == 0 {
				return err
			}
			visit(b)
		}
	})
}

// DocFreq returns the number of live rows whose field has the term, without
// reading how often each has it. Its errors are those of Postings.
func (s *Snapshot) DocFreq(ctx context.Context, f Field, term string) (int, error) {
	n := 0
	err := s.eachList(ctx, f, term, func(r *postingsReader) error {
		return s.reading(ctx, f, func() error {
			more, err := r.liveCount(s.t)
			n += more
			return err
		})
	})
	return n, err
}

// eachList calls visit with the term's list in each segment that has it.
func (s *Snapshot) eachList(ctx context.Context, f Field, term string, visit func(*postingsReader) error) error {
	r, _ := s.readers.Get().(*postingsReader)
	if r == nil {
		r = newPostingsReader()
	}
	defer s.readers.Put(r)
	if len(s.segments) == 0 {
		return s.reading(ctx, f, func() error { return nil })
	}
	for _, seg := range s.segments {
		found := false
		err := s.reading(ctx, f, func() error {
			found = seg.postings(f, term, r)
			return nil
		})
		if err == nil && found {
			err = visit(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// reading does something with mapped bytes, which stay while it does. What goes
// wrong then is damage.
func (s *Snapshot) reading(ctx context.Context, f Field, do func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return ErrClosed
	}
	if err := guarded(do); err != nil {
		return s.gen.condemn(fmt.Errorf("postings of %s: %w", f, err))
	}
	runtime.KeepAlive(s)
	return nil
}

// Terms yields the terms of a field that begin with prefix, in byte order. A
// term that only dead rows have stays until the next rebuild.
func (s *Snapshot) Terms(f Field, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		var all joinedTerms
		err := s.reading(context.Background(), f, func() error {
			for _, seg := range s.segments {
				all = append(all, seg.dicts[f.place()].seek([]byte(prefix)))
			}
			return nil
		})
		for err == nil {
			var term string
			ok := false
			err = s.reading(context.Background(), f, func() error {
				if least := all.least(); least != nil && bytes.HasPrefix(least, []byte(prefix)) {
					term, ok = string(least), true
					all.skip(term)
				}
				return nil
			})
			if err == nil && (!ok || !yield(term, nil)) {
				return
			}
		}
		yield("", err)
	}
}

// joinedTerms are the terms of several segments.
type joinedTerms []*termIterator

// least returns the first term in byte order, nil at the end.
func (j joinedTerms) least() (term []byte) {
	for _, it := range j {
		if !it.done && (term == nil || bytes.Compare(it.term, term) < 0) {
			term = it.term
		}
	}
	return term
}

// skip goes on behind a term.
func (j joinedTerms) skip(term string) {
	for _, it := range j {
		if !it.done && string(it.term) == term {
			it.advance()
		}
	}
}
