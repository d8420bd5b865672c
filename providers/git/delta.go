package git

import (
	"errors"
	"fmt"
)

var errDelta = errors.New("a delta that does not fit its base")

// deltaSize reads one of the two sizes at the start of a delta: seven bits a byte,
// the lowest first.
func deltaSize(b []byte) (size int64, n int, err error) {
	for shift := 0; n < len(b) && shift < 56; shift += 7 {
		c := b[n]
		n++
		size |= int64(c&0x7f) << shift
		if c < 0x80 {
			return size, n, nil
		}
	}
	return 0, 0, fmt.Errorf("%w: no size", errDelta)
}

// deltaSizes returns the size of the base and of the result, and where the
// instructions begin.
func deltaSizes(delta []byte) (base, result int64, n int, err error) {
	base, n, err = deltaSize(delta)
	if err != nil {
		return 0, 0, 0, err
	}
	result, m, err := deltaSize(delta[n:])
	return base, result, n + m, err
}

// applyDelta builds an object from its base, in the format of gitformat-pack(5),
// "Deltified representation". A result of more than limit bytes is [ErrTooLarge].
func applyDelta(base, delta []byte, limit int64) ([]byte, error) {
	from, size, n, err := deltaSizes(delta)
	if err != nil {
		return nil, err
	}
	if size > limit {
		return nil, fmt.Errorf("a delta makes %d bytes: %w", size, ErrTooLarge)
	}
	if from != int64(len(base)) {
		return nil, fmt.Errorf("%w: it wants %d bytes, there are %d", errDelta, from, len(base))
	}
	out := make([]byte, 0, size)
	for delta = delta[n:]; len(delta) > 0; {
		op := delta[0]
		delta = delta[1:]
		switch {
		case op >= 0x80:
			var off, length int
			if off, length, delta, err = copyRange(op, delta); err != nil {
				return nil, err
			}
			if off > len(base) || length > len(base)-off || length > cap(out)-len(out) {
				return nil, fmt.Errorf("%w: a copy from outside", errDelta)
			}
			out = append(out, base[off:off+length]...)
		case op == 0 || int(op) > len(delta) || int(op) > cap(out)-len(out):
			return nil, fmt.Errorf("%w: a bad instruction", errDelta)
		default:
			out = append(out, delta[:op]...)
			delta = delta[op:]
		}
	}
	if int64(len(out)) != size {
		return nil, fmt.Errorf("%w: it makes %d bytes of %d", errDelta, len(out), size)
	}
	return out, nil
}

// copyRange reads the operands of a copy: four bits of op tell which bytes of the
// offset follow, three which of the length.
func copyRange(op byte, delta []byte) (off, length int, rest []byte, err error) {
	for i := range 7 {
		if op&(1<<i) == 0 {
			continue
		}
		if len(delta) == 0 {
			return 0, 0, nil, fmt.Errorf("%w: it ends within a copy", errDelta)
		}
		if c := int(delta[0]); i < 4 {
			off |= c << (8 * i)
		} else {
			length |= c << (8 * (i - 4))
		}
		delta = delta[1:]
	}
	if length == 0 {
		length = 0x10000
	}
	if off < 0 { // an offset of 32 bits on a machine with ints of 32
		return 0, 0, nil, fmt.Errorf("%w: a copy from outside", errDelta)
	}
	return off, length, delta, nil
}
