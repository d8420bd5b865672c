package gitmem_test

import (
	"errors"
	"path/filepath"

	zap "github.com/blevesearch/zapx/v16"
)

// indexed tells whether a word stands in the dictionary of any index of the lab, in
// any generation: an index keeps the words of deleted documents for a while.
func (l *lab) indexed(word string) bool {
	l.t.Helper()
	found, err := filepath.Glob(filepath.Join(l.root, "gitmem", ".index", "shards", "*", "g*", "*.zap"))
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

// dictionary adds the words of every field of a segment.
func dictionary(path string, words map[string]bool) (err error) {
	seg, err := (&zap.ZapPlugin{}).Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, seg.Close()) }()
	for _, field := range seg.Fields() {
		dict, err := seg.Dictionary(field)
		if err != nil {
			return err
		}
		terms := dict.AutomatonIterator(nil, nil, nil)
		for {
			entry, err := terms.Next()
			if err != nil {
				return err
			}
			if entry == nil {
				break
			}
			words[entry.Term] = true
		}
	}
	return nil
}
