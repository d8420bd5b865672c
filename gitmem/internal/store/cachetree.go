package store

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// cacheTree is a node of the index's TREE extension (gitformat-index): the
// tree object that the entries of a folder make, and their number, which is
// negative if the tree is not known.
type cacheTree struct {
	name  string
	count int
	id    hash
	subs  []*cacheTree
}

// maxDepth bounds the nesting that is read, as a guard against damaged files.
const maxDepth = 512

// parseCacheTree reads the extension; nil if it is damaged.
func parseCacheTree(b []byte) *cacheTree {
	t, rest := parseNode(b, 0)
	if t == nil || len(rest) > 0 || t.name != "" {
		return nil
	}
	return t
}

func parseNode(b []byte, depth int) (*cacheTree, []byte) {
	name, b, ok1 := bytes.Cut(b, []byte{0})
	line, b, ok2 := bytes.Cut(b, []byte{'\n'})
	count, subs, ok3 := strings.Cut(string(line), " ")
	if !ok1 || !ok2 || !ok3 || depth > maxDepth {
		return nil, nil
	}
	t := &cacheTree{name: string(name)}
	var err1, err2 error
	var n int
	t.count, err1 = strconv.Atoi(count)
	n, err2 = strconv.Atoi(subs)
	if err1 != nil || err2 != nil || n < 0 || n > len(b) {
		return nil, nil
	}
	if t.count >= 0 {
		if len(b) < len(t.id) {
			return nil, nil
		}
		copy(t.id[:], b)
		b = b[len(t.id):]
	}
	for range n {
		var sub *cacheTree
		if sub, b = parseNode(b, depth+1); sub == nil {
			return nil, nil
		}
		t.subs = append(t.subs, sub)
	}
	return t, b
}

func (t *cacheTree) render(b []byte) []byte {
	b = append(append(b, t.name...), 0)
	b = strconv.AppendInt(b, int64(max(t.count, -1)), 10)
	b = strconv.AppendInt(append(b, ' '), int64(len(t.subs)), 10)
	b = append(b, '\n')
	if t.count >= 0 {
		b = append(b, t.id[:]...)
	}
	for _, sub := range t.subs {
		b = sub.render(b)
	}
	return b
}

// compareNodes is git's order of sub-nodes: shorter names first.
func compareNodes(a, b *cacheTree) int {
	return cmp.Or(cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name))
}

func (t *cacheTree) sub(name string) (int, bool) {
	return slices.BinarySearchFunc(t.subs, &cacheTree{name: name}, compareNodes)
}

// at returns the node of a folder ("" or with a slash at the end), or nil.
func (t *cacheTree) at(dir string) *cacheTree {
	for dir != "" {
		name, rest, _ := strings.Cut(dir, "/")
		i, ok := t.sub(name)
		if !ok {
			return nil
		}
		t, dir = t.subs[i], rest
	}
	return t
}

// parentOf splits a folder into its parent's node, nil if that is missing, and
// its own name.
func (t *cacheTree) parentOf(dir string) (*cacheTree, string) {
	dir = strings.TrimSuffix(dir, "/")
	i := strings.LastIndexByte(dir, '/') + 1
	return t.at(dir[:i]), dir[i:]
}

func (t *cacheTree) removeAt(dir string) {
	parent, name := t.parentOf(dir)
	if parent == nil {
		return
	}
	if i, ok := parent.sub(name); ok {
		parent.subs = slices.Delete(parent.subs, i, i+1)
	}
}

// insert adds the node of a new folder; false if its parent has none.
func (t *cacheTree) insert(dir string, id hash, count int) bool {
	parent, name := t.parentOf(dir)
	if parent == nil || dir == "" {
		return false
	}
	i, _ := parent.sub(name)
	parent.subs = slices.Insert(parent.subs, i, &cacheTree{name: name, count: count, id: id})
	return true
}

// invalidate marks the folders above a path, or at it if it ends with a slash.
func (t *cacheTree) invalidate(path string) {
	for t != nil {
		t.count, t.id = -1, hash{}
		name, rest, deeper := strings.Cut(path, "/")
		i, ok := t.sub(name)
		if !deeper || !ok {
			return
		}
		t, path = t.subs[i], rest
	}
}
