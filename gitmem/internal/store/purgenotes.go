package store

import (
	"slices"
	"strings"
)

// notesDir is where the references of git notes lie.
const notesDir = "refs/notes/"

// noteFile is a file of a tree that is built anew.
type noteFile struct {
	path string
	file
}

// noteTree rewrites the tree of a notes commit. Its files are named for the
// objects that they are notes of, in full hex digits that slashes may part, and
// follow those to their new ids.
func (r *rewriter) noteTree(id hash) (hash, error) {
	var files []noteFile
	renamed := false
	all := func(string) bool { return true }
	err := flatten(r.store.objects.get, id, all, func(path string, f file) error {
		to := f
		if isRegularMode(f.mode) {
			var err error
			if to.id, err = r.blob(f.id, path); err != nil {
				return err
			}
		}
		if about, ok := parseHash(strings.ReplaceAll(path, "/", "")); ok {
			if now, ok := r.commits[about]; ok && now != about {
				path, renamed = respell(path, now.String()), true
			}
		}
		if !to.id.isZero() {
			files = append(files, noteFile{path, to})
		}
		return nil
	})
	if err != nil {
		return hash{}, err
	}
	if !renamed {
		return r.tree(id, "")
	}
	return r.build(files)
}

// respell writes other digits in the form of a path.
func respell(path, digits string) string {
	b := []byte(path)
	at := 0
	for i := range b {
		if b[i] != '/' {
			b[i] = digits[at]
			at++
		}
	}
	return string(b)
}

// build makes a tree of files.
func (r *rewriter) build(files []noteFile) (hash, error) {
	below := map[string][]noteFile{}
	var entries []treeEntry
	for _, f := range files {
		name, rest, deeper := strings.Cut(f.path, "/")
		if deeper {
			below[name] = append(below[name], noteFile{rest, f.file})
			continue
		}
		entries = append(entries, treeEntry{mode: f.mode, name: []byte(name), id: f.id})
	}
	for name, files := range below {
		id, err := r.build(files)
		if err != nil {
			return hash{}, err
		}
		entries = append(entries, treeEntry{mode: modeTree, name: []byte(name), id: id})
	}
	slices.SortFunc(entries, compareEntries)
	return r.put("tree", renderTree(entries))
}
