package index

import (
	"errors"
	"fmt"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// Guard is f, in whose goroutine an index that was cut while it was mapped is a
// damaged one: the error then wraps [ErrCorrupt].
func Guard(f func() error) error {
	err := osfile.CatchFault(f)
	if errors.Is(err, osfile.ErrFault) {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}
