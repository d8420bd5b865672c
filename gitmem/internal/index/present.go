package index

import (
	"cmp"
	"context"
	"errors"
)

// Present is the generation that was in use when it was opened. It can be read at
// once, before anybody has compared it with its sources.
type Present struct {
	shard *Shard
	gen   *generation // nil: none is usable
	name  string      // what CURRENT named before gen was read
	snap  *Snapshot
}

// Present opens the generation in use as it is.
func (s *Shard) Present() *Present {
	p := &Present{shard: s}
	p.name, _, _ = s.current()
	g, st, err := s.load()
	if err != nil || st != Current {
		return p // whoever refreshes it tells why
	}
	if snap, err := openSnapshot(g); err == nil {
		p.gen, p.snap = g, snap
	}
	return p
}

// Snapshot is nil where no generation can be read.
func (p *Present) Snapshot() *Snapshot { return p.snap }

// Close closes the snapshot, which is not to be used any more.
func (p *Present) Close() error {
	if p.snap == nil {
		return nil
	}
	return p.snap.Close()
}

// Fresh is [Shard.Fresh] that begins with the generation that is open already, and
// returns its snapshot where nothing has changed; otherwise it closes it.
func (p *Present) Fresh(ctx context.Context, plan func(marks map[string]Mark, st State) (Update, error)) (*Snapshot, Result, error) {
	g, res, err := p.shard.refresh(ctx, plan, *p)
	if g != nil && g == p.gen {
		return p.snap, res, err
	}
	err = errors.Join(err, p.Close())
	if g != nil {
		if snap, opened := openSnapshot(g); opened == nil {
			return snap, res, err
		}
	}
	snap, opened := p.shard.Snapshot() // which also tells damage from a generation that went meanwhile
	if opened != nil {
		return nil, res, cmp.Or(err, opened)
	}
	return snap, res, err
}
