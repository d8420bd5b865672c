package git

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

var errDelta = errors.New("a delta that does not fit its base")

// deltaSizes returns the size of the base and of the result.
func deltaSizes(delta []byte) (base, result int64, err error) {
	from, n := binary.Uvarint(delta)
	size, m := binary.Uvarint(delta[max(0, n):])
	if n <= 0 || m <= 0 || from>>56 > 0 || size>>56 > 0 {
		return 0, 0, fmt.Errorf("%w: no size", errDelta)
	}
	return int64(from), int64(size), nil
}

// applyDelta builds an object from its base. A result of more than limit bytes is
// [ErrTooLarge].
func applyDelta(base, delta []byte, limit int64) ([]byte, error) {
	_, size, err := deltaSizes(delta)
	if err != nil {
		return nil, err
	}
	if size > limit {
		return nil, fmt.Errorf("a delta makes %d bytes: %w", size, ErrTooLarge)
	}
	b, err := packfile.PatchDelta(base, delta)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDelta, err)
	}
	return b, nil
}
