package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Verify reads every byte of the current generation and compares it with the checksums taken when it was built. The
// error is ErrMissing or ErrCorrupt; after ErrCorrupt the next Refresh rebuilds.
func (s *Shard) Verify() error {
	g, st, err := s.load()
	if err != nil {
		return err
	}
	if g == nil {
		return stateError(s.dir, st)
	}
	err = g.verify()
	if now, _, nowErr := s.current(); err != nil && nowErr == nil && now != g.name {
		return s.Verify() // a writer has just removed it
	}
	return err
}

// verify verifies all of a generation.
func (g *generation) verify() error {
	err := g.checksums()
	switch {
	case errors.Is(err, ErrCorrupt), errors.Is(err, fs.ErrNotExist):
		return g.markDamaged(err)
	case err != nil:
		return fmt.Errorf("verify the index: %w", err)
	}
	snap, err := openSnapshot(g)
	if err != nil {
		return g.diagnose(err)
	}
	return errors.Join(snap.verify(), snap.Close())
}

// verify compares the parts of a generation with each other.
func (s *Snapshot) verify() error {
	if err := s.t.verify(); err != nil {
		return s.gen.markDamaged(err)
	}
	live := uint64(0)
	// Without a context: opening is quick and cannot be cancelled.
	err := s.readMapped(context.Background(), Text, func() (err error) {
		if s.text != nil {
			live, err = s.text.DocCount()
		}
		return err
	})
	if err == nil && live != uint64(s.t.live) {
		err = s.gen.markDamaged(fmt.Errorf("%d documents in bleve, %d in the table", live, s.t.live))
	}
	return err
}
