package index

import (
	"errors"
	"fmt"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// Guard runs f and converts a fault into an error that wraps [ErrCorrupt] if a file was truncated while mapped.
func Guard(f func() error) error {
	err := osfile.CatchFault(f)
	if errors.Is(err, osfile.ErrFault) {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}
