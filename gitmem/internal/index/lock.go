package index

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// Busy reports whether a writer is at work. It takes a free lock for a moment; a writer's second attempt waits for
// that.
func (s *Shard) Busy() (bool, error) {
	busy, err := osfile.IsLocked(s.path(lockFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look at the index: %w", err)
	}
	return busy, nil
}
