package git

import (
	"encoding/binary"
	"errors"
	"fmt"
)

var errDelta = errors.New("a delta that does not fit its base")

// deltaSizes returns the sizes of the base and of the result, and the rest of the delta.
func deltaSizes(delta []byte) (from, size int64, rest []byte, err error) {
	a, n := binary.Uvarint(delta)
	b, m := binary.Uvarint(delta[max(0, n):])
	if n <= 0 || m <= 0 || a>>56 > 0 || b>>56 > 0 {
		return 0, 0, nil, fmt.Errorf("%w: no size", errDelta)
	}
	return int64(a), int64(b), delta[n+m:], nil
}

// deltaSize returns the size of the result.
func deltaSize(delta []byte) (int64, error) {
	_, size, _, err := deltaSizes(delta)
	return size, err
}

// applyDelta builds an object from its base. It returns [ErrTooLarge] for a result of more than limit bytes.
func applyDelta(base, delta []byte, limit int64) ([]byte, error) {
	from, size, rest, err := deltaSizes(delta)
	if err != nil {
		return nil, err
	}
	if from != int64(len(base)) {
		return nil, errDelta
	}
	if size > limit {
		return nil, fmt.Errorf("a delta makes %d bytes: %w", size, ErrTooLarge)
	}
	out := make([]byte, 0, min(size, maxBuffer)) // a delta may claim a false size
	for len(rest) > 0 {
		op := rest[0]
		rest = rest[1:]
		part := rest
		switch {
		case op == 0:
			return nil, errDelta
		case op < 0x80: // insert: the next op bytes
			if int(op) > len(rest) {
				return nil, errDelta
			}
			part, rest = rest[:op], rest[op:]
		default:
			if part, rest, err = copied(base, op, rest); err != nil {
				return nil, err
			}
		}
		if int64(len(out)+len(part)) > size {
			return nil, errDelta
		}
		out = append(out, part...)
	}
	if int64(len(out)) != size {
		return nil, errDelta
	}
	return out, nil
}

// copied returns the part of a base that a copy instruction selects: the low bits of op select which bytes of
// its offset and length follow.
func copied(base []byte, op byte, b []byte) (part, rest []byte, err error) {
	var v [7]byte
	for i := range v {
		if op>>i&1 == 0 {
			continue
		}
		if len(b) == 0 {
			return nil, nil, errDelta
		}
		v[i], b = b[0], b[1:]
	}
	at := int64(binary.LittleEndian.Uint32(v[:4]))
	n := int64(v[4]) | int64(v[5])<<8 | int64(v[6])<<16
	if n == 0 {
		n = 0x10000
	}
	if at+n > int64(len(base)) {
		return nil, nil, errDelta
	}
	return base[at : at+n], b, nil
}
