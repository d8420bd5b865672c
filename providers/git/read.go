package git

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// maxBlob limits what Blob reads into memory.
const maxBlob = 16 << 20

// Entry is one file in a tree.
type Entry struct {
	// Path is slash-separated and relative to the root of the repository.
	Path string
	// Mode is git's: 0o100644, 0o100755, 0o120000 (symbolic link) or 0o160000 (submodule, whose hash is a commit
	// of another repository).
	Mode uint32
	// Hash is 40 hex digits.
	Hash string
}

// Commit returns one commit with its changes. For rev see [Repository.Resolve].
func (r *Repository) Commit(rev string) (Commit, error) {
	return r.commit(context.Background(), rev, false, r.Mailmap()) // one commit is fast, so it needs no context
}

// commit returns one commit, with its diff terms if requested.
func (r *Repository) commit(ctx context.Context, rev string, diffTerms bool, mm *Mailmap) (Commit, error) {
	id, err := r.resolve(rev)
	if err != nil {
		return Commit{}, err
	}
	raw, err := r.readCommit(id)
	if err != nil {
		return Commit{}, err
	}
	c := r.present(id, raw, mm)
	x := newCompared(node{raw: raw}, r.treeOf)
	x.compare(ctx, r.comparer(diffTerms))
	err = r.setChanges(&c, x.found)
	return c, err
}

// At returns the newest commit on HEAD's line of first parents that is not newer than t, by committer time:
// the state of the branch at t, assuming correct clocks. It returns [ErrNotFound] if the history begins
// later, [ErrShallow] if a shallow clone ends before.
func (r *Repository) At(t time.Time) (string, error) {
	head, err := r.Head()
	if err != nil {
		return "", err
	}
	return r.lineAt(plumbing.NewHash(head.Hash), t)
}

// lineAt is At for the line of first parents of a commit.
func (r *Repository) lineAt(from plumbing.Hash, t time.Time) (string, error) {
	id, c, err := r.firstParents(from, func(c *metadata) bool { return c.seconds <= t.Unix() })
	switch {
	case err != nil:
		return "", err
	case c.seconds <= t.Unix():
		return id.String(), nil
	case r.shallow[id]:
		return "", fmt.Errorf("commit at %s: %w", t.Format(time.RFC3339), ErrShallow)
	}
	return "", fmt.Errorf("commit at %s: %w (the history begins later)", t.Format(time.RFC3339), ErrNotFound)
}

// Root returns the first commit on HEAD's line of first parents. It is the same
// in every clone, fork and worktree. A shallow clone does not have it:
// [ErrShallow].
func (r *Repository) Root() (string, error) {
	head, err := r.Head()
	if err != nil {
		return "", err
	}
	id, _, err := r.firstParents(plumbing.NewHash(head.Hash), func(*metadata) bool { return false })
	if err != nil {
		return "", err
	}
	if r.shallow[id] {
		return "", fmt.Errorf("root of %s: %w", r.loc.GitDir, ErrShallow)
	}
	return id.String(), nil
}

// firstParents walks from a commit until stop or the end.
func (r *Repository) firstParents(id plumbing.Hash, stop func(*metadata) bool) (plumbing.Hash, *metadata, error) {
	for {
		c, err := r.metadataOf(id)
		if err != nil {
			return plumbing.ZeroHash, nil, err
		}
		if len(c.parents) == 0 || stop(c) {
			return id, c, nil
		}
		id = c.parents[0]
	}
}

// Blob returns the content of a file at a revision; for a symbolic link, its target. It returns [ErrNotFound]
// if there is no such file or the content was never fetched, [ErrTooLarge] from 16 MiB on.
func (r *Repository) Blob(rev, path string) ([]byte, error) {
	e, err := r.lookup(rev, path)
	if err != nil {
		return nil, err
	}
	return r.Content(Entry{Path: path + " at " + rev, Mode: e.Mode, Hash: e.Hash().String()})
}

// blob returns a copy of the content of a file of at most limit bytes.
func (r *Repository) blob(id plumbing.Hash, limit int64) ([]byte, error) {
	b, err := r.readBlob(id, limit)
	if err != nil {
		return nil, err
	}
	return append(make([]byte, 0, len(b)), b...), nil
}

// readBlob returns the same content without a copy; the caller must not change it.
func (r *Repository) readBlob(id plumbing.Hash, limit int64) ([]byte, error) {
	typ, b, err := r.objects.get(id, limit)
	if err == nil && typ != plumbing.BlobObject {
		err = fmt.Errorf("object %s: %w (a %s and not a file)", id, ErrNotFound, typ)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// List returns the files under a folder at a revision, in tree order; "" is the root. For the path of a file
// it returns that file. It returns [ErrNotFound] if the path does not exist.
func (r *Repository) List(rev, dir string) ([]Entry, error) {
	e, err := r.lookup(rev, dir)
	if err != nil {
		return nil, err
	}
	dir = strings.Trim(dir, "/")
	var out []Entry
	add := func(path string, e TreeEntry) error {
		if len(out) > maxFiles {
			return ErrTooLarge
		}
		out = append(out, Entry{Path: path, Mode: e.Mode, Hash: e.Hash().String()})
		return nil
	}
	if !e.IsDir() {
		err = add(dir, e)
		return out, err
	}
	if dir != "" {
		dir += "/"
	}
	all := func(string) bool { return true }
	if err := TreeReader(r.readTree).Files(e.Hash(), dir, all, add); err != nil {
		return nil, fmt.Errorf("list %q at %s: %w", dir, rev, err)
	}
	return out, nil
}

// lookup returns the entry of a path; "" is the root folder.
func (r *Repository) lookup(rev, path string) (TreeEntry, error) {
	id, err := r.resolve(rev)
	if err != nil {
		return TreeEntry{}, err
	}
	tree, err := r.treeOf(id)
	if err != nil {
		return TreeEntry{}, err
	}
	at, ok, err := TreeReader(r.readTree).Find(tree, path)
	if !ok && err == nil {
		err = ErrNotFound
	}
	if err != nil {
		return TreeEntry{}, fmt.Errorf("%s at %s: %w", path, rev, err)
	}
	return at, nil
}

// Difference is a path at which two states have different entries that are not folders. The Mode of a missing
// entry is 0.
type Difference struct{ Before, After Entry }

// Differences returns the paths that differ between two revisions, sorted as in trees; "" is the empty tree.
func (r *Repository) Differences(ctx context.Context, before, after string) ([]Difference, error) {
	var trees [2]plumbing.Hash
	for i, rev := range []string{before, after} {
		if rev == "" {
			continue
		}
		id, err := r.resolve(rev)
		if err == nil {
			trees[i], err = r.treeOf(id)
		}
		if err != nil {
			return nil, err
		}
	}
	d := differ{tree: r.readTree}
	if err := d.diff(ctx, trees[0], trees[1], "", 0); err != nil {
		return nil, err
	}
	out := make([]Difference, len(d.changes))
	for i, c := range d.changes {
		x := d.sides[i]
		out[i] = Difference{Entry{c.Path, x.before.mode, x.before.id.String()},
			Entry{c.Path, x.after.mode, x.after.id.String()}}
	}
	return out, nil
}
