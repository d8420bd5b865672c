package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/document"
)

const (
	// fullBatch is how many documents a full build turns into one segment
	// before all are merged: larger needs less time and more memory.
	fullBatch = 2000
	// stepBatch and stepTerms bound a batch of an incremental build.
	stepBatch = 4000
	stepTerms = 2 << 20
)

// engine writes the bleve index of a generation.
type engine interface {
	add(key string, a *analyzed) error
	remove(key string) error
	close() error
	// abort lets go of files after a failure; the result is thrown away.
	abort()
}

// guarded turns a panic of bleve into an error.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("bleve: %v", p)
		}
	}()
	return f()
}

// fullEngine builds one segment from nothing.
type fullEngine struct {
	dir     string // of the generation
	builder bleve.Builder
}

func newFullEngine(dir string) *fullEngine { return &fullEngine{dir: dir} }

func (e *fullEngine) add(key string, a *analyzed) error {
	return guarded(func() error {
		if e.builder == nil {
			var err error
			// Its scratch directory lies beside the result, which is renamed.
			e.builder, err = bleve.NewBuilder(filepath.Join(e.dir, bleveDir), newMapping(), map[string]any{
				"batchSize": fullBatch, "mergeMax": 100, "buildPathPrefix": e.dir,
			})
			if err != nil {
				return err
			}
		}
		return e.builder.Index(key, a)
	})
}

func (e *fullEngine) remove(string) error {
	return errors.New("a full build removes nothing")
}

// close finishes the segment. Without documents there is no bleve index: its
// builder can't make an empty one.
func (e *fullEngine) close() error {
	if e.builder == nil {
		return nil
	}
	return guarded(e.builder.Close)
}

// abort has nothing to do: the builder keeps no file open between calls.
func (e *fullEngine) abort() {}

// stepEngine changes a clone of an earlier index. It opens the clone only when
// there is something to change.
type stepEngine struct {
	src, dst string
	index    bleve.Index
	batch    *bleve.Batch
	ops      int
	terms    int
}

func newStepEngine(src, dst string) *stepEngine { return &stepEngine{src: src, dst: dst} }

func (e *stepEngine) open() error {
	if e.index != nil {
		return nil
	}
	if err := cloneBleve(e.src, e.dst); err != nil {
		return err
	}
	idx, r, err := openBleve(e.dst, false)
	if err != nil {
		return err
	}
	e.index, e.batch = idx, idx.NewBatch()
	return r.Close()
}

func (e *stepEngine) add(key string, a *analyzed) error {
	return e.do(func() error {
		d := document.NewDocument(key)
		a.addTo(d)
		for _, n := range a.tokens {
			e.terms += n
		}
		return e.batch.IndexAdvanced(d)
	})
}

func (e *stepEngine) remove(key string) error {
	return e.do(func() error {
		e.batch.Delete(key)
		return nil
	})
}

// do adds to the batch and applies it when it is large enough.
func (e *stepEngine) do(f func() error) error {
	if err := e.open(); err != nil {
		return err
	}
	if err := f(); err != nil {
		return err
	}
	if e.ops++; e.ops < stepBatch && e.terms < stepTerms {
		return nil
	}
	return e.flush()
}

func (e *stepEngine) flush() error {
	if e.ops == 0 {
		return nil
	}
	e.ops, e.terms = 0, 0
	return guarded(func() error {
		// A new batch each time: a goroutine of bleve's may still range over the old one.
		err := e.index.Batch(e.batch)
		e.batch = e.index.NewBatch()
		return err
	})
}

func (e *stepEngine) close() error {
	if e.index == nil {
		if _, err := os.Lstat(e.dst); err == nil {
			return nil
		}
		return cloneBleve(e.src, e.dst)
	}
	err := e.flush()
	idx := e.index
	e.index = nil
	return errors.Join(err, guarded(idx.Close))
}

func (e *stepEngine) abort() {
	if e.index != nil {
		_ = guarded(e.index.Close)
	}
}
