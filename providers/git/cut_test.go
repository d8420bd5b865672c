package git_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gitmem/gitmem/providers/git"
)

// ending is a context that ends after a number of checks.
type ending struct{ left atomic.Int64 }

func (e *ending) Deadline() (time.Time, bool) { return time.Time{}, false }
func (e *ending) Done() <-chan struct{}       { return nil }
func (e *ending) Value(any) any               { return nil }
func (e *ending) Err() error {
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// If its context ends at any time, a walk either returns an error or has emitted everything: otherwise a
// caller would mistake the end of the walk for the end of the history and never see the rest.
func TestWalkTellsThatItWasCut(t *testing.T) {
	t.Parallel()
	const commits = 200
	var stream strings.Builder
	for n := range commits {
		fmt.Fprintf(&stream,
			"commit refs/heads/main\ncommitter A <a@b> %d +0000\ndata 1\nx\nM 644 inline f\ndata <<E\n%d\nE\n\n",
			1700000000+n, n)
	}
	dir, tips := importHistory(t, stream.String())
	r := open(t, dir)
	for asked := int64(0); ; asked++ {
		ctx := &ending{}
		ctx.left.Store(asked)
		n := 0
		var cut error
		for _, err := range r.Walk(ctx, tips, git.WalkOptions{Paths: true}) {
			if err != nil {
				cut = err
				break
			}
			n++
		}
		if cut == nil && n != commits {
			t.Fatalf("cut at question %d, it ends without an error after %d of %d commits", asked, n, commits)
		}
		if cut == nil {
			break
		}
	}
}
