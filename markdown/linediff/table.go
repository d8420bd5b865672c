package linediff

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// table numbers lines: equal ones get the same number. It is open addressing
// over a slice, since a map of strings took most of the time of a comparison.
type table struct {
	seed  maphash.Seed
	slots []slot
	lines [][]byte
}

// slot holds a number plus one, so that the zero slot is free.
type slot struct {
	hash   uint32
	number int32
}

func (t *table) len() int { return len(t.lines) }

// reset forgets all lines and makes room for so many.
func (t *table) reset(lines int) {
	if t.seed == (maphash.Seed{}) {
		t.seed = maphash.MakeSeed()
	}
	clear(t.lines)
	t.lines = t.lines[:0]
	size := 64
	for size < 2*lines {
		size *= 2
	}
	t.slots = slices.Grow(t.slots[:0], size)[:size]
	clear(t.slots)
}

// number returns the number of a line, a new one if the line was not seen.
func (t *table) number(line []byte) int32 {
	hash := uint32(maphash.Bytes(t.seed, line))
	mask := uint32(len(t.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.number == 0 {
			t.lines = append(t.lines, line)
			*s = slot{hash, int32(len(t.lines))}
			return s.number - 1
		}
		if s.hash == hash && bytes.Equal(t.lines[s.number-1], line) {
			return s.number - 1
		}
	}
}
