package gitmem_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
)

// indexed tells whether a word stands in the dictionary of any index of the lab, in
// any generation: an index keeps the words of deleted documents for a while.
func (l *lab) indexed(word string) bool {
	l.t.Helper()
	found, err := filepath.Glob(filepath.Join(l.root, "gitmem", ".index", "shards", "*", "g*", "*.terms"))
	if err != nil {
		l.t.Fatal(err)
	}
	words := map[string]bool{}
	for _, path := range found {
		if err := dictionary(path, words); err != nil {
			l.t.Fatal(err)
		}
	}
	return words[word]
}

// dictionary adds the words of every field of a segment, whose format its package
// describes: this reads nothing but the footer, blocks and terms.
func dictionary(path string, words map[string]bool) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	const fields, footer = 6, 8 + 16*6 + 8
	if len(b) < footer {
		return fmt.Errorf("%s has %d bytes", path, len(b))
	}
	foot := b[len(b)-footer:]
	for f := range fields {
		at, n := binary.LittleEndian.Uint64(foot[8+16*f:]), binary.LittleEndian.Uint64(foot[16+16*f:])
		for i := range n {
			from, end := binary.LittleEndian.Uint64(b[at+16*i:]), at
			if i+1 < n {
				end = binary.LittleEndian.Uint64(b[at+16*(i+1):])
			}
			blockWords(b[from:end], words)
		}
	}
	return nil
}

// blockWords adds the words of a block: bytes shared with the one before, bytes that
// follow, these, and a value.
func blockWords(b []byte, words map[string]bool) {
	var term []byte
	for len(b) > 0 {
		shared, n := binary.Uvarint(b)
		more, m := binary.Uvarint(b[n:])
		b = b[n+m:]
		term = append(term[:shared], b[:more]...)
		_, n = binary.Uvarint(b[more:])
		b = b[int(more)+n:]
		words[string(term)] = true
	}
}
