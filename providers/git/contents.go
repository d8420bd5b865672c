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

// DiffTerms describes the diff of a commit.
type DiffTerms struct {
	// Files are the sizes of each of the commit's changes, in the same order. The two paths of a renamed file
	// share one entry: the new one has From and the counts, the old one has none.
	Files []providers.FileChange
	diffterms.Result
}

const (
	// maxCompared is the largest file that is compared, and contentCacheSize the bytes of content cached in one
	// generation: the content before a commit is often the content after an older one.
	maxCompared      = 1 << 20
	contentCacheSize = 2 << 20
	// contentBases is the bytes in one generation of the cache of delta bases: a version of a file is usually a
	// delta of the next younger one, which was read for an earlier commit of the walk.
	contentBases  = 16 << 20
	modeSubmodule = 0o160000
)

// contents compares the contents of files. It is for one goroutine.
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

// compare returns the changes from tree before to tree after.
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
		c.terms.Result() // discard the part that was read
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

// file compares one file; from is the index of the change that removed its old path, or -1.
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

// text returns content, and whether it is text that is small enough to compare. The content of a link is its
// target, that of a submodule the line that git shows for it.
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

// isPartial reports whether the clone has a promisor remote, which provides missing objects later.
func (r *Repository) isPartial() bool {
	list, err := r.objects.stores.list()
	return err == nil && list.promised
}
