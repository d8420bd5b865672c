package index

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
)

const (
	// A batch is what a worker inverts at a time: so many documents or bytes
	// of text.
	batchDocs  = 256
	batchBytes = 1 << 19
	// segmentBytes is the memory that the postings of a segment may take
	// while it is in the making. Then it is written, and the next one begun.
	segmentBytes = 256 << 20
	maxWorkers   = 4
)

// indexer turns documents into the postings of a segment. The caller deals
// batches to workers, each of which has postings of its own; they are joined
// when the segment is written.
type indexer struct {
	docs    uint32 // of the segment in the making
	batch   *batch
	text    int // bytes of the batch
	workers []*worker
	jobs    chan *batch
	pending sync.WaitGroup // batches that no worker has finished
	ended   sync.WaitGroup // workers
	bytes   atomic.Int64   // memory of all workers
	limit   int64          // of bytes, at which a segment is written
}

// batch is some documents and, when they are inverted, the lengths of their fields.
type batch struct {
	first   uint32
	docs    []Doc
	lengths [fields][]uint32
}

// worker inverts batches.
type worker struct {
	analyzer *analyzer
	pool     *slicePool
	fields   [fields + 1]*inverted
	bytes    int
	done     []*batch
}

// newIndexer starts the workers; close ends them.
func newIndexer(workers int, limit int64) *indexer {
	x := &indexer{batch: &batch{}, jobs: make(chan *batch, 1), limit: limit}
	for range max(1, min(workers, maxWorkers)) {
		w := &worker{analyzer: newAnalyzer()}
		w.clear()
		x.workers = append(x.workers, w)
		x.ended.Go(func() {
			for b := range x.jobs {
				before := w.bytes
				w.invert(b)
				x.bytes.Add(int64(w.bytes - before))
				x.pending.Done()
			}
		})
	}
	return x
}

// add takes the next document. It copies what the document says, and none of
// its text.
func (x *indexer) add(d *Doc) {
	x.batch.docs = append(x.batch.docs, *d)
	x.text += len(d.Text) + len(d.Substance)
	x.docs++
	if len(x.batch.docs) >= batchDocs || x.text >= batchBytes {
		x.deal()
	}
}

func (x *indexer) deal() {
	if len(x.batch.docs) == 0 {
		return
	}
	x.pending.Add(1)
	x.jobs <- x.batch
	x.batch, x.text = &batch{first: x.docs}, 0
}

// full tells whether the segment ought to be written.
func (x *indexer) full() bool { return x.bytes.Load() >= x.limit }

// drain waits until all documents are inverted and returns the lengths of their fields.
func (x *indexer) drain() *[fields][]uint32 {
	x.deal()
	x.pending.Wait()
	var done []*batch
	for _, w := range x.workers {
		done, w.done = append(done, w.done...), nil
	}
	slices.SortFunc(done, func(a, b *batch) int { return int(a.first) - int(b.first) })
	var lengths [fields][]uint32
	for _, b := range done {
		for f := range lengths {
			lengths[f] = append(lengths[f], b.lengths[f]...)
		}
	}
	return &lengths
}

// write writes the segment, after drain, and begins the next one.
func (x *indexer) write(out io.Writer) error {
	w := newSegmentWriter(out, int(x.docs))
	for place := range fields + 1 {
		if err := w.field(x.terms(place)); err != nil {
			return err
		}
	}
	if err := w.finish(); err != nil {
		return err
	}
	x.docs, x.batch = 0, &batch{}
	x.bytes.Store(0)
	for _, w := range x.workers {
		w.clear()
	}
	return nil
}

// terms joins the postings of all workers by term.
func (x *indexer) terms(place int) iter.Seq2[[]byte, *list] {
	type source struct {
		*inverted
		rest []*invertedTerm
	}
	return func(yield func([]byte, *list) bool) {
		var sources []source
		for _, w := range x.workers {
			sources = append(sources, source{w.fields[place], w.fields[place].sorted()})
		}
		var l, more list
		var raw []byte
		for {
			var least []byte
			for _, s := range sources {
				if len(s.rest) > 0 && (least == nil || bytes.Compare(s.term(s.rest[0]), least) < 0) {
					least = s.term(s.rest[0])
				}
			}
			if least == nil {
				return
			}
			l = list{l.docs[:0], l.freqs[:0]}
			for i := range sources {
				s := &sources[i]
				if len(s.rest) == 0 || !bytes.Equal(s.term(s.rest[0]), least) {
					continue
				}
				more = list{more.docs[:0], more.freqs[:0]}
				raw = s.read(s.rest[0], &more, raw)
				l.join(&more)
				s.rest = s.rest[1:]
			}
			if !yield(least, &l) {
				return
			}
		}
	}
}

// join adds the documents of another list, which are others.
func (l *list) join(more *list) {
	n, m := len(l.docs), len(more.docs)
	if n == 0 {
		*l, *more = *more, *l
		return
	}
	l.docs, l.freqs = append(l.docs, more.docs...), append(l.freqs, more.freqs...)
	for at := n + m - 1; n > 0 && m > 0; at-- { // from behind, in place
		if l.docs[n-1] > more.docs[m-1] {
			n--
			l.docs[at], l.freqs[at] = l.docs[n], l.freqs[n]
		} else {
			m--
			l.docs[at], l.freqs[at] = more.docs[m], more.freqs[m]
		}
	}
	copy(l.docs[:m], more.docs[:m])
	copy(l.freqs[:m], more.freqs[:m])
}

// close ends the workers. What is not written is dropped.
func (x *indexer) close() {
	close(x.jobs)
	x.ended.Wait()
}

func (w *worker) clear() {
	w.pool = newSlicePool()
	for i := range w.fields {
		w.fields[i] = newInverted(w.pool)
	}
	w.bytes = 0
}

// invert adds the terms of a batch and lets go of its texts.
func (w *worker) invert(b *batch) {
	for i := range b.docs {
		d, doc := &b.docs[i], b.first+uint32(i)
		for f := range b.lengths {
			n := uint32(0)
			switch f {
			case 0:
				n = w.scan(f, d.Text, doc)
			case 1:
				n = w.scan(f, d.Title, doc)
			case 2:
				n = w.scan(f, d.Tool, doc)
			case 3:
				for _, p := range d.Paths {
					n += w.scan(f, p, doc)
				}
			case 4:
				n = w.scan(f, d.Substance, doc)
			}
			b.lengths[f] = append(b.lengths[f], n)
		}
		if !d.Time.IsZero() {
			w.fields[fields].add(d.Time.UTC().AppendFormat(nil, "20060102"), doc)
		}
	}
	b.docs = nil
	w.done = append(w.done, b)
	w.bytes = w.pool.size()
	for _, v := range w.fields {
		w.bytes += v.bytes()
	}
}

func (w *worker) scan(field int, text string, doc uint32) (n uint32) {
	v := w.fields[field]
	w.analyzer.scan(text, func(term, _ []byte, _, _ int) {
		n++
		v.add(term, doc)
	})
	return n
}
