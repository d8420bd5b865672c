package index

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleveindex "github.com/blevesearch/bleve_index_api"
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
)

// Block is a run of the postings of a term, in ascending order of rows. The slices have the same length and are valid
// only during the callback.
type Block struct {
	Rows    []int32  // live rows whose field has the term
	Freqs   []uint32 // number of occurrences of the term, at least 1
	Lengths []uint32 // number of terms in the field
	// More is the number of remaining postings in the same segment, including those of dead rows.
	More int
}

// blockSize is the maximum length of a block.
const blockSize = 1024

// Postings calls visit for each live row whose field has the term, in ascending order, with the number of occurrences
// and the number of terms in the field. The term must be one of those of Terms. The error is ErrClosed after Close,
// ErrCorrupt on damage, or the context's.
func (s *Snapshot) Postings(ctx context.Context, f Field, term string, visit func(row int32, freq, length int)) error {
	return s.PostingBlocks(ctx, f, term, func(b Block) {
		for i, row := range b.Rows {
			visit(row, int(b.Freqs[i]), int(b.Lengths[i]))
		}
	})
}

// PostingBlocks is like [Snapshot.Postings] but passes blocks, which is faster for long lists.
func (s *Snapshot) PostingBlocks(ctx context.Context, f Field, term string, visit func(Block)) error {
	if err := s.acquire(); err != nil {
		return err
	}
	defer s.release()
	r := s.reader()
	defer s.unused.Put(r)
	if len(s.groups) == 0 {
		return s.readMapped(ctx, f, func() error { return nil })
	}
	for _, g := range s.groups {
		r.clear()
		for i := range g.segments {
			found := false
			err := s.readMapped(ctx, f, func() (err error) {
				found, err = r.open(&g.segments[i], f, term)
				return err
			})
			for more := found; more && err == nil; {
				err = s.readMapped(ctx, f, func() (err error) {
					more, err = r.read(s.t)
					return err
				})
				if err == nil && g.ascending {
					r.passBlock(s.t, f, visit)
				}
			}
			if err != nil {
				return err
			}
		}
		slices.SortFunc(r.found, func(a, b posting) int { return cmp.Compare(a.row, b.row) })
		r.passBlock(s.t, f, visit)
	}
	return nil
}

