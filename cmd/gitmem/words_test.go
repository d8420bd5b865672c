package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdIndexed checks that a word, or a longer one that begins so, stands in the
// dictionary of any index below a folder, in any of its generations: an index keeps
// the words of deleted documents for a while: [!] indexed <folder> <beginning>...
func cmdIndexed(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: [!] indexed <folder> <beginning of a word>...")
	}
	found, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*", "g*", "*.terms"))
	ts.Check(err)
	if len(found) == 0 {
		ts.Fatalf("no index below %s", args[0])
	}
	words := map[string]bool{}
	for _, path := range found {
		ts.Check(dictionary(path, words))
	}
	for _, begin := range args[1:] {
		has := false
		for w := range words {
			has = has || strings.HasPrefix(w, begin)
		}
		if has == neg {
			ts.Fatalf("words beginning with %q: %v, of %d words in %d indexes", begin, has, len(words), len(found))
		}
	}
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
