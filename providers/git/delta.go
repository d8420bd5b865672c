package git

import (
	"encoding/binary"
	"errors"
	"fmt"
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
	_, n := binary.Uvarint(delta)
	_, m := binary.Uvarint(delta[n:])
	if from, _ := binary.Uvarint(delta); from != uint64(len(base)) {
		return nil, fmt.Errorf("%w: for a base of %d bytes, not %d", errDelta, from, len(base))
	}
	out := make([]byte, 0, min(size, int64(len(base)+len(delta)))) // a damaged one claims any size
	for rest := delta[n+m:]; len(rest) > 0; {
		var part []byte
		if part, rest = deltaPart(base, rest); part == nil || int64(len(out)+len(part)) > size {
			return nil, errDelta
		}
		out = append(out, part...)
	}
	if int64(len(out)) != size {
		return nil, fmt.Errorf("%w: it makes %d bytes and not %d", errDelta, len(out), size)
	}
	return out, nil
}

// deltaPart is what the first command of a delta adds, and the commands behind it; nil where it adds nothing
// that there is. A command holds bytes, or says which of the base to copy.
func deltaPart(base, delta []byte) (part, rest []byte) {
	command, rest := delta[0], delta[1:]
	if command&0x80 == 0 {
		if n := int(command); n > 0 && n <= len(rest) {
			return rest[:n], rest[n:]
		}
		return nil, nil
	}
	var numbers [7]byte // four of the offset and three of the size, those that are not 0
	for i := range numbers {
		if command>>i&1 == 0 {
			continue
		}
		if len(rest) == 0 {
			return nil, nil
		}
		numbers[i], rest = rest[0], rest[1:]
	}
	from := int64(binary.LittleEndian.Uint32(numbers[:4]))
	n := int64(numbers[4]) | int64(numbers[5])<<8 | int64(numbers[6])<<16
	if n == 0 {
		n = 0x10000
	}
	if from+n > int64(len(base)) {
		return nil, nil
	}
	return base[from : from+n], rest
}
