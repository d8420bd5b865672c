package index

import (
	"errors"
	"fmt"

	"github.com/gitmem/gitmem/internal/mapfault"
)

// Guard is f, in whose goroutine an index that was cut while it was mapped is a
// damaged one: the error then wraps [ErrCorrupt].
func Guard(f func() error) error {
	err := mapfault.Guard(f)
	if errors.Is(err, mapfault.ErrFault) {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}
