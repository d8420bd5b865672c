package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Erase deletes a shard with all of its generations, so that no indexed content remains on disk; the next Refresh
// rebuilds it. It reports whether the shard was deleted: not if a writer is busy for longer than Options.LockWait. A
// reader with an open snapshot keeps it. If an open file cannot be deleted, as on Windows, it returns an error.
func (s *Shard) Erase(ctx context.Context) (bool, error) {
	if _, err := os.Stat(s.dir); errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	unlock, ok, err := s.lock(ctx)
	if err != nil || !ok {
		return false, err
	}
	defer unlock()
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return false, fmt.Errorf("erase the index: %w", err)
	}
	errs := []error{os.RemoveAll(s.path(currentFile))} // first, so that no reader finds half of a generation
	for _, e := range entries {
		if e.Name() != lockFile {
			errs = append(errs, os.RemoveAll(s.path(e.Name())))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return false, fmt.Errorf("erase the index: %w", err)
	}
	return true, nil
}
