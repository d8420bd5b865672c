package store

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
)

// looseLimit is the number of loose objects above which git packs them. A
// commit makes about five.
const looseLimit = 2000

// Maintain lets git pack the repository if about 2,000 loose objects have come
// together; otherwise, and where there is no git, it does nothing. It can take
// seconds: call it when nobody waits. Appending and committing may go on
// meanwhile.
func (s *Store) Maintain(ctx context.Context) error {
	if err := s.repository(); err != nil {
		return err
	}
	// One folder in 256 tells the number of all, as in git gc --auto itself.
	sample, err := s.readDir(s.gitPath("objects/17"))
	if err != nil {
		return fmt.Errorf("maintain: %w", err)
	}
	if len(sample)*256 < looseLimit {
		return nil
	}
	err = s.git(ctx, nil, "--git-dir="+s.GitDir(), "--work-tree="+s.o.Root,
		"-c", fmt.Sprintf("gc.auto=%d", looseLimit), "-c", "gc.autoDetach=false", "gc", "--auto", "--quiet")
	if err != nil && !errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("maintain: %w", err)
	}
	return nil
}
