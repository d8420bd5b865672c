package git

import (
	"context"
	"runtime"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	// aheadAfter is how many commits a walk compares itself before it starts a helper: a caller that reads only
	// the newest few does not pay for a goroutine.
	aheadAfter = 32
	// maxAhead limits the commits that are queued for comparison and not yet emitted.
	maxAhead = 256
	// cacheSize is the bytes in one generation of the helper's caches. Several helpers with a share of it each
	// use more CPU, because neighbouring commits share most trees and delta bases.
	cacheSize = 8 << 20
)

// compared is a commit with its changes, which the helper sets.
type compared struct {
	n      node
	before plumbing.Hash // tree of the only parent; without a parent zero, which means no files
	found
}

// lookahead compares the trees of commits in a goroutine while the walk continues, and emits the commits in
// their order. Only the comparisons run outside the caller's goroutine.
type lookahead struct {
	r      *Repository
	treeOf func(plumbing.Hash) (plumbing.Hash, error)
	emit   func(*node, found) (bool, error)
	whole  bool // diff terms are requested

	seen    int
	waiting int            // commits that are with the helper
	todo    chan *compared // nil without a helper
	done    chan *compared // closed when the helper ends
}

// visit adds the next commit. It may emit an earlier commit.
func (a *lookahead) visit(ctx context.Context, n *node) (bool, error) {
	c := newCompared(*n, a.treeOf)
	if a.seen++; a.todo == nil && (a.seen <= aheadAfter || runtime.GOMAXPROCS(0) == 1) {
		c.compare(ctx, a.r.comparer(a.whole))
		return a.emit(&c.n, c.found)
	}
	if a.todo == nil {
		a.todo, a.done = make(chan *compared, maxAhead), make(chan *compared, maxAhead)
		go help(ctx, newComparer(newTrees(a.r.objects.fork(cacheSize), cacheSize), a.whole, a.r.hide), a.todo, a.done)
	}
	a.todo <- c
	if a.waiting++; a.waiting < maxAhead {
		return true, nil
	}
	return a.receive()
}

// newCompared returns a commit to be compared; treeOf returns the tree of its parent.
func newCompared(n node, treeOf func(plumbing.Hash) (plumbing.Hash, error)) *compared {
	c := &compared{n: n}
	if len(n.raw.parents) == 1 {
		c.before, c.err = treeOf(n.raw.parents[0])
	}
	return c
}

// compare sets the changes; a merge has none.
func (c *compared) compare(ctx context.Context, with comparer) {
	if c.err == nil && len(c.n.raw.parents) < 2 {
		c.found = with(ctx, c.before, c.n.raw.tree)
	}
}

// help compares commits in their order. Both channels have capacity for all waiting commits.
func help(ctx context.Context, with comparer, todo <-chan *compared, done chan<- *compared) {
	defer close(done)
	for c := range todo {
		c.compare(ctx, with)
		done <- c
	}
}

// receive emits the oldest commit that is with the helper.
func (a *lookahead) receive() (bool, error) {
	c := <-a.done
	a.waiting--
	return a.emit(&c.n, c.found)
}

// flush emits the remaining commits.
func (a *lookahead) flush() error {
	for a.waiting > 0 {
		if more, err := a.receive(); err != nil || !more {
			return err
		}
	}
	return nil
}

// close waits until the helper, which reads the repository, has ended.
func (a *lookahead) close() {
	if a.todo == nil {
		return
	}
	close(a.todo)
	for range a.done {
		continue
	}
}
