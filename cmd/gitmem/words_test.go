package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/rogpeppe/go-internal/testscript"
)

// cmdIndexed checks that a word, or a longer one that begins so, stands in the
// dictionary of any index below a folder, in any of its generations: an index keeps
// the words of deleted documents for a while: [!] indexed <folder> <beginning>...
func cmdIndexed(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: [!] indexed <folder> <beginning of a word>...")
	}
	found, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*", "g*", "bleve"))
	ts.Check(err)
	if len(found) == 0 {
		ts.Fatalf("no index below %s", args[0])
	}
	words := map[string]bool{}
	for _, dir := range found {
		ts.Check(dictionary(dir, words))
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
