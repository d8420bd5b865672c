package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	modeDir  = 0o40000
	modeFile = 0o100000
	modeMask = 0o170000

	// maxTree limits the size of one directory, maxTreeDepth the nesting and maxFiles the files listed for one
	// commit: a few kilobytes of objects can describe more files than any disk can store.
	maxTree      = 64 << 20
	maxTreeDepth = 2048
	maxFiles     = 1 << 20
)

// TreeEntry is one entry of a tree; Name and ID point into the tree's bytes.
type TreeEntry struct {
	Mode     uint32
	Name, ID []byte
}

// IsDir reports whether the entry is a folder.
func (e TreeEntry) IsDir() bool { return e.Mode&modeMask == modeDir }

// Hash returns the id of the entry's object.
func (e TreeEntry) Hash() (h plumbing.Hash) {
	copy(h[:], e.ID)
	return h
}

// NextEntry parses the entry at the start of b, "mode name\0" and 20 bytes, and returns its length. b must
// not be empty.
func NextEntry(b []byte) (TreeEntry, int, error) {
	var e TreeEntry
	i := 0
	for ; i < len(b) && b[i] != ' '; i++ {
		if b[i] < '0' || b[i] > '7' || i > 6 {
			return e, 0, fmt.Errorf("a tree entry with a bad mode: %w", errCorrupt)
		}
		e.Mode = e.Mode<<3 | uint32(b[i]-'0')
	}
	nul := bytes.IndexByte(b, 0)
	end := nul + 1 + len(plumbing.ZeroHash)
	if i == 0 || nul < i+2 || end > len(b) {
		return e, 0, fmt.Errorf("a tree entry that does not end: %w", errCorrupt)
	}
	e.Name, e.ID = b[i+1:nul], b[nul+1:end]
	if bytes.IndexByte(e.Name, '/') >= 0 { // it would sort as a folder and is not a valid name
		return e, 0, fmt.Errorf("a tree entry with a path for a name: %w", errCorrupt)
	}
	return e, end, nil
}

// CompareEntries compares names in tree order: the name of a directory counts as ending with a slash.
func CompareEntries(a, b TreeEntry) int {
	n := min(len(a.Name), len(b.Name))
	if c := bytes.Compare(a.Name[:n], b.Name[:n]); c != 0 {
		return c
	}
	return int(byteOrSlash(a, n)) - int(byteOrSlash(b, n))
}

func byteOrSlash(e TreeEntry, n int) byte {
	switch {
	case n < len(e.Name):
		return e.Name[n]
	case e.IsDir():
		return '/'
	}
	return 0
}

// TreeReader returns the bytes of a tree. It is not called for the zero id, which means no files.
type TreeReader func(plumbing.Hash) ([]byte, error)

// Files calls f for each entry below a tree that is not a folder, in git's order. prefix is "" for the root,
// otherwise it ends with a slash; enter reports whether to descend into a folder, given in the same form.
func (read TreeReader) Files(tree plumbing.Hash, prefix string, enter func(dir string) bool,
	f func(path string, e TreeEntry) error) error {
	if strings.Count(prefix, "/") > maxTreeDepth {
		return ErrTooLarge
	}
	return read.each(tree, func(e TreeEntry) error {
		path := prefix + string(e.Name)
		switch {
		case !e.IsDir():
			return f(path, e)
		case enter(path + "/"):
			return read.Files(e.Hash(), path+"/", enter, f)
		}
		return nil
	})
}

// each calls f for each entry of a tree.
func (read TreeReader) each(tree plumbing.Hash, f func(e TreeEntry) error) error {
	if tree.IsZero() {
		return nil
	}
	b, err := read(tree)
	for err == nil && len(b) > 0 {
		e, n, damage := NextEntry(b)
		if damage != nil {
			return fmt.Errorf("tree %s: %w", tree, damage)
		}
		b, err = b[n:], f(e)
	}
	return err
}

// Find returns the entry at a path below a tree, and whether it exists; "" is the tree itself.
func (read TreeReader) Find(tree plumbing.Hash, path string) (at TreeEntry, ok bool, err error) {
	at = TreeEntry{Mode: modeDir, ID: tree[:]}
	for name := range strings.SplitSeq(path, "/") {
		if name == "" {
			continue
		}
		if !at.IsDir() || at.Hash().IsZero() {
			return TreeEntry{}, false, nil
		}
		b, err := read(at.Hash())
		if err != nil {
			return TreeEntry{}, false, err
		}
		if at, ok, err = entryNamed(b, name); !ok {
			return TreeEntry{}, false, err
		}
	}
	return at, true, nil
}