// DocFreq returns the number of live rows whose field has the term, without reading the frequencies. Its errors are
// those of Postings.
func (s *Snapshot) DocFreq(ctx context.Context, f Field, term string) (int, error) {
	if err := s.acquire(); err != nil {
		return 0, err
	}
	defer s.release()
	r := s.reader()
	defer s.unused.Put(r)
	n := 0
	for _, g := range s.groups {
		for i := range g.segments {
			err := s.readMapped(ctx, f, func() error {
				more, err := r.count(&g.segments[i], s.t, f, term)
				n += more
				return err
			})
			if err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

// posting is a row that has a term.
type posting struct {
	row  int32
	freq uint32
}

// postingsReader reads the lists of a term in one segment after another. It is reused.
type postingsReader struct {
	seg   *textSegment
	list  segmentapi.PostingsList
	it    segmentapi.PostingsIterator
	begun bool // it iterates over list
	left  int
	run   int // index in seg.runs
	found []posting
	block Block
}

func (s *Snapshot) reader() *postingsReader {
	if r, ok := s.unused.Get(); ok {
		return r
	}
	return &postingsReader{block: Block{
		Rows: make([]int32, 0, blockSize), Freqs: make([]uint32, 0, blockSize), Lengths: make([]uint32, 0, blockSize),
	}}
}

func (r *postingsReader) clear() { r.found = r.found[:0] }

// open opens a segment's list, and reports whether there is one.
func (r *postingsReader) open(seg *textSegment, f Field, term string) (bool, error) {
	dict, err := seg.seg.Segment().Dictionary(string(f))
	if err != nil || dict.Cardinality() == 0 { // a reused list does not support an empty one
		return false, err
	}
	if r.list, err = dict.PostingsList([]byte(term), nil, r.list); err != nil {
		return false, err
	}
	r.seg, r.run, r.begun, r.left = seg, 0, false, int(r.list.Count())
	return r.left > 0, nil
}

// read reads up to a block of live rows, and reports whether more may follow.
func (r *postingsReader) read(t *table) (more bool, err error) {
	if !r.begun {
		r.begun, r.it = true, r.list.Iterator(true, false, false, r.it)
	}
	skipDead := t.live < t.rows
	for n := 0; n < blockSize && r.left > 0; n++ {
		p, err := r.it.Next()
		if err != nil {
			return false, err
		}
		if p == nil {
			return false, fmt.Errorf("%w: a list ends before its end", ErrCorrupt)
		}
		r.left--
		if row, ok := r.rowOf(p.Number()); ok && !(skipDead && t.dead(int(row))) {
			r.found = append(r.found, posting{row, uint32(max(1, min(p.Frequency(), 1<<31-1)))})
		}
	}
	return r.left > 0, nil
}

// rowOf returns the row of a document; documents ascend.
func (r *postingsReader) rowOf(doc uint64) (int32, bool) {
	runs := r.seg.runs
	if len(runs) == 1 && r.seg.whole { // as after a build
		return int32(runs[0].row + uint32(doc)), true
	}
	for r.run < len(runs) && doc >= uint64(runs[r.run].doc)+uint64(runs[r.run].n) {
		r.run++
	}
	if r.run == len(runs) || doc < uint64(runs[r.run].doc) {
		return 0, false
	}
	return int32(runs[r.run].row + uint32(doc) - runs[r.run].doc), true
}

// passBlock passes the block to visit, with the lengths of the field.
func (r *postingsReader) passBlock(t *table, f Field, visit func(Block)) {
	for rest := r.found; len(rest) > 0; {
		n := min(len(rest), blockSize)
		b := Block{r.block.Rows[:n], r.block.Freqs[:n], r.block.Lengths[:n], len(rest) - n + r.left}
		for i, p := range rest[:n] {
			b.Rows[i], b.Freqs[i] = p.row, p.freq
		}
		t.lengths(f, b.Rows, b.Lengths)
		visit(b)
		rest = rest[n:]
	}
	r.clear()
}

// count returns the number of live rows that have a term in a segment.
func (r *postingsReader) count(seg *textSegment, t *table, f Field, term string) (int, error) {
	found, err := r.open(seg, f, term)
	if !found || err != nil {
		return 0, err
	}
	if t.live == t.rows && seg.whole {
		return r.left, nil
	}
	n := 0
	for more := true; more && err == nil; {
		r.clear()
		more, err = r.read(t)
		n += len(r.found)
	}
	return n, err
}

// readMapped calls do, which reads segments; its failure means damage. The caller keeps the files open.
func (s *Snapshot) readMapped(ctx context.Context, f Field, do func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := guarded(do); err != nil {
		return s.gen.markDamaged(fmt.Errorf("postings of %s: %w", f, err))
	}
	return nil
}

// Terms yields the terms of a field that begin with prefix, in byte order. A term that occurs only in dead rows remains
// until bleve merges its segment.
func (s *Snapshot) Terms(f Field, prefix string) iter.Seq2[string, error] {
	return s.eachTerm(f, nil, prefix)
}

// Near yields the terms of a field that begin with prefix and are at most edits edits, 1 or 2, from term, in byte
// order; a transposition is one edit.
func (s *Snapshot) Near(f Field, term string, edits int, prefix string) iter.Seq2[string, error] {
	// For an index without segments bleve returns the automaton and starts no goroutines: a panic in them due to a damaged
	// segment would end the process.
	_, a, err := new(scorch.IndexSnapshot).FieldDictFuzzyAutomaton(string(f), term, edits, prefix)
	near, ok := a.(segmentapi.Automaton)
	if err == nil && !ok {
		err = errBleve
	}
	if err != nil {
		return func(yield func(string, error) bool) { yield("", fmt.Errorf("terms near %q: %w", term, err)) }
	}
	return s.eachTerm(f, near, prefix)
}

func (s *Snapshot) eachTerm(f Field, a segmentapi.Automaton, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if err := s.acquire(); err != nil {
			yield("", err)
			return
		}
		defer s.release()
		var all mergedTerms
		// Without a context: the caller ends the iteration.
		err := s.readMapped(context.Background(), f, func() (err error) {
			all, err = s.joinTerms(f, a, prefix)
			return err
		})
		for err == nil {
			term, ok := "", false
			err = s.readMapped(context.Background(), f, func() (err error) { // as above
				term, ok, err = all.next()
				return err
			})
			if err == nil && (!ok || !yield(term, nil)) {
				return
			}
		}
		yield("", err)
	}
}

// mergedTerms merges the terms of several segments; each entry has the next term of its segment.
type mergedTerms []struct {
	it   segmentapi.DictionaryIterator
	term *bleveindex.DictEntry // nil at the end
}

func (s *Snapshot) joinTerms(f Field, a segmentapi.Automaton, prefix string) (all mergedTerms, err error) {
	from, to := []byte(prefix), []byte(prefix)
	for len(to) > 0 && to[len(to)-1] == 0xff {
		to = to[:len(to)-1]
	}
	if len(to) > 0 {
		to[len(to)-1]++
	} else {
		to = nil
	}
	for _, g := range s.groups {
		for i := range g.segments {
			dict, err := g.segments[i].seg.Segment().Dictionary(string(f))
			if err != nil {
				return nil, err
			}
			if d, ok := dict.(*zap.Dictionary); ok && d.Cardinality() > 0 {
				all = append(all, mergedTerms{{it: d.AutomatonIteratorOmitCount(a, from, to)}}...)
			}
		}
	}
	for i := range all {
		if all[i].term, err = all[i].it.Next(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// next returns the first term in byte order, and advances all segments that have it.
func (j mergedTerms) next() (term string, ok bool, err error) {
	for i := range j {
		if e := j[i].term; e != nil && (!ok || e.Term < term) {
			term, ok = e.Term, true
		}
	}
	for i := range j {
		if e := j[i].term; e != nil && e.Term == term && err == nil {
			j[i].term, err = j[i].it.Next()
		}
	}
	return term, ok, err
}
