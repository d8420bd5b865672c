package git

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// WalkOptions selects the commits of a walk and the fields that it sets.
type WalkOptions struct {
	// Not lists revisions whose history is left out, as in "git log tips --not …". All commits are then found
	// before the first one is yielded. If clocks are badly wrong, a commit of that history may be yielded; no
	// other commit is ever left out.
	Not []string
	// Paths sets Commit.Changes.
	Paths bool
	// DiffTerms sets Commit.Changes and Commit.DiffTerms, which needs the contents of all changed files and
	// costs many times as much.
	DiffTerms bool
}

// Walk yields the commits reachable from tips, each once, newest first by committer time; a child comes
// before its parents unless a clock was wrong. Tips are 40 hex digits or anything else that
// [Repository.Resolve] accepts.
//
// A commit whose object is missing or damaged is left out, together with the commits that are only reachable
// through it, and is listed by [Repository.Skipped]. The walk ends at the first error: a tip that does not
// resolve, packs that can't be read at all, or the end of ctx. The error comes with an empty commit.
func (r *Repository) Walk(ctx context.Context, tips []string, o WalkOptions) iter.Seq2[Commit, error] {
	return func(yield func(Commit, error) bool) {
		mm, ended := r.Mailmap(), false
		emit := func(n *node, f found) (bool, error) {
			c := r.present(n.id, n.raw, mm)
			if err := r.setChanges(&c, f); err != nil {
				return false, err
			}
			ended = !yield(c, nil)
			return !ended, nil
		}
		if err := r.walk(ctx, tips, o, emit); err != nil && !ended {
			yield(Commit{}, err)
		}
	}
}

// walk calls emit for every commit, with its changes if requested.
func (r *Repository) walk(ctx context.Context, tips []string, o WalkOptions,
	emit func(*node, found) (bool, error)) error {
	w := newWalker(r)
	if !o.Paths && !o.DiffTerms {
		return w.run(ctx, tips, o.Not, func(n *node) (bool, error) { return emit(n, found{}) })
	}
	inner, stop := context.WithCancel(ctx)
	a := &lookahead{r: r, treeOf: w.treeOf, emit: emit, whole: o.DiffTerms}
	defer a.close()
	defer stop()
	stopped := false
	err := w.run(ctx, tips, o.Not, func(n *node) (bool, error) {
		more, err := a.visit(inner, n)
		stopped = stopped || !more
		return more, err
	})
	if stopped {
		return err
	}
	if err := ctx.Err(); err != nil { // even after the last commit: others wait to be emitted
		return err
	}
	return errors.Join(a.flush(), err)
}

// newest is a heap of elements that belong to commits, newest first. Elements of the same time leave it in
// the order of insertion, as in git.
type newest[T interface {
	age() (seconds int64, order int)
}] []T

func (q newest[T]) Len() int { return len(q) }
func (q newest[T]) Less(i, j int) bool {
	a, n := q[i].age()
	b, m := q[j].age()
	return a > b || a == b && n < m
}
func (q newest[T]) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *newest[T]) Push(x any)   { *q = append(*q, x.(T)) }
func (q *newest[T]) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = slices.Delete(*q, last, last+1)
	return x
}

// node is a commit that a walk met, and whether it is reachable from the tips, from those that are left out,
// or both.
type node struct {
	id           plumbing.Hash
	tree         plumbing.Hash
	raw          *rawCommit // nil if it was not read or was visited already
	order        int
	isNew, isOld bool
	queued       bool
}

func (n *node) age() (int64, int) { return n.when(), n.order }

func (n *node) when() int64 { return n.raw.committer.seconds }

// walker visits commits in order.
type walker struct {
	r     *Repository
	met   map[plumbing.Hash]*node
	queue newest[*node]
	open  int // queued commits that are new and not old
	brief bool
}

func newWalker(r *Repository) *walker {
	return &walker{r: r, met: map[plumbing.Hash]*node{}}
}

// newBriefWalker returns a walker that only reads the metadata of commits, once each.
func newBriefWalker(r *Repository) *walker {
	w := newWalker(r)
	w.brief = true
	return w
}

// run calls visit for every commit that is reachable from tips and not from not, until visit returns false or
// an error.
func (w *walker) run(ctx context.Context, tips, not []string, visit func(*node) (bool, error)) error {
	ids, err := w.r.resolveAll(tips)
	if err != nil {
		return err
	}
	old, err := w.r.resolveAll(not)
	if err != nil {
		return err
	}
	if len(old) > 0 {
		nodes, err := w.between(ctx, ids, old, usual())
		for _, n := range nodes {
			if err = ctx.Err(); err != nil {
				return err
			}
			if more, err := visit(n); err != nil || !more {
				return err
			}
		}
		return err
	}
	if err := w.reach(ids, true, false); err != nil {
		return err
	}
	for len(w.queue) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := w.pop()
		if err := w.reach(n.raw.parents, true, false); err != nil {
			return err
		}
		if more, err := visit(n); err != nil || !more {
			return err
		}
		n.raw = nil
	}
	return nil
}

// treeOf returns the tree of a commit that the walk met; a parent is met before its child is visited.
func (w *walker) treeOf(id plumbing.Hash) (plumbing.Hash, error) {
	if n := w.met[id]; n != nil && !n.tree.IsZero() {
		return n.tree, nil
	}
	return w.r.treeOf(id)
}
