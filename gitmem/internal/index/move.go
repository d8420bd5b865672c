package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// MoveTo moves a shard's folder to where no shard is yet, so that a cache that
// changes its place need not be built again. It tells whether it moved: not when
// there is nothing to move, a writer is busy or the target exists. Readers that
// have a snapshot open keep it.
func (s *Shard) MoveTo(ctx context.Context, dir string) (bool, error) {
	if _, err := os.Stat(s.dir); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if _, err := os.Stat(dir); err == nil {
		return false, nil
	}
	unlock, ok, err := s.lock(ctx)
	if err != nil || !ok {
		return false, err
	}
	defer unlock()
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return false, fmt.Errorf("move the index: %w", err)
	}
	if err := os.Rename(s.dir, dir); err != nil {
		return false, fmt.Errorf("move the index: %w", err)
	}
	return true, nil
}
