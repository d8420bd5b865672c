package gitmem_test

import (
	"errors"
	"path/filepath"

	"github.com/blevesearch/bleve/v2"
)

// indexed tells whether a word stands in the dictionary of any index of the lab, in
// any generation: an index keeps the words of deleted documents for a while.
func (l *lab) indexed(word string) bool {
	l.t.Helper()
	found, err := filepath.Glob(filepath.Join(l.root, "gitmem", ".index", "shards", "*", "g*", "bleve"))
	if err != nil {
		l.t.Fatal(err)
	}
	words := map[string]bool{}
	for _, dir := range found {
		if err := dictionary(dir, words); err != nil {
			l.t.Fatal(err)
		}
	}
	return words[word]
}

// dictionary adds the words of every field of an index.
func dictionary(dir string, words map[string]bool) (err error) {
	idx, err := bleve.OpenUsing(dir, map[string]any{"read_only": true, "bolt_timeout": "5s"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, idx.Close()) }()
	fields, err := idx.Fields()
	if err != nil {
		return err
	}
	for _, field := range fields {
		dict, err := idx.FieldDict(field)
		if err != nil {
			return err
		}
		for {
			entry, err := dict.Next()
			if err != nil {
				return err
			}
			if entry == nil {
				break
			}
			words[entry.Term] = true
		}
		if err := dict.Close(); err != nil {
			return err
		}
	}
	return nil
}
