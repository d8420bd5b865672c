package store

import (
	"errors"
	"fmt"
	"io"
)

// Tail returns the last n bytes of a file as it is on disk, all of it where it is
// shorter. The errors are those of [Store.Read].
func (s *Store) Tail(rel string, n int) ([]byte, error) {
	if !s.allowed(rel) {
		return nil, fmt.Errorf("read %q: %w", rel, ErrNotAllowed)
	}
	f, err := s.disk.openPlain(rel, 0)
	if isMissing(err) {
		return nil, fmt.Errorf("read %s: %w", rel, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", rel, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", rel, err)
	}
	b := make([]byte, min(int64(n), info.Size()))
	got, err := f.ReadAt(b, info.Size()-int64(len(b)))
	if err != nil && !errors.Is(err, io.EOF) { // somebody may have made it shorter
		return nil, fmt.Errorf("read %s: %w", rel, err)
	}
	return b[:got], nil
}
