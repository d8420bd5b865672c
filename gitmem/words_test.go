package gitmem_test

import (
	"path/filepath"

	zap "github.com/blevesearch/zapx/v17"
)

// indexed reports whether a word is in the dictionary of any index of the lab, in any generation: an index keeps the
// words of deleted documents for a while.
func (l *lab) indexed(word string) bool {
	l.t.Helper()
	found, err := filepath.Glob(filepath.Join(l.root, "gitmem", ".index", "shards", "*", "g*", "bleve", "*.zap"))
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