// entryNamed looks for a name in the bytes of a tree. It parses only the boundaries of the entries before it.
func entryNamed(b []byte, name string) (e TreeEntry, ok bool, err error) {
	for len(b) > 0 {
		nul := bytes.IndexByte(b, 0)
		end := nul + 1 + len(plumbing.ZeroHash)
		if nul < 0 || end > len(b) {
			return e, false, fmt.Errorf("a tree entry that does not end: %w", errCorrupt)
		}
		if sp := nul - len(name) - 1; sp > 0 && b[sp] == ' ' && string(b[sp+1:nul]) == name {
			if e, _, err = NextEntry(b); err != nil || len(e.Name) == len(name) {
				return e, err == nil, err
			}
		}
		b = b[end:]
	}
	return e, false, nil
}

// differ collects the differences of two trees.
type differ struct {
	tree    func(plumbing.Hash) ([]byte, error)
	changes []Change
	sides   []sides  // the entries of each change
	folders []Change // folders that only exist in one tree
}

// sides are the two entries of a change; the zero ref means none.
type sides struct{ before, after ref }

// ref is an entry without its name.
type ref struct {
	mode uint32
	id   plumbing.Hash
}

func (e TreeEntry) ref() ref { return ref{mode: e.Mode, id: e.Hash()} }

// diff merges the sorted entries of two trees. The zero id means an empty tree. Trees with equal ids are not
// read.
func (d *differ) diff(ctx context.Context, a, b plumbing.Hash, prefix string, depth int) error {
	if a == b {
		return nil
	}
	left, err := d.read(ctx, a, depth)
	if err != nil {
		return err
	}
	right, err := d.read(ctx, b, depth)
	if err != nil {
		return err
	}
	for len(left) > 0 || len(right) > 0 {
		if n := sameEntry(left, right); n > 0 {
			left, right = left[n:], right[n:]
			continue
		}
		n, m, err := d.step(ctx, left, right, prefix, depth)
		if err != nil {
			return err
		}
		left, right = left[n:], right[m:]
	}
	return nil
}

// sameEntry returns the length of the first entry if both lists begin with the same bytes, or 0. Most entries
// of two neighbouring trees are equal, and this check needs no parsing.
func sameEntry(left, right []byte) int {
	nul := bytes.IndexByte(left, 0)
	n := nul + 1 + len(plumbing.ZeroHash)
	if nul < 0 || n > len(left) || n > len(right) || !bytes.Equal(left[:n], right[:n]) {
		return 0
	}
	return n
}

// step handles the smaller first entry, or both if the names are equal, and returns by how much each list
// advances.
func (d *differ) step(ctx context.Context, left, right []byte, prefix string, depth int) (n, m int, err error) {
	a, b, n, m, err := nextEntries(left, right)
	switch {
	case err != nil:
		return 0, 0, err
	case m == 0:
		return n, 0, d.side(ctx, a, 'D', prefix, depth)
	case n == 0:
		return 0, m, d.side(ctx, b, 'A', prefix, depth)
	}
	return n, m, d.both(ctx, a, b, prefix, depth)
}

// nextEntries parses the smaller first entry of two lists, or both if the names are equal, and returns their
// lengths; the length of the other one is 0.
func nextEntries(left, right []byte) (a, b TreeEntry, n, m int, err error) {
	if len(left) > 0 {
		if a, n, err = NextEntry(left); err != nil {
			return a, b, 0, 0, err
		}
	}
	if len(right) > 0 {
		if b, m, err = NextEntry(right); err != nil {
			return a, b, 0, 0, err
		}
	}
	if n > 0 && m > 0 {
		switch c := CompareEntries(a, b); {
		case c < 0:
			m = 0
		case c > 0:
			n = 0
		}
	}
	return a, b, n, m, nil
}

// side handles an entry that only one tree has.
func (d *differ) side(ctx context.Context, e TreeEntry, op byte, prefix string, depth int) error {
	path, s := prefix+string(e.Name), sides{before: e.ref()}
	if op == 'A' {
		s = sides{after: e.ref()}
	}
	if !e.IsDir() {
		return d.add(path, op, s)
	}
	d.folders = append(d.folders, Change{Path: path, Op: op})
	return d.diff(ctx, s.before.id, s.after.id, path+"/", depth+1)
}

// both handles a name that is in both trees with the same kind of entry: a directory and a file of the same
// name count as different names.
func (d *differ) both(ctx context.Context, a, b TreeEntry, prefix string, depth int) error {
	path := prefix + string(a.Name)
	switch {
	case a.IsDir():
		return d.diff(ctx, a.Hash(), b.Hash(), path+"/", depth+1)
	case plainMode(a.Mode) == plainMode(b.Mode) && bytes.Equal(a.ID, b.ID):
		return nil
	}
	return d.add(path, 'M', sides{a.ref(), b.ref()})
}

