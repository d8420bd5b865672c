package store

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"time"
)

// indexChange sets the entry of a path, or removes it if entry is nil.
type indexChange struct {
	path  string
	entry *indexEntry
}

// edit applies changes, one a path. A path that becomes a file displaces what
// lay below it, and one that comes to lie in a folder displaces a file that
// had the folder's name, as git does.
func (ix *indexFile) edit(changes []indexChange) {
	ix.changed = true
	ix.keepExtensions()
	changes = slices.DeleteFunc(changes, ix.replace)
	if len(changes) == 0 {
		return
	}
	ix.moved = true
	all := map[string]*indexEntry{}
	for _, c := range changes {
		if c.entry != nil {
			ix.displaced(c.path, func(path string) { all[path] = nil })
		}
	}
	for _, c := range changes {
		all[c.path] = c.entry
	}
	out := make([]indexEntry, 0, len(ix.entries)+len(all))
	at := 0
	for _, path := range slices.Sorted(maps.Keys(all)) {
		next := ix.search(path)
		out = append(out, ix.entries[at:next]...)
		for at = next; at < len(ix.entries) && string(ix.entries[at].name) == path; at++ {
			continue // every stage
		}
		if e := all[path]; e != nil {
			out = append(out, *e)
		}
	}
	ix.entries = append(out, ix.entries[at:]...)
}

// replace puts a new entry over one of the same path, in the bytes that were
// read, or reports that it needs another place.
func (ix *indexFile) replace(c indexChange) bool {
	i := ix.search(c.path)
	if c.entry == nil || i == len(ix.entries) || string(ix.entries[i].name) != c.path {
		return false
	}
	e := ix.entries[i]
	if e.stage() != 0 || len(e.raw) != len(c.entry.raw) || !bytes.Equal(c.entry.name, e.name) {
		return false
	}
	return fixedLen(e.raw) == fixedLen(c.entry.raw) && copy(e.raw, c.entry.raw) > 0
}

func (ix *indexFile) displaced(path string, f func(string)) {
	from, to := ix.under(path + "/")
	for _, e := range ix.entries[from:to] {
		f(string(e.name))
	}
	for i := range len(path) {
		if path[i] != '/' {
			continue
		}
		if at := ix.search(path[:i]); at < len(ix.entries) && string(ix.entries[at].name) == path[:i] {
			f(path[:i])
		}
	}
}

// keepExtensions drops those that describe the entries by position or the
// folders as git last saw them. All are optional, git makes them again.
func (ix *indexFile) keepExtensions() {
	ix.exts = slices.DeleteFunc(ix.exts, func(x indexExt) bool { return x.sig != "TREE" && x.sig != "REUC" })
}

// smudge makes git compare the contents of files that changed in the second in
// which the index was written, or later: their stat data says nothing about a
// later change in the same second, and the new index will be younger. It is
// git's rule for "racily clean" entries.
func (ix *indexFile) smudge(written time.Time) {
	limit := uint32(written.Unix())
	for _, e := range ix.entries {
		if binary.BigEndian.Uint32(e.raw[offMtime:]) < limit || binary.BigEndian.Uint32(e.raw[offSize:]) == 0 {
			continue
		}
		binary.BigEndian.PutUint32(e.raw[offSize:], 0)
		ix.changed = true
	}
}

// setCacheTree updates the TREE extension, by which git knows the trees of the
// folders that it need not read again. dirs says what became of the folders on
// changed paths; stale are paths whose entries changed though HEAD did not.
// rebuild makes the whole from HEAD's trees, and is asked for only if the root
// is not known.
func (ix *indexFile) setCacheTree(dirs map[string]dirChange, stale []string, rebuild func() *cacheTree) {
	at := slices.IndexFunc(ix.exts, func(x indexExt) bool { return x.sig == "TREE" })
	t := ix.tree
	if at >= 0 {
		ix.exts = slices.Delete(ix.exts, at, at+1)
	}
	if ix.extended {
		ix.tree = nil
		return // the counts of such entries have rules of their own
	}
	if t != nil {
		for _, path := range stale {
			t.invalidate(path)
		}
		t.update(ix, dirs)
	}
	if t == nil || t.count < 0 {
		if whole := rebuild(); whole != nil {
			t = whole
		}
	}
	if ix.tree = t; t != nil {
		ix.exts = slices.Insert(ix.exts, 0, indexExt{"TREE", t.render(nil)})
	}
}

// root returns the tree that the whole index is known to equal, or zero.
func (ix *indexFile) root() hash {
	if t := ix.tree; t != nil && !ix.extended && t.count == len(ix.entries) {
		return t.id
	}
	return hash{}
}

// update brings the nodes of changed folders up to date.
func (t *cacheTree) update(ix *indexFile, dirs map[string]dirChange) {
	for _, dir := range slices.Sorted(maps.Keys(dirs)) { // parents first
		d := dirs[dir]
		from, to := ix.under(dir)
		node := t.at(dir)
		switch {
		case d.after.isZero() && from == to && dir != "":
			t.removeAt(dir)
		case node != nil && node.count >= 0 && node.id == d.before && !d.after.isZero():
			node.id, node.count = d.after, to-from
		case node == nil && d.before.isZero() && to-from == d.added && t.insert(dir, d.after, d.added):
		default:
			t.invalidate(dir)
		}
	}
}

// matchTree builds the cache tree of a folder whose index entries are exactly
// those of a tree; nil if they are not.
func matchTree(get func(hash, string) ([]byte, error), id hash, dir string, entries []indexEntry) *cacheTree {
	body, err := get(id, "tree")
	if err != nil {
		return nil
	}
	list, err := parseTree(body)
	if err != nil {
		return nil
	}
	t := &cacheTree{id: id}
	for _, e := range list {
		if len(entries) == 0 {
			return nil
		}
		if e.mode != modeTree {
			x := entries[0]
			if string(x.name) != dir+string(e.name) || x.stage() != 0 || x.mode() != e.mode || x.id() != e.id {
				return nil
			}
			entries, t.count = entries[1:], t.count+1
			continue
		}
		sub := dir + string(e.name) + "/"
		n := countUnder(entries, sub)
		node := matchTree(get, e.id, sub, entries[:n])
		if node == nil {
			return nil
		}
		node.name = string(e.name)
		t.subs = append(t.subs, node)
		entries, t.count = entries[n:], t.count+n
	}
	if len(entries) > 0 {
		return nil
	}
	slices.SortFunc(t.subs, compareNodes)
	return t
}

func countUnder(entries []indexEntry, dir string) int {
	n := 0
	for n < len(entries) && strings.HasPrefix(string(entries[n].name), dir) {
		n++
	}
	return n
}
