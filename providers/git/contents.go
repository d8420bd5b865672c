package git

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gitmem/gitmem/markdown/linediff"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git/diffterms"
)

// DiffTerms is what the diff of a commit does.
type DiffTerms struct {
	// Files say how much of each of the commit's changes changed, in the same
	// order. The two paths of a renamed file share what changed in it: the new one
	// has From and the counts, the old one has none.
	Files []providers.FileChange
	diffterms.Result
}

const (
	// maxCompared is the largest file that is compared, and contentCacheSize the
	// bytes of content kept in one generation: what a commit leaves behind is what
	// an older one made.
	maxCompared      = 1 << 20
	contentCacheSize = 2 << 20
	// contentBases is the bytes in one generation of what contents are deltas of: a
	// version of a file is mostly a delta of the next younger one, which was read for
	// some commit before.
	contentBases  = 16 << 20
	modeSubmodule = 0o160000
)

// contents compares what is in files. It is used by one goroutine.
type contents struct {
	trees *trees
	cache *byteCache[plumbing.Hash, []byte]
	lines linediff.Differ
	terms diffterms.Reader
}

func newContents(t *trees) *contents {
	t.objects.bases.limit = max(t.objects.bases.limit, contentBases)
	return &contents{trees: t, cache: newByteCache[plumbing.Hash, []byte](contentCacheSize)}
}

// compare returns what leads from tree before to tree after.
func (c *contents) compare(ctx context.Context, before, after plumbing.Hash) found {
	d := differ{tree: c.trees.read}
	if err := d.diff(ctx, before, after, "", 0); err != nil {
		return found{err: err}
	}
	pairs, err := c.renames(ctx, &d)
	f := found{changes: d.changes, limited: pairs.limited, err: err}
	if err == nil {
		f.diffTerms, f.err = c.diffTerms(ctx, &d, pairs)
	}
	if f.err != nil {
		c.terms.Result() // forget the part that was read
	}
	return f
}

func (c *contents) diffTerms(ctx context.Context, d *differ, pairs renaming) (*DiffTerms, error) {
	s := &DiffTerms{Files: make([]providers.FileChange, len(d.changes))}
	for _, f := range d.folders {
		c.terms.Folder(valid(f.Path), f.Op)
	}
	for i := range d.changes {
		s.Files[i].Path = valid(d.changes[i].Path)
		from, isOld := pairs.of(i)
		if isOld {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := c.file(d, i, from, &s.Files[i]); err != nil {
			return nil, err
		}
	}
	s.Result = c.terms.Result()
	return s, nil
}

// file compares one file; from is the change that took its old path away, or -1.
func (c *contents) file(d *differ, i, from int, out *providers.FileChange) error {
	ch, at := d.changes[i], d.sides[i]
	f := diffterms.File{Path: out.Path, Op: ch.Op}
	if from >= 0 {
		out.From = valid(d.changes[from].Path)
		f.From, f.Op, at.before = out.From, 'M', d.sides[from].before
	}
	if at.before.id == at.after.id {
		f.Mode = at.before.mode != at.after.mode
		c.terms.File(&f)
		return nil
	}
	var err error
	var clear [2]bool
	if f.Old, clear[0], err = c.text(at.before); err != nil {
		return fmt.Errorf("%s before: %w", f.Path, err)
	}
	if f.New, clear[1], err = c.text(at.after); err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	if clear[0] && clear[1] {
		f.Hunks = c.lines.Diff(f.Old, f.New)
		out.Added, out.Removed = linediff.Counts(f.Hunks)
	} else {
		f.Opaque, f.Old, f.New = true, nil, nil
	}
	c.terms.File(&f)
	return nil
}

// text returns content, and whether it is text of a size to be compared. A link is
// its target and a submodule the line that git shows for it.
func (c *contents) text(r ref) ([]byte, bool, error) {
	switch {
	case r.id.IsZero():
		return nil, true, nil
	case r.mode&modeMask == modeSubmodule:
		return []byte("Subproject commit " + r.id.String() + "\n"), true, nil
	}
	if b, ok := c.cache.get(r.id, sizeOf); ok {
		return b, b != nil, nil
	}
	typ, b, err := c.trees.objects.get(r.id, maxCompared)
	switch {
	case errors.Is(err, ErrTooLarge):
		b = nil
	case err != nil:
		return nil, false, err
	case typ != plumbing.BlobObject:
		return nil, false, fmt.Errorf("object %s is a %s, not a blob: %w", r.id, typ, errCorrupt)
	case linediff.Binary(b):
		b = nil
	case b == nil:
		b = []byte{}
	}
	c.cache.put(r.id, b, sizeOf(b))
	return b, b != nil, nil
}

// isPartial reports whether a remote promised to hand out missing objects later.
func (r *Repository) isPartial() bool {
	list, err := r.objects.stores.list()
	return err == nil && list.promised
}
