package linediff

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// table numbers lines: equal ones get the same number. It uses open addressing in a slice, because a map of
// strings took most of the time of a comparison.
type table struct {
	seed  maphash.Seed
	slots []slot
	lines [][]byte
	// copied is the number of bytes in copies of lines.
	copied int

	ignoreSpace bool
	buffer      []byte
}

// maxCopied limits the bytes of copies; it may be exceeded by one text.
const maxCopied = 1 << 20

// slot holds a number plus one, so that the zero slot is free.
type slot struct {
	hash   uint32
	number int32
}

func (t *table) len() int { return len(t.lines) }

// reset removes all lines and makes room for this many.
func (t *table) reset(lines int) {
	if t.seed == (maphash.Seed{}) {
		t.seed = maphash.MakeSeed()
	}
	clear(t.lines)
	t.lines, t.copied = t.lines[:0], 0
	size := 64
	for size < 2*lines {
		size *= 2
	}
	t.slots = slices.Grow(t.slots[:0], size)[:size]
	clear(t.slots)
}

// goesOn reports whether the table is still suitable for a text of this many lines. Every line of an older
// version makes each comparison slower.
func (t *table) goesOn(lines int) bool { return len(t.lines) <= 64+2*lines && t.copied <= maxCopied }

// grow doubles the capacity.
func (t *table) grow() {
	old := t.slots
	t.slots = make([]slot, 2*len(old))
	mask := uint32(len(t.slots) - 1)
	for _, s := range old {
		if s.number == 0 {
			continue
		}
		i := s.hash & mask
		for t.slots[i].number != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = s
	}
}

// number returns the number of a line, a new one for a new line. If copied is set, it stores a copy of a new
// line.
func (t *table) number(line []byte, copied bool) int32 {
	if t.ignoreSpace {
		t.buffer = appendWithoutSpace(t.buffer[:0], line)
		line, copied = t.buffer, true
	}
	if 2*len(t.lines) >= len(t.slots) {
		t.grow()
	}
	hash := uint32(maphash.Bytes(t.seed, line))
	mask := uint32(len(t.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.number == 0 {
			if copied {
				line, t.copied = bytes.Clone(line), t.copied+len(line)
			}
			t.lines = append(t.lines, line)
			*s = slot{hash, int32(len(t.lines))}
			return s.number - 1
		}
		if s.hash == hash && bytes.Equal(t.lines[s.number-1], line) {
			return s.number - 1
		}
	}
}

// blanks are the characters that are ignored within lines.
const blanks = " \t\r\f\v"

// WithoutSpace returns a copy of a text without the white space within its lines.
func WithoutSpace(text []byte) []byte { return appendWithoutSpace(make([]byte, 0, len(text)), text) }

func appendWithoutSpace(to, text []byte) []byte {
	for _, c := range text {
		if c > ' ' || c < '\t' || c == '\n' || c > '\r' && c < ' ' {
			to = append(to, c)
		}
	}
	return to
}
