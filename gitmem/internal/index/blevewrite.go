package index

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	bleveindex "github.com/blevesearch/bleve_index_api"
)

const (
	// batchDocs is the number of documents of a segment, and batchTerms that of their terms, counted once per document. A
	// batch ends at the first of them. Larger batches need more memory, smaller ones more time, since segments are merged.
	batchDocs, batchTerms = 5000, 500_000
	// floorDocs is the number of documents up to which segments count as equally small when bleve selects some to merge,
	// and tierSegments how many of a size it leaves.
	floorDocs, tierSegments = 1000, 4
	// mergeMost is the number of segments that a full build merges at a time.
	mergeMost = 100
	// idlePoll is how often a step checks whether bleve is idle.
	idlePoll = time.Millisecond
	// batchErrorWait is how long to wait for a batch's error after bleve has failed.
	batchErrorWait = 50 * time.Millisecond
)

// sizes contains the limits for creating and merging bleve's segments: see batchDocs, batchTerms and floorDocs.
type sizes struct{ docs, terms, floor int }

// bleveWriter writes the bleve index of a generation. It is for one goroutine.
type bleveWriter interface {
	add(*document.Document) error
	remove(serial uint32) error
	// close flushes the last batch, unless the index is discarded.
	close(keep bool) error
}

// fullWriter writes an index of one segment. bleve's builder counts only documents: the first ones determine the size
// of a batch, and if a batch would still have far too many terms, it continues with a stepWriter.
type fullWriter struct {
	dir     string // of the generation
	sizes   sizes
	first   []*document.Document
	builder *scorch.Builder
	docs    int // since the builder wrote the last segment
	terms   int // terms of those documents
	step    *stepWriter
}

func (w *fullWriter) add(d *document.Document) error {
	w.terms += termsOf(d)
	switch {
	case w.step != nil:
		return w.step.add(d)
	case w.builder == nil:
		if w.first = append(w.first, d); len(w.first) < w.sizes.docs && w.terms < w.sizes.terms {
			return nil
		}
		return w.begin()
	case w.terms > 2*w.sizes.terms:
		if err := guarded(w.builder.Close); err != nil {
			return err
		}
		w.step = &stepWriter{dir: filepath.Join(w.dir, bleveDir), sizes: w.sizes}
		return w.step.add(d)
	}
	return guarded(func() error { return w.give(d) })
}

// begin starts the builder with the documents so far.
func (w *fullWriter) begin() error {
	w.sizes.docs, w.terms = min(w.sizes.docs, len(w.first)), 0
	return guarded(func() (err error) {
		register()
		w.builder, err = scorch.NewBuilder(map[string]any{
			"path": filepath.Join(w.dir, bleveDir), "buildPathPrefix": w.dir, "batchSize": w.sizes.docs, "mergeMax": mergeMost,
		})
		for _, d := range w.first {
			if err == nil {
				err = w.give(d)
			}
		}
		w.first = nil
		return err
	})
}

func (w *fullWriter) give(d *document.Document) error {
	if w.docs++; w.docs == w.sizes.docs {
		w.docs, w.terms = 0, 0
	}
	return w.builder.Index(d)
}

// termsOf returns the number of terms in the fields of a document.
func termsOf(d *document.Document) (n int) {
	d.VisitFields(func(f bleveindex.Field) { n += len(f.AnalyzedTokenFrequencies()) })
	return n
}

func (w *fullWriter) remove(serial uint32) error {
	return fmt.Errorf("document %d is to leave an index that nothing was in", serial)
}

func (w *fullWriter) close(keep bool) error {
	switch {
	case w.step != nil:
		return w.step.close(keep)
	case !keep:
		return nil
	case len(w.first) > 0:
		if err := w.begin(); err != nil {
			return err
		}
	case w.builder == nil:
		return nil // without documents there is no index
	}
	return guarded(w.builder.Close)
}

// stepWriter changes a copy of an earlier index, created at the first change.
type stepWriter struct {
	dir     string // of the index
	sizes   sizes
	queue   *bleveindex.AnalysisQueue
	scorch  *scorch.Scorch
	next    *bleveindex.Batch
	pending int // documents in it
	terms   int // terms of those documents
}

func (w *stepWriter) add(d *document.Document) error {
	return w.change(termsOf(d), func() { w.next.Update(d) })
}

func (w *stepWriter) remove(serial uint32) error {
	return w.change(0, func() { w.next.Delete(bleveID(serial)) })
}

func (w *stepWriter) change(terms int, do func()) (err error) {
	if w.scorch == nil {
		w.queue, w.next = bleveindex.NewAnalysisQueue(1), bleveindex.NewBatch()
		if w.scorch, err = openBleve(w.dir, w.queue, w.sizes.floor); err != nil {
			w.queue.Close()
			return err
		}
	}
	do()
	w.terms += terms
	if w.pending++; w.pending < w.sizes.docs && w.terms < w.sizes.terms {
		return nil
	}
	return w.flush()
}

func (w *stepWriter) flush() error {
	batch := w.next
	w.next, w.pending, w.terms = bleveindex.NewBatch(), 0, 0
	done := make(chan error, 1)
	go func() { done <- guarded(func() error { return w.scorch.Batch(batch) }) }()
	err := w.wait(func() (bool, error) {
		select {
		case err := <-done:
			return true, err
		default:
			return false, nil
		}
	})
	if errors.Is(err, errBackground) { // the batch may report the reason
		select {
		case why := <-done:
			err = cmp.Or(why, err)
		case <-time.After(batchErrorWait):
		}
	}
	return err
}

// wait waits until ended returns true, or one of bleve's own goroutines has failed, since the expected event would then
// never come.
func (w *stepWriter) wait(ended func() (bool, error)) error {
	poll := time.NewTicker(idlePoll)
	defer poll.Stop()
	for {
		if done, err := ended(); done {
			return err
		}
		if atomic.LoadUint64(&w.stats().TotOnErrors) > 0 {
			return errBackground
		}
		<-poll.C
	}
}

// errBackground means that merging or writing failed within bleve, which reports no cause.
var errBackground = errors.New("bleve could not write or merge its segments")

func (w *stepWriter) stats() *scorch.Stats { return w.scorch.Stats().(*scorch.Stats) }

// close waits for pending merges, otherwise each step would leave one more segment.
func (w *stepWriter) close(keep bool) (err error) {
	if w.scorch == nil {
		return nil
	}
	if keep {
		err = w.flush()
	}
	if err == nil && keep {
		err = w.wait(func() (bool, error) {
			s := w.stats()
			root := atomic.LoadUint64(&s.CurRootEpoch)
			return root == atomic.LoadUint64(&s.LastMergedEpoch) && root == atomic.LoadUint64(&s.LastPersistedEpoch), nil
		})
	}
	err = errors.Join(err, guarded(w.scorch.Close))
	w.queue.Close()
	return err
}

// cloneBleve copies the bleve index of the previous generation. Segments become hard links; only the list of them,
// which is changed in place, is copied.
func (b *build) cloneBleve() error {
	entries, err := os.ReadDir(b.base.path(bleveDir))
	if err != nil {
		return err
	}
	if err := os.Mkdir(b.gen.path(bleveDir), 0o700); err != nil {
		return err
	}
	for _, e := range entries {
		name := filepath.Join(bleveDir, e.Name())
		if filepath.Ext(name) == segmentExt {
			err = b.linkFile(name)
		} else {
			err = copyFile(b.base.path(name), b.gen.path(name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// segmentExt is the extension of bleve's segments.
const segmentExt = ".zap"
