package git

import (
	"container/heap"
	"context"

	"github.com/go-git/go-git/v5/plumbing"
)

// clocks bounds how wrong the clocks of commits may be: after the point where they say
// that nothing can follow any more, by so many seconds, so many commits are looked at.
type clocks struct {
	seconds int64
	commits int
}

// usual is for what costs little where it is wrong, and careful for what is lost then.
func usual() clocks   { return clocks{0, 8} }
func careful() clocks { return clocks{30 * 24 * 60 * 60, 1000} }

// painted is a commit with what is known of it: reachable from the new tips,
// from the old ones, or both.
type painted struct {
	node
	isNew, isOld bool
	queued       bool
}

// painter walks from two sets of tips at once and stops soon after everything
// left to look at belongs to the old ones.
type painter struct {
	r     *Repository
	ctx   context.Context
	skip  func(string) bool
	met   map[plumbing.Hash]*painted
	queue queue
	open  int // queued commits that are new and not old
	count int
}

func newPainter(r *Repository, ctx context.Context, skip func(string) bool) *painter {
	return &painter{r: r, ctx: ctx, skip: skip, met: map[plumbing.Hash]*painted{}}
}

// between returns the commits that tips reach and not does not, newest first.
func (p *painter) between(tips, not []plumbing.Hash, trust clocks) ([]*node, error) {
	if err := p.seed(tips, not); err != nil {
		return nil, err
	}
	var found []*painted
	oldest, left := int64(maxSeconds), trust.commits
	for len(p.queue) > 0 {
		if err := p.ctx.Err(); err != nil {
			return nil, err
		}
		if p.open == 0 && len(found) == 0 {
			break // not reaches all that tips do
		}
		if p.open == 0 && p.queue[0].when() < oldest-trust.seconds {
			if left--; left < 0 {
				break
			}
		}
		c := p.pop()
		if c.isNew && !c.isOld {
			found = append(found, c)
			oldest = min(oldest, c.when())
		}
		for _, parent := range c.raw.parents {
			if err := p.paint(parent, c.isNew, c.isOld); err != nil {
				return nil, err
			}
		}
	}
	return onlyNew(found), nil
}

func (p *painter) seed(tips, not []plumbing.Hash) error {
	for _, id := range not {
		if err := p.paint(id, false, true); err != nil {
			return err
		}
	}
	for _, id := range tips {
		if err := p.paint(id, true, false); err != nil {
			return err
		}
	}
	return nil
}

// onlyNew drops commits that turned out to be old after they were found, and
// those found twice.
func onlyNew(found []*painted) []*node {
	var out []*node
	seen := map[plumbing.Hash]bool{}
	for _, c := range found {
		if !c.isOld && !seen[c.id] {
			seen[c.id] = true
			out = append(out, &c.node)
		}
	}
	return out
}

func (p *painter) pop() *painted {
	c := p.met[heap.Pop(&p.queue).(*node).id]
	c.queued = false
	if c.isNew && !c.isOld {
		p.open--
	}
	return c
}

// paint adds colour to a commit and queues it where that is news, so that the
// colour reaches what lies behind it.
func (p *painter) paint(id plumbing.Hash, isNew, isOld bool) error {
	c := p.met[id]
	if c == nil {
		var err error
		if c, err = p.meet(id, isNew && !isOld); err != nil {
			return err
		}
	}
	if c.raw == nil || c.isNew == (c.isNew || isNew) && c.isOld == (c.isOld || isOld) {
		return nil
	}
	if c.queued && c.isNew && !c.isOld {
		p.open--
	}
	c.isNew, c.isOld = c.isNew || isNew, c.isOld || isOld
	if !c.queued {
		c.queued = true
		heap.Push(&p.queue, &c.node)
	}
	if c.isNew && !c.isOld {
		p.open++
	}
	return nil
}

// meet reads a commit for the first time. One that can't be read stays without
// raw; only those that the caller wanted are worth reporting.
func (p *painter) meet(id plumbing.Hash, wanted bool) (*painted, error) {
	p.count++
	c := &painted{node: node{id: id, order: p.count}}
	p.met[id] = c
	if p.skip != nil && p.skip(id.String()) {
		return c, nil
	}
	raw, err := p.r.readCommit(id)
	switch {
	case err == nil:
		c.raw = raw
	case !isDamage(err):
		return nil, err
	case wanted:
		p.r.skip(id.String(), err.Error())
	}
	return c, nil
}

// Ancestor reports whether old is reachable from one of tips; a commit reaches
// itself. An old commit that is no longer in the repository is not reachable.
// Finding it costs about the number of commits since; finding that it is not
// there costs the whole history of tips.
func (r *Repository) Ancestor(ctx context.Context, old string, tips ...string) (bool, error) {
	target, err := r.resolveFull(old)
	if isDamage(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	found := false
	w := &walker{r: r, ctx: ctx, trees: map[plumbing.Hash]plumbing.Hash{}}
	err = w.run(tips, WalkOptions{}, func(n *node) (bool, error) {
		found = n.id == target
		return !found, nil
	})
	return found, err
}
