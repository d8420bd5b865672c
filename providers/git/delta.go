package git

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

var errDelta = errors.New("a delta that does not fit its base")

// deltaSize returns the size of the result, which follows that of the base.
func deltaSize(delta []byte) (int64, error) {
	from, n := binary.Uvarint(delta)
	size, m := binary.Uvarint(delta[max(0, n):])
	if n <= 0 || m <= 0 || from>>56 > 0 || size>>56 > 0 {
		return 0, fmt.Errorf("%w: no size", errDelta)
	}
	return int64(size), nil
}

// applyDelta builds an object from its base. A result of more than limit bytes is
// [ErrTooLarge].
func applyDelta(base, delta []byte, limit int64) ([]byte, error) {
	size, err := deltaSize(delta)
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
