package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/providers/git"
)

// File modes of git, as they stand in trees and in the index.
const (
	modeFile = 0o100644
	modeExec = 0o100755
	modeTree = 0o040000
)

func isRegularMode(m uint32) bool { return m == modeFile || m == modeExec }

// treeEntry is one line of a tree. The slices point into the tree's bytes.
type treeEntry struct {
	mode uint32
	name []byte
	id   hash
	raw  []byte // the whole entry as it was read; nil if it is new
}

func parseTree(b []byte) ([]treeEntry, error) {
	entries := make([]treeEntry, 0, len(b)/40+1)
	for len(b) > 0 {
		e, n, err := git.NextEntry(b)
		if err != nil {
			return nil, err
		}
		entries = append(entries, treeEntry{e.Mode, e.Name, e.Hash(), b[:n]})
		b = b[n:]
	}
	return entries, nil
}

func renderTree(entries []treeEntry) []byte {
	size := 0
	for _, e := range entries {
		size += len(e.name) + 28
	}
	b := make([]byte, 0, size)
	for _, e := range entries {
		if e.raw != nil {
			b = append(b, e.raw...)
			continue
		}
		b = strconv.AppendUint(b, uint64(e.mode), 8)
		b = append(append(b, ' '), e.name...)
		b = append(append(b, 0), e.id[:]...)
	}
	return b
}

// compareEntries is git's order: a folder sorts as if its name ended with "/".
func compareEntries(a, b treeEntry) int {
	return git.CompareEntries(git.TreeEntry{Mode: a.mode, Name: a.name}, git.TreeEntry{Mode: b.mode, Name: b.name})
}

// change says what a path shall be in the next commit. A zero mode deletes it.
type change struct {
	path string
	mode uint32
	id   hash
}

// treeWriter makes the tree that results from changes, writing only the trees
// on the changed paths.
type treeWriter struct {
	batch *batch
}

// apply returns the tree that base becomes, zero if nothing is left of it.
// dir is "" for the root, else ends with a slash, and is cut off the paths of
// the changes, which are sorted.
func (w *treeWriter) apply(base hash, dir string, changes []change) (hash, error) {
	var entries []treeEntry
	if !base.IsZero() {
		body, err := w.batch.get(base, "tree")
		if err == nil {
			entries, err = parseTree(body)
		}
		if err != nil {
			return hash{}, fmt.Errorf("tree of /%s: %w", dir, err)
		}
	}
	kept, err := w.merge(entries, dir, groupChanges(dir, changes))
	if err != nil || len(kept) == 0 {
		return hash{}, err
	}
	return w.batch.add("tree", renderTree(kept)), nil
}

// group is what the changes say about one name of a folder: what the name
// itself shall be, or what lies below it.
type group struct {
	name   string
	itself *change
	below  []change
}

func groupChanges(dir string, changes []change) []*group {
	var groups []*group
	byName := map[string]*group{}
	for i, c := range changes {
		name, _, deeper := strings.Cut(c.path[len(dir):], "/")
		g := byName[name]
		if g == nil {
			g = &group{name: name}
			byName[name] = g
			groups = append(groups, g)
		}
		if deeper {
			g.below = append(g.below, c)
		} else {
			g.itself = &changes[i]
		}
	}
	return groups
}

// merge returns the entries of a folder after the changes.
func (w *treeWriter) merge(entries []treeEntry, dir string, groups []*group) ([]treeEntry, error) {
	old := make(map[string]*treeEntry, len(groups))
	for _, g := range groups {
		old[g.name] = nil
	}
	kept := make([]treeEntry, 0, len(entries)+len(groups))
	for i, e := range entries {
		if _, changed := old[string(e.name)]; changed {
			old[string(e.name)] = &entries[i]
		} else {
			kept = append(kept, e)
		}
	}
	for _, g := range groups {
		e, err := w.resolve(dir, g, old[g.name])
		if err != nil {
			return nil, err
		}
		if e.mode != 0 {
			kept = append(kept, e)
		}
	}
	slices.SortFunc(kept, compareEntries)
	return kept, nil
}

// resolve returns what one name becomes; mode 0 means that it goes.
func (w *treeWriter) resolve(dir string, g *group, old *treeEntry) (treeEntry, error) {
	if g.itself != nil && g.itself.mode != 0 {
		return treeEntry{mode: g.itself.mode, name: []byte(g.name), id: g.itself.id}, nil
	}
	var was treeEntry
	if old != nil && (g.itself == nil || old.mode == modeTree) {
		was = *old
	}
	if len(g.below) == 0 {
		return was, nil
	}
	var base hash
	if was.mode == modeTree {
		base = was.id
	}
	id, err := w.apply(base, dir+g.name+"/", g.below)
	if err != nil {
		return treeEntry{}, err
	}
	if !id.IsZero() {
		return treeEntry{mode: modeTree, name: []byte(g.name), id: id}, nil
	}
	if was.mode != modeTree {
		return was, nil // only deletions below what is a file
	}
	return treeEntry{}, nil
}

// file is a tracked file of a tree.
type file struct {
	mode uint32
	id   hash
}

// flatten calls f for each entry below a tree that is no tree, in git's order.
// enter says which folders (with a slash at the end) to look into.
func flatten(get func(hash, string) ([]byte, error), tree hash, enter func(string) bool, f func(path string, e file) error) error {
	return treesOf(get).Files(tree, "", enter, func(path string, e git.TreeEntry) error {
		return f(path, file{e.Mode, e.Hash()})
	})
}

func treesOf(get func(hash, string) ([]byte, error)) git.TreeReader {
	return func(id hash) ([]byte, error) { return get(id, "tree") }
}

// mayHold says whether allowed files can lie in a folder of a tree.
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