// plainMode reduces a mode to what git compares: the kind of entry, and for a file whether its owner may
// execute it. Old trees have other bits too.
func plainMode(mode uint32) uint32 {
	if mode&modeMask == modeFile {
		return modeFile | mode&0o100
	}
	return mode & modeMask
}

func (d *differ) add(path string, op byte, s sides) error {
	if len(d.changes) >= maxFiles {
		return fmt.Errorf("more than %d files: %w", maxFiles, ErrTooLarge)
	}
	d.changes, d.sides = append(d.changes, Change{Path: path, Op: op}), append(d.sides, s)
	return nil
}

func (d *differ) read(ctx context.Context, id plumbing.Hash, depth int) ([]byte, error) {
	if id.IsZero() {
		return nil, nil
	}
	if depth > maxTreeDepth {
		return nil, fmt.Errorf("directories nested deeper than %d: %w", maxTreeDepth, ErrTooLarge)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return d.tree(id)
}

// trees reads trees for one goroutine. A walk from new to old needs every tree twice, as the child's and as
// the parent's, so the last ones are cached.
type trees struct {
	objects *objects
	cache   *byteCache[plumbing.Hash, []byte]
}

// treeCacheSize is the bytes in one generation of a repository's own cache.
const treeCacheSize = 4 << 20

func newTrees(o *objects, cache int) *trees {
	return &trees{objects: o, cache: newByteCache[plumbing.Hash, []byte](cache)}
}

// read returns the bytes of a tree, which the caller must not change.
func (t *trees) read(id plumbing.Hash) ([]byte, error) {
	if b, ok := t.cache.get(id, sizeOf); ok {
		return b, nil
	}
	typ, b, err := t.objects.get(id, maxTree)
	if err != nil {
		return nil, err
	}
	if typ != plumbing.TreeObject {
		return nil, fmt.Errorf("object %s is a %s, not a tree: %w", id, typ, errCorrupt)
	}
	t.cache.put(id, b, sizeOf(b))
	return b, nil
}

func sizeOf(b []byte) int { return len(b) + 64 }

// changes returns the differences from tree before to tree after.
func (t *trees) changes(ctx context.Context, before, after plumbing.Hash) found {
	d := differ{tree: t.read}
	if err := d.diff(ctx, before, after, "", 0); err != nil {
		return found{err: err}
	}
	return found{changes: d.changes}
}

// found is the difference between two trees. If err is damage, the changes are still set if only content is
// missing.
type found struct {
	changes   []Change
	diffTerms *DiffTerms
	limited   bool // only equal files were paired as renames
	err       error
}

// comparer compares two trees and, if requested, the contents of their files. It is for one goroutine.
type comparer func(ctx context.Context, before, after plumbing.Hash) found

// newComparer returns a comparer. whole requests diff terms; hide is that of [Source.WithDiffTerms].
func newComparer(t *trees, whole bool, hide func(string) string) comparer {
	if !whole {
		return t.changes
	}
	c := newContents(t)
	c.terms.Hide = hide
	return c.compare
}

// comparer returns the repository's own comparer.
func (r *Repository) comparer(whole bool) comparer {
	if !whole {
		return r.trees.changes
	}
	if r.contents == nil {
		r.contents = newContents(r.trees)
	}
	r.contents.terms.Hide = r.hide
	return r.contents.compare
}

// readTree returns the bytes of a tree.
func (r *Repository) readTree(id plumbing.Hash) ([]byte, error) { return r.trees.read(id) }

// unfetched is the single entry in Skipped for all missing contents of a partial clone.
const unfetched = "contents of files"

// setChanges sets c.Changes and c.DiffTerms, or ChangesMissing. In a partial clone missing content is normal
// and listed only once.
func (r *Repository) setChanges(c *Commit, f found) error {
	c.Changes, c.DiffTerms = f.changes, f.diffTerms
	if f.limited {
		r.skip("renames of "+c.Hash, errLimit.Error())
	}
	switch {
	case f.err == nil:
	case !isDamage(f.err):
		return f.err
	case f.changes == nil:
		c.ChangesMissing = true
		r.skip("changes of "+c.Hash, f.err.Error())
	case errors.Is(f.err, ErrNotFound) && (r.skippedAt[unfetched] || r.isPartial()):
		r.skip(unfetched, "they were not fetched (partial clone)")
	default:
		r.skip("contents of "+c.Hash, f.err.Error())
	}
	return nil
}

// treeOf returns the tree of a commit.
func (r *Repository) treeOf(id plumbing.Hash) (plumbing.Hash, error) {
	c, err := r.readCommit(id)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return c.tree, nil
}

// isDamage reports whether an error only concerns one object.
func isDamage(err error) bool {
	return errors.Is(err, ErrNotFound) || errors.Is(err, errCorrupt) || errors.Is(err, ErrTooLarge)
}
