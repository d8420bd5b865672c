package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Remove deletes the shard and reports whether that succeeded. The shard remains if a writer is busy, or if the system
// keeps files that a reader has open, as Windows does. Readers with an open snapshot keep it.
func (s *Shard) Remove(ctx context.Context) (bool, error) {
	if _, err := os.Stat(s.dir); errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	unlock, ok, err := s.lock(ctx)
	if err != nil || !ok {
		return false, err
	}
	trash := filepath.Join(filepath.Dir(s.dir), trashPrefix+filepath.Base(s.dir))
	_ = os.RemoveAll(trash) // from a killed process; the rename fails if it remains
	if runtime.GOOS == "windows" {
		unlock() // our own open file would keep the folder
		err = os.Rename(s.dir, trash)
	} else {
		err = os.Rename(s.dir, trash)
		unlock()
	}
	if errors.Is(err, fs.ErrPermission) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("remove the index: %w", err)
	}
	if err := os.RemoveAll(trash); err != nil {
		return true, fmt.Errorf("remove the index: %w", err)
	}
	return true, nil
}
