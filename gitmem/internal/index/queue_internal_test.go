package index

import (
	"errors"
	"testing"
)

// failing is an engine that fails at the second document.
type failing struct {
	seen    int
	aborted bool
	closed  bool
}

var errDisk = errors.New("disk full")

func (f *failing) add(string, *analyzed) error {
	if f.seen++; f.seen > 1 {
		return errDisk
	}
	return nil
}
func (f *failing) remove(string) error { return nil }
func (f *failing) close() error        { f.closed = true; return nil }
func (f *failing) abort()              { f.aborted = true }

func TestQueueReportsFailure(t *testing.T) {
	t.Parallel()
	f := &failing{}
	q := newQueued(f, 1)
	var err error
	for range 10 { // more than fit, so that it blocks unless told
		if err = q.add("k", nil); err != nil {
			break
		}
	}
	if !errors.Is(err, errDisk) {
		t.Errorf("add = %v", err)
	}
	if err := q.close(); !errors.Is(err, errDisk) || f.closed {
		t.Errorf("close = %v; engine closed: %v", err, f.closed)
	}
	if q.abort(); !f.aborted || f.seen != 2 {
		t.Errorf("aborted %v after %d documents", f.aborted, f.seen)
	}
}
