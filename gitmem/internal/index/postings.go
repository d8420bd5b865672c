package index

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"

	bleveindex "github.com/blevesearch/bleve_index_api"
)

// posting is one row that has a term.
type posting struct {
	row    uint32
	freq   uint32
	length uint32
}

// Postings calls visit for each live row whose field has the term, in
// ascending order: how often the term occurs there, and how many terms the
// field has in all. The term must be one that Terms gives. The error is
// ErrClosed after Close, ErrCorrupt on damage, or the context's.
func (s *Snapshot) Postings(ctx context.Context, f Field, term string, visit func(row int32, freq int, length int)) error {
	list, _ := s.lists.Get().(*[]posting)
	if list == nil {
		list = new([]posting)
	}
	defer s.lists.Put(list)
	var err error
	if *list, err = s.collect(ctx, f, term, (*list)[:0]); err != nil {
		return err
	}
	sortPostings(*list)
	for _, p := range *list {
		visit(int32(p.row), int(p.freq), int(p.length))
	}
	return nil
}

// collect reads a postings list. Within bleve rows are in no order: it takes
// the documents of a batch as a map.
func (s *Snapshot) collect(ctx context.Context, f Field, term string, list []posting) (out []posting, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return list, ErrClosed
	}
	if s.index == nil {
		return list, nil
	}
	defer s.guard(&err)
	r, err := s.reader.TermFieldReader(ctx, []byte(term), string(f), true, true, false)
	if err != nil {
		return list, s.gen.condemn(fmt.Errorf("postings of %s: %w", f, err))
	}
	defer r.Close()
	doc, total := bleveindex.TermFieldDoc{}, s.docs.count()
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return list, ctx.Err()
		}
		next, err := r.Next(doc.Reset())
		if err != nil {
			return list, s.gen.condemn(fmt.Errorf("postings of %s: %w", f, err))
		}
		if next == nil {
			return list, nil
		}
		number := doc.ID.Value()
		if number >= uint64(total) {
			return list, s.gen.condemn(fmt.Errorf("document %d of %d", number, total))
		}
		row := s.docs.rows.at(int(number))
		if row < uint64(s.t.rows) && !s.t.dead(int(row)) {
			list = append(list, posting{uint32(row), uint32(max(doc.Freq, 1)), lengthOf(doc.Norm)})
		}
	}
}

// lengthOf undoes bleve's norm, 1/sqrt(length); exact below some millions.
func lengthOf(norm float64) uint32 {
	if !(norm > 0) {
		return 1
	}
	return uint32(min(math.Round(1/(norm*norm)), math.MaxInt32))
}

// guard turns a panic over damaged bytes into an error and condemns the
// generation for it.
func (s *Snapshot) guard(err *error) {
	if p := recover(); p != nil {
		*err = s.gen.condemn(fmt.Errorf("%w: bleve: %v", ErrCorrupt, p))
	}
	runtime.KeepAlive(s)
}

// sortPostings sorts by row: short lists by comparing, long ones by radix in
// two or three passes.
func sortPostings(list []posting) {
	byRow := func(a, b posting) int { return cmp.Compare(a.row, b.row) }
	if slices.IsSortedFunc(list, byRow) {
		return
	}
	if len(list) < 512 {
		slices.SortFunc(list, byRow)
		return
	}
	const bits = 11
	highest := slices.MaxFunc(list, byRow).row
	from, to := list, make([]posting, len(list))
	passes := 0
	for shift := 0; shift < 32 && highest>>shift > 0; shift += bits {
		var at [1<<bits + 1]int
		for _, p := range from {
			at[p.row>>shift&(1<<bits-1)+1]++
		}
		for i := 1; i < len(at); i++ {
			at[i] += at[i-1]
		}
		for _, p := range from {
			digit := p.row >> shift & (1<<bits - 1)
			to[at[digit]] = p
			at[digit]++
		}
		from, to = to, from
		passes++
	}
	if passes%2 == 1 {
		copy(list, from)
	}
}

// Terms yields the terms of a field that begin with prefix, in byte order. A
// term that only dead rows have stays until the next rebuild.
func (s *Snapshot) Terms(f Field, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		s.mu.RLock()
		defer s.mu.RUnlock()
		if s.closed {
			yield("", ErrClosed)
			return
		}
		if s.index == nil {
			return
		}
		var d bleveindex.FieldDict
		err := guarded(func() (err error) {
			d, err = s.reader.FieldDictPrefix(string(f), []byte(prefix))
			return err
		})
		if err != nil {
			yield("", s.gen.condemn(fmt.Errorf("terms of %s: %w", f, err)))
			return
		}
		defer d.Close()
		for {
			e, err := nextTerm(d)
			if err != nil {
				yield("", s.gen.condemn(fmt.Errorf("terms of %s: %w", f, err)))
				return
			}
			if e == nil || !yield(e.Term, nil) {
				return
			}
		}
	}
}

// nextTerm is d.Next with a panic turned into an error; a panic of the
// consumer passes.
func nextTerm(d bleveindex.FieldDict) (e *bleveindex.DictEntry, err error) {
	err = guarded(func() (err error) {
		e, err = d.Next()
		return err
	})
	return e, err
}
