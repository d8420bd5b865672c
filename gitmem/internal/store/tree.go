package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers/git"
)

// File modes of git, as used in trees and in the index.
const (
	modeFile = 0o100644
	modeExec = 0o100755
	modeTree = 0o040000

	modeLink      = 0o120000
	modeSubmodule = 0o160000
)

func isRegularMode(m uint32) bool { return m == modeFile || m == modeExec }

func parseTree(b []byte) ([]git.TreeEntry, error) {
	entries := make([]git.TreeEntry, 0, len(b)/40+1)
	for len(b) > 0 {
		e, n, err := git.NextEntry(b)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
		b = b[n:]
	}
	return entries, nil
}

// file is a tracked file of a tree.
type file struct {
	mode uint32
	id   hash
}

// change is the new state of a path in the next commit. A zero mode deletes it.
type change struct {
	path string
	file
}

// group contains the changes of one name in a folder: the new state of the name itself, or the changes below it.
type group struct {
	old    git.TreeEntry
	itself *file
	below  []change
}

// apply returns the tree that results from changes to base, zero if it is empty, and adds the trees on the changed
// paths. dir is "" for the root, else ends with a slash, and is removed from the paths of the changes.
func (b *batch) apply(base hash, dir string, changes []change) (hash, error) {
	var entries []git.TreeEntry
	if !base.IsZero() {
		body, err := b.get(base, "tree")
		if err == nil {
			entries, err = parseTree(body)
		}
		if err != nil {
			return hash{}, fmt.Errorf("tree of /%s: %w", dir, err)
		}
	}
	groups := map[string]*group{}
	for i, c := range changes {
		name, _, deeper := strings.Cut(c.path[len(dir):], "/")
		g := groups[name]
		if g == nil {
			g = &group{}
			groups[name] = g
		}
		if deeper {
			g.below = append(g.below, c)
		} else {
			g.itself = &changes[i].file
		}
	}
	kept := slices.DeleteFunc(entries, func(e git.TreeEntry) bool {
		g, changed := groups[string(e.Name)]
		if changed {
			g.old = e
		}
		return changed
	})
	for name, g := range groups {
		f, err := b.resolve(dir+name+"/", g)
		if err != nil {
			return hash{}, err
		}
		if f.mode != 0 {
			kept = append(kept, git.TreeEntry{Mode: f.mode, Name: []byte(name), ID: f.id[:]})
		}
	}
	if len(kept) == 0 {
		return hash{}, nil
	}
	slices.SortFunc(kept, git.CompareEntries)
	var body []byte
	for _, e := range kept {
		body = fmt.Appendf(body, "%o %s\x00%s", e.Mode, e.Name, e.ID)
	}
	return b.add("tree", body), nil
}

// resolve returns the new state of one name; mode 0 means that it is removed.
func (b *batch) resolve(dir string, g *group) (file, error) {
	f := file{g.old.Mode, g.old.Hash()}
	if g.itself != nil && (g.itself.mode != 0 || f.mode != modeTree) {
		f = *g.itself
	}
	if len(g.below) == 0 || g.itself != nil && g.itself.mode != 0 {
		return f, nil
	}
	var base hash
	if f.mode == modeTree {
		base = f.id
	}
	id, err := b.apply(base, dir, g.below)
	switch {
	case !id.IsZero():
		return file{modeTree, id}, err
	case f.mode == modeTree:
		return file{}, err
	}
	return f, err // only deletions below a file
}

// everywhere makes flatten enter every folder.
func everywhere(string) bool { return true }

// flatten calls f for each entry below a tree that is not itself a tree, in git's order. enter reports which folders
// (with a trailing slash) to descend into.
func flatten(get func(hash, string) ([]byte, error), tree hash, enter func(string) bool,
	f func(path string, e file) error) error {
	return treesOf(get).Files(tree, "", enter, func(path string, e git.TreeEntry) error {
		return f(path, file{e.Mode, e.Hash()})
	})
}

func treesOf(get func(hash, string) ([]byte, error)) git.TreeReader {
	return func(id hash) ([]byte, error) { return get(id, "tree") }
}

// mayHold reports whether a folder of a tree can contain allowed files.
func mayHold(dir string) bool {
	segs := strings.Split(strings.TrimSuffix(dir, "/"), "/")
	switch segs[0] {
	case ourDir:
		return true
	case clientDir:
		return len(segs) < 3 || segs[2] == "memory"
	}
	return false
}

// lookup returns the entry at a path below a tree, or the zero file.
func (o *objects) lookup(tree hash, path string) (file, error) {
	e, ok, err := treesOf(o.get).Find(tree, path)
	if err != nil || !ok {
		return file{}, err
	}
	return file{e.Mode, e.Hash()}, nil
}
