package index

import (
	"errors"
	"fmt"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// Guard runs f and returns a damaged index as an error if a file was truncated while
// mapped: the error then wraps [ErrCorrupt].
func Guard(f func() error) error {
	err := osfile.CatchFault(f)
	if errors.Is(err, osfile.ErrFault) {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}
