package git

import (
	"container/heap"
	"context"
	"errors"
	"iter"

	"github.com/go-git/go-git/v5/plumbing"
)

// WalkOptions says which commits a walk leaves out and what it fills in.
type WalkOptions struct {
	// Skip is asked once about every commit met, by its 40 hex digits. A commit
	// for which it returns true is neither yielded nor read, and the walk does
	// not go on to its parents through it. May be nil.
	Skip func(hash string) bool
	// Not lists revisions whose history is left out, as "git log tips --not …"
	// does. The commits then are found before the first one is yielded. With
	// clocks that are badly wrong, a commit of that history may come through;
	// none is ever left out that should be there.
	Not []string
	// Paths fills Commit.Changes.
	Paths bool
	// Substance fills Commit.Changes and Commit.Substance, which needs the contents
	// of all changed files and costs many times as much.
	Substance bool
}

// Walk yields the commits reachable from tips, each once, newest first by
// committer time; a child comes before its parents unless a clock was wrong.
// Tips are 40 hex digits or anything else that [Repository.Resolve] reads.
//
// A commit whose object is missing or damaged is left out, together with what
// only it leads to, and is listed by [Repository.Skipped]. The walk ends at the
// first error: a tip that does not resolve, packs that can't be read at all, or
// the end of ctx. The error comes with an empty commit.
func (r *Repository) Walk(ctx context.Context, tips []string, o WalkOptions) iter.Seq2[Commit, error] {
	return func(yield func(Commit, error) bool) {
		w := &walker{r: r, ctx: ctx, skip: o.Skip, trees: map[plumbing.Hash]plumbing.Hash{}}
		ended := false
		emit := func(n *node, f found) (bool, error) {
			c := r.present(n.id, n.raw, w.mailmap)
			if err := r.setChanges(&c, f); err != nil {
				return false, err
			}
			ended = !yield(c, nil)
			return !ended, nil
		}
		err := r.walk(w, tips, o, emit)
		if err != nil && !ended {
			yield(Commit{}, err)
		}
	}
}

// walk calls emit for every commit, with its changes where they are asked for.
func (r *Repository) walk(w *walker, tips []string, o WalkOptions, emit func(*node, found) (bool, error)) error {
	if !o.Paths && !o.Substance {
		return w.run(tips, o, func(n *node) (bool, error) { return emit(n, found{}) })
	}
	a := newAhead(r, w.ctx, w.treeOf, o.Substance, emit)
	defer a.close()
	stopped := false
	err := w.run(tips, o, func(n *node) (bool, error) {
		more, err := a.visit(n)
		stopped = stopped || !more
		return more, err
	})
	if stopped {
		return err
	}
	if err := w.ctx.Err(); err != nil { // also where it ended behind the last commit: others wait to be handed out
		return err
	}
	return errors.Join(a.flush(), err)
}

// node is a commit that waits in the queue. Nodes of one time leave it in the
// order in which they came, as in git.
type node struct {
	id    plumbing.Hash
	raw   *rawCommit
	order int
}

func (n *node) when() int64 { return n.raw.committer.seconds }

// queue is a heap of nodes, newest first.
type queue []*node

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if q[i].when() != q[j].when() {
		return q[i].when() > q[j].when()
	}
	return q[i].order < q[j].order
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*node)) }
func (q *queue) Pop() any {
	old := *q
	n := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return n
}

// walker visits commits in order. trees holds every commit met, with its tree
// or zero where the commit was not read.
type walker struct {
	r       *Repository
	ctx     context.Context
	skip    func(string) bool
	mailmap *Mailmap
	queue   queue
	trees   map[plumbing.Hash]plumbing.Hash
	count   int
}

// run calls visit for every commit until it returns false or an error.
func (w *walker) run(tips []string, o WalkOptions, visit func(*node) (bool, error)) error {
	ids, err := w.r.resolveAll(tips)
	if err != nil {
		return err
	}
	not, err := w.r.resolveAll(o.Not)
	if err != nil {
		return err
	}
	w.mailmap = w.r.Mailmap()
	if len(not) > 0 {
		return w.runWithout(ids, not, visit)
	}
	for _, id := range ids {
		if err := w.push(id); err != nil {
			return err
		}
	}
	for len(w.queue) > 0 {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		n := heap.Pop(&w.queue).(*node)
		for _, p := range n.raw.parents {
			if err := w.push(p); err != nil {
				return err
			}
		}
		if more, err := visit(n); err != nil || !more {
			return err
		}
	}
	return nil
}

// push queues a commit that was not met before. It fails only where the packs
// as a whole can't be read.
func (w *walker) push(id plumbing.Hash) error {
	if _, met := w.trees[id]; met {
		return nil
	}
	w.trees[id] = plumbing.ZeroHash
	if w.skip != nil && w.skip(id.String()) {
		return nil
	}
	raw, err := w.r.readCommit(id)
	if err != nil {
		if !isDamage(err) {
			return err
		}
		w.r.skip(id.String(), err.Error())
		return nil
	}
	w.trees[id] = raw.tree
	w.count++
	heap.Push(&w.queue, &node{id: id, raw: raw, order: w.count})
	return nil
}

// treeOf knows the tree of every commit met; a parent is met before its child is
// visited.
func (w *walker) treeOf(id plumbing.Hash) (plumbing.Hash, error) {
	if t := w.trees[id]; !t.IsZero() {
		return t, nil
	}
	return w.r.treeOf(id)
}

// runWithout visits the commits reachable from tips but not from not.
func (w *walker) runWithout(tips, not []plumbing.Hash, visit func(*node) (bool, error)) error {
	nodes, err := newPainter(w.r, w.ctx, w.skip).between(tips, not, usual())
	if err != nil {
		return err
	}
	for _, n := range nodes {
		w.trees[n.id] = n.raw.tree
	}
	for _, n := range nodes {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if more, err := visit(n); err != nil || !more {
			return err
		}
	}
	return nil
}
