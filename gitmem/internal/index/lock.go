package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// TryLock takes the lock of a file, which it creates, if it is free. The system releases it
// when the process ends, so a killed one leaves none.
func TryLock(path string) (unlock func(), ok bool, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", path, err)
	}
	ok, err = osfile.TryLock(f)
	if !ok || err != nil {
		return nil, false, errors.Join(err, f.Close())
	}
	return func() { _ = errors.Join(osfile.Unlock(f), f.Close()) }, true, nil
}

// Busy reports whether a writer is at work. It takes a free lock for a moment, for which a
// writer's second attempt waits.
func (s *Shard) Busy() (bool, error) {
	f, err := os.OpenFile(s.path(lockFile), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look at the index: %w", err)
	}
	defer f.Close()
	ok, err := osfile.TryLock(f)
	if ok {
		err = osfile.Unlock(f)
	}
	return err == nil && !ok, err
}
