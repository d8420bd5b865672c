package main

import (
	"path/filepath"
	"strings"

	zap "github.com/blevesearch/zapx/v17"
	"github.com/rogpeppe/go-internal/testscript"
)

// cmdIndexed checks that a word with this beginning is in the dictionary of an index below a folder, in any
// of its generations: an index keeps the words of deleted documents for a while: [!] indexed <folder>
// <beginning>...
func cmdIndexed(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: [!] indexed <folder> <beginning of a word>...")
	}
	found, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*", "g*", "bleve", "*.zap"))
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

// dictionary adds the words of every field of a segment.
func dictionary(path string, words map[string]bool) error {
	seg, err := new(zap.ZapPlugin).Open(path)
	if err != nil {
		return err
	}
	defer seg.Close()
	for _, field := range seg.Fields() {
		dict, err := seg.Dictionary(field)
		if err != nil {
			return err
		}
		all := dict.AutomatonIterator(nil, nil, nil)
		for e, err := all.Next(); e != nil || err != nil; e, err = all.Next() {
			if err != nil {
				return err
			}
			words[e.Term] = true
		}
	}
	return nil
}
