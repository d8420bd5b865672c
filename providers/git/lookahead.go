package git

import (
	"context"
	"runtime"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	// aheadAfter is how many commits a walk compares by itself before it lets others
	// help: a caller of the newest few does not pay for goroutines.
	aheadAfter = 32
	// chunkSize is how many commits in a row one helper compares. Neighbours share
	// most of their trees.
	chunkSize = 128
	// maxHelpers bounds the helpers, which share out cacheSize, the bytes in one
	// generation of each of their caches. With two helpers the history of git itself
	// (82,000 commits) is walked in a heap of 100 MB.
	maxHelpers = 3
	cacheSize  = 8 << 20
	// maxReaders bounds the helpers where each reads the contents of files, too. One
	// with a large cache takes a sixth less CPU than two with small ones, whose heap
	// was larger, too: neighbours share most of what their contents are deltas of.
	maxReaders = 1
)

// compared is a commit with what it changes, which a helper fills in.
type compared struct {
	n      node
	before plumbing.Hash // tree of the parent
	found
}

// chunk is some commits in a row; done is closed when all are compared.
type chunk struct {
	commits []compared
	done    chan struct{}
}

// lookahead compares the trees of commits in goroutines while the walk goes on, and
// hands the commits out in their order. Everything but comparing happens in the
// caller's goroutine.
type lookahead struct {
	r      *Repository
	treeOf func(plumbing.Hash) (plumbing.Hash, error)
	emit   func(*node, found) (bool, error)
	whole  bool // substance is asked for

	seen    int
	helpers int
	next    []compared // is being filled
	waiting []*chunk
	free    chan comparer // of the helpers
	work    sync.WaitGroup
}

func newLookahead(r *Repository, treeOf func(plumbing.Hash) (plumbing.Hash, error), whole bool, emit func(*node, found) (bool, error)) *lookahead {
	a := &lookahead{r: r, treeOf: treeOf, emit: emit, whole: whole}
	if n := runtime.GOMAXPROCS(0); n > 1 {
		a.helpers = min(n, maxHelpers)
	}
	if whole {
		a.helpers = min(a.helpers, maxReaders)
	}
	return a
}

// visit takes the next commit. Some commit that came before may be handed out.
func (a *lookahead) visit(ctx context.Context, n *node) (bool, error) {
	c := compared{n: *n}
	if len(n.raw.parents) < 2 { // a merge is not compared
		c.before, c.err = treeBefore(n.raw, a.treeOf)
	}
	if a.seen++; a.seen <= aheadAfter || a.helpers == 0 {
		c.compare(ctx, a.r.comparer(a.whole))
		return a.emit(&c.n, c.found)
	}
	a.next = append(a.next, c)
	if len(a.next) < chunkSize {
		return true, nil
	}
	a.send(ctx)
	if len(a.waiting) <= 2*a.helpers {
		return true, nil
	}
	return a.receive()
}

func (c *compared) compare(ctx context.Context, with comparer) {
	if c.err == nil && len(c.n.raw.parents) < 2 {
		c.found = with(ctx, c.before, c.n.raw.tree)
	}
}

// send gives the chunk that is full to the next free helper.
func (a *lookahead) send(ctx context.Context) {
	if a.free == nil {
		a.free = make(chan comparer, a.helpers)
		for range a.helpers {
			a.free <- newComparer(newTrees(a.r.objects.fork(cacheSize/a.helpers), cacheSize/a.helpers), a.whole, a.r.hide)
		}
	}
	c := &chunk{commits: a.next, done: make(chan struct{})}
	a.next = make([]compared, 0, chunkSize)
	a.waiting = append(a.waiting, c)
	a.work.Go(func() {
		with := <-a.free
		for i := range c.commits {
			c.commits[i].compare(ctx, with)
		}
		a.free <- with
		close(c.done)
	})
}

// receive hands out the oldest chunk.
func (a *lookahead) receive() (bool, error) {
	c := a.waiting[0]
	a.waiting = a.waiting[1:]
	<-c.done
	for i := range c.commits {
		if more, err := a.emit(&c.commits[i].n, c.commits[i].found); err != nil || !more {
			return more, err
		}
	}
	return true, nil
}

// flush hands out what is left.
func (a *lookahead) flush(ctx context.Context) error {
	if len(a.next) > 0 {
		a.send(ctx)
	}
	for len(a.waiting) > 0 {
		if more, err := a.receive(); err != nil || !more {
			return err
		}
	}
	return nil
}
