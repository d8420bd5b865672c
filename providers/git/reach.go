package git

import (
	"container/heap"
	"context"
	"errors"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// clocks is the tolerance for wrong commit times: a walk visits this many more commits after the point where,
// by the commit times and a tolerance of this many seconds, nothing more can follow.
type clocks struct {
	seconds int64
	commits int
}

// usual is for cases where an error costs little, careful for those where it loses data.
func usual() clocks   { return clocks{0, 8} }
func careful() clocks { return clocks{30 * 24 * 60 * 60, 1000} }

// between returns the commits that are reachable from tips and not from not, newest first. It walks from both
// at once and stops soon after all remaining commits are reachable from not.
func (w *walker) between(ctx context.Context, tips, not []plumbing.Hash, trust clocks) ([]*node, error) {
	if err := errors.Join(w.reach(not, false, true), w.reach(tips, true, false)); err != nil {
		return nil, err
	}
	var found []*node
	oldest, left := int64(maxSeconds), trust.commits
	for len(w.queue) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if w.open == 0 && len(found) == 0 {
			break // all commits of tips are reachable from not
		}
		if w.open == 0 && w.queue[0].when() < oldest-trust.seconds {
			if left--; left < 0 {
				break
			}
		}
		n := w.pop()
		if n.isNew && !n.isOld {
			found = append(found, n)
			oldest = min(oldest, n.when())
		}
		if err := w.reach(n.raw.parents, n.isNew, n.isOld); err != nil {
			return nil, err
		}
	}
	// Some were marked as old after they were found, or were found twice.
	seen := map[*node]bool{}
	return slices.DeleteFunc(found, func(n *node) bool {
		again := n.isOld || seen[n]
		seen[n] = true
		return again
	}), nil
}

func (w *walker) pop() *node {
	n := heap.Pop(&w.queue).(*node)
	n.queued = false
	if n.isNew && !n.isOld {
		w.open--
	}
	return n
}

// reach marks commits as reachable from tips, from not, or both, and queues those whose mark changed, so that
// their ancestors are marked too. It only fails if the packs as a whole can't be read.
func (w *walker) reach(ids []plumbing.Hash, isNew, isOld bool) error {
	for _, id := range ids {
		n := w.met[id]
		if n == nil {
			var err error
			if n, err = w.meet(id, isNew && !isOld); err != nil {
				return err
			}
		}
		if n.raw == nil || n.isNew == (n.isNew || isNew) && n.isOld == (n.isOld || isOld) {
			continue
		}
		if n.queued && n.isNew && !n.isOld {
			w.open--
		}
		n.isNew, n.isOld = n.isNew || isNew, n.isOld || isOld
		if !n.queued {
			n.queued = true
			heap.Push(&w.queue, n)
		}
		if n.isNew && !n.isOld {
			w.open++
		}
	}
	return nil
}

// meet reads a commit for the first time. If it can't be read, raw stays nil; this is only reported for
// commits that the caller wants.
func (w *walker) meet(id plumbing.Hash, wanted bool) (*node, error) {
	n := &node{id: id, order: len(w.met)}
	w.met[id] = n
	read := w.r.readCommit
	if w.brief {
		read = w.r.briefCommit
	}
	raw, err := read(id)
	switch {
	case err == nil:
		n.raw, n.tree = raw, raw.tree
	case !isDamage(err):
		return nil, err
	case wanted:
		w.r.skip(id.String(), err.Error())
	}
	return n, nil
}

// Ancestor reports whether old is reachable from one of tips; a commit is reachable from itself. A commit
// that is no longer in the repository is not reachable. If it is found, the cost is about the number of
// commits since; if not, it is the whole history of tips.
func (r *Repository) Ancestor(ctx context.Context, old string, tips ...string) (bool, error) {
	target, err := r.resolveFull(old)
	if isDamage(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	found := false
	err = newBriefWalker(r).run(ctx, tips, nil, func(n *node) (bool, error) {
		found = n.id == target
		return !found, nil
	})
	return found, err
}
