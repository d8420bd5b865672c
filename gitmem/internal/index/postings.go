package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"

	"github.com/blevesearch/vellum"
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
			n += r.liveCount(s.t)
			return nil
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
		err := s.reading(ctx, f, func() (err error) {
			found, err = seg.postings(f, term, r)
			return err
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
		var all *vellum.MergeIterator
		err := s.reading(context.Background(), f, func() (err error) {
			all, err = s.terms(f, prefix)
			return err
		})
		for err == nil && all != nil {
			term := ""
			err = s.reading(context.Background(), f, func() error {
				t, _ := all.Current()
				term = string(t)
				err := all.Next()
				if errors.Is(err, vellum.ErrIteratorDone) {
					all, err = nil, nil
				}
				return err
			})
			if err == nil && !yield(term, nil) {
				return
			}
		}
		if err != nil {
			yield("", err)
		}
	}
}

// terms joins the dictionaries of all segments; nil without terms.
func (s *Snapshot) terms(f Field, prefix string) (*vellum.MergeIterator, error) {
	var each []vellum.Iterator
	for _, seg := range s.segments {
		fst, err := seg.dictionary(f)
		if err != nil {
			return nil, err
		}
		if fst == nil {
			continue
		}
		it, err := fst.Iterator([]byte(prefix), after(prefix))
		if errors.Is(err, vellum.ErrIteratorDone) {
			continue
		}
		if err != nil {
			return nil, err
		}
		each = append(each, it)
	}
	if len(each) == 0 {
		return nil, nil
	}
	all, err := vellum.NewMergeIterator(each, vellum.MergeMin)
	if errors.Is(err, vellum.ErrIteratorDone) {
		return nil, nil
	}
	return all, err
}

// after returns the first string after all that begin with prefix, nil for none.
func after(prefix string) []byte {
	b := []byte(prefix)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i]++; b[i] != 0 {
			return b[:i+1]
		}
	}
	return nil
}
