package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
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

var errBadTree = errors.New("damaged tree")

func parseTree(b []byte) ([]treeEntry, error) {
	entries := make([]treeEntry, 0, len(b)/40+1)
	for len(b) > 0 {
		sp := bytes.IndexByte(b, ' ')
		nul := bytes.IndexByte(b, 0)
		if sp < 0 || nul < sp || len(b) < nul+1+len(hash{}) {
			return nil, errBadTree
		}
		mode, err := strconv.ParseUint(string(b[:sp]), 8, 32)
		if err != nil {
			return nil, errBadTree
		}
		end := nul + 1 + len(hash{})
		e := treeEntry{mode: uint32(mode), name: b[sp+1 : nul], raw: b[:end]}
		copy(e.id[:], b[nul+1:end])
		entries = append(entries, e)
		b = b[end:]
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
	n := min(len(a.name), len(b.name))
	if c := bytes.Compare(a.name[:n], b.name[:n]); c != 0 {
		return c
	}
	return cmp.Compare(a.after(n), b.after(n))
}

func (e treeEntry) after(n int) int {
	if n < len(e.name) {
		return int(e.name[n])
	}
	if e.mode == modeTree {
		return '/'
	}
	return -1
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
	dirs  map[string]dirChange // what became of each folder on a changed path
}

// dirChange is a folder's tree before and after; zero where it is missing.
// added is the number of files in a folder that did not exist before.
type dirChange struct {
	before, after hash
	added         int
}

// apply returns the tree that base becomes, zero if nothing is left of it.
// dir is "" for the root, else ends with a slash, and is cut off the paths of
// the changes, which are sorted.
func (w *treeWriter) apply(base hash, dir string, changes []change) (hash, error) {
	var entries []treeEntry
	if !base.isZero() {
		body, err := w.batch.get(base, "tree")
		if err == nil {
			entries, err = parseTree(body)
		}
		if err != nil {
			return hash{}, fmt.Errorf("tree of /%s: %w", dir, err)
		}
	}
	kept, added, err := w.merge(entries, dir, groupChanges(dir, changes))
	if err != nil {
		return hash{}, err
	}
	d := dirChange{before: base, added: added}
	if len(kept) > 0 {
		d.after = w.batch.add("tree", renderTree(kept))
	}
	w.dirs[dir] = d
	return d.after, nil
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

// merge returns the entries of a folder after the changes, and how many files
// they have added if the folder is new.
func (w *treeWriter) merge(entries []treeEntry, dir string, groups []*group) ([]treeEntry, int, error) {
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
	added := 0
	for _, g := range groups {
		e, n, err := w.resolve(dir, g, old[g.name])
		if err != nil {
			return nil, 0, err
		}
		if e.mode != 0 {
			kept = append(kept, e)
			added += n
		}
	}
	slices.SortFunc(kept, compareEntries)
	return kept, added, nil
}

// resolve returns what one name becomes; mode 0 means that it goes.
func (w *treeWriter) resolve(dir string, g *group, old *treeEntry) (treeEntry, int, error) {
	if g.itself != nil && g.itself.mode != 0 {
		return treeEntry{mode: g.itself.mode, name: []byte(g.name), id: g.itself.id}, 1, nil
	}
	if old != nil && g.itself != nil && old.mode != modeTree {
		old = nil // deleted
	}
	if len(g.below) == 0 {
		return orNone(old), 0, nil
	}
	var base hash
	if old != nil && old.mode == modeTree {
		base = old.id
	}
	sub := dir + g.name + "/"
	id, err := w.apply(base, sub, g.below)
	if err != nil {
		return treeEntry{}, 0, err
	}
	if !id.isZero() {
		return treeEntry{mode: modeTree, name: []byte(g.name), id: id}, w.dirs[sub].added, nil
	}
	if old != nil && old.mode != modeTree {
		return *old, 0, nil // only deletions below what is a file
	}
	return treeEntry{}, 0, nil
}

func orNone(e *treeEntry) treeEntry {
	if e == nil {
		return treeEntry{}
	}
	return *e
}

// file is a tracked file of a tree.
type file struct {
	mode uint32
	id   hash
}

// flatten calls f for each entry below a tree that is no tree, in git's order.
// enter says which folders (with a slash at the end) to look into.
func flatten(get func(hash, string) ([]byte, error), tree hash, dir string, enter func(string) bool, f func(path string, e file) error) error {
	if tree.isZero() {
		return nil
	}
	body, err := get(tree, "tree")
	if err != nil {
		return fmt.Errorf("tree of /%s: %w", dir, err)
	}
	entries, err := parseTree(body)
	if err != nil {
		return fmt.Errorf("tree of /%s: %w", dir, err)
	}
	for _, e := range entries {
		p := dir + string(e.name)
		if e.mode != modeTree {
			err = f(p, file{e.mode, e.id})
		} else if enter(p + "/") {
			err = flatten(get, e.id, p+"/", enter, f)
		}
		if err != nil {
			return err
		}
	}
	return nil
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
	for {
		if tree.isZero() {
			return file{}, nil
		}
		body, err := o.get(tree, "tree")
		if err != nil {
			return file{}, err
		}
		entries, err := parseTree(body)
		if err != nil {
			return file{}, fmt.Errorf("tree %s: %w", tree, err)
		}
		name, rest, deeper := strings.Cut(path, "/")
		i := slices.IndexFunc(entries, func(e treeEntry) bool { return string(e.name) == name })
		if i < 0 || deeper && entries[i].mode != modeTree {
			return file{}, nil
		}
		if !deeper {
			return file{entries[i].mode, entries[i].id}, nil
		}
		tree, path = entries[i].id, rest
	}
}
