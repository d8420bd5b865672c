package git

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// maxBlob bounds what Blob reads into memory.
const maxBlob = 16 << 20

// Entry is one file in a tree.
type Entry struct {
	// Path has slashes and is relative to the top of the repository.
	Path string
	// Mode is git's: 0o100644, 0o100755, 0o120000 (symbolic link) or 0o160000
	// (submodule, whose hash is a commit elsewhere).
	Mode uint32
	// Hash is 40 hex digits.
	Hash string
}

// Commit returns one commit with its changes. For rev see [Repository.Resolve].
func (r *Repository) Commit(rev string) (Commit, error) {
	return r.commit(context.Background(), rev, false)
}

// commit returns one commit, with its substance if that is asked for.
func (r *Repository) commit(ctx context.Context, rev string, substance bool) (Commit, error) {
	id, err := r.resolve(rev)
	if err != nil {
		return Commit{}, err
	}
	raw, err := r.readCommit(id)
	if err != nil {
		return Commit{}, err
	}
	c := r.present(id, raw, r.Mailmap())
	return c, r.fillChanges(ctx, &c, raw, r.treeOf, substance)
}

// At returns the newest commit on HEAD's line of first parents that is not newer
// than t, by committer time: what the branch was at t, as far as its clocks tell.
// [ErrNotFound] where the history begins later, [ErrShallow] where it is cut off
// before.
func (r *Repository) At(t time.Time) (string, error) {
	head, err := r.Head()
	if err != nil {
		return "", err
	}
	return r.lineAt(plumbing.NewHash(head.Hash), t)
}

// lineAt is At for the line of first parents behind a commit.
func (r *Repository) lineAt(from plumbing.Hash, t time.Time) (string, error) {
	id, c, err := r.firstParents(from, func(c *lineage) bool { return c.seconds <= t.Unix() })
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
	id, _, err := r.firstParents(plumbing.NewHash(head.Hash), func(*lineage) bool { return false })
	if err != nil {
		return "", err
	}
	if r.shallow[id] {
		return "", fmt.Errorf("root of %s: %w", r.loc.GitDir, ErrShallow)
	}
	return id.String(), nil
}

// firstParents walks from a commit until stop or the end.
func (r *Repository) firstParents(id plumbing.Hash, stop func(*lineage) bool) (plumbing.Hash, *lineage, error) {
	for {
		c, err := r.lineageOf(id)
		if err != nil {
			return plumbing.ZeroHash, nil, err
		}
		if len(c.parents) == 0 || stop(c) {
			return id, c, nil
		}
		id = c.parents[0]
	}
}

// Blob returns the content of a file at a revision; of a symbolic link, its
// target. [ErrNotFound] where there is no such file or the content was never
// fetched, [ErrTooLarge] from 16 MiB on.
func (r *Repository) Blob(rev, path string) ([]byte, error) {
	e, err := r.lookup(rev, path)
	if err != nil {
		return nil, err
	}
	if e.isDir() || e.mode&modeMask == 0o160000 {
		return nil, fmt.Errorf("%s at %s: %w (not a file)", path, rev, ErrNotFound)
	}
	_, b, err := r.objects.get(e.hash(), maxBlob)
	if err != nil {
		return nil, fmt.Errorf("%s at %s: %w", path, rev, err)
	}
	return bytes.Clone(b), nil
}

// List returns the files under a folder at a revision, in tree order; "" is the
// top. A path that names a file gives that file. [ErrNotFound] where there is
// nothing of that name.
func (r *Repository) List(rev, dir string) ([]Entry, error) {
	e, err := r.lookup(rev, dir)
	if err != nil {
		return nil, err
	}
	dir = strings.Trim(dir, "/")
	if !e.isDir() {
		return []Entry{{Path: dir, Mode: e.mode, Hash: e.hash().String()}}, nil
	}
	if dir != "" {
		dir += "/"
	}
	var out []Entry
	if err := r.list(e.hash(), dir, 0, &out); err != nil {
		return nil, fmt.Errorf("list %q at %s: %w", dir, rev, err)
	}
	return out, nil
}

func (r *Repository) list(id plumbing.Hash, prefix string, depth int, out *[]Entry) error {
	if depth > maxTreeDepth || len(*out) > maxFiles {
		return ErrTooLarge
	}
	b, err := r.readTree(id)
	if err != nil {
		return err
	}
	for len(b) > 0 {
		e, n, err := nextEntry(b)
		if err != nil {
			return fmt.Errorf("tree %s: %w", id, err)
		}
		b = b[n:]
		path := prefix + string(e.name)
		if !e.isDir() {
			*out = append(*out, Entry{Path: path, Mode: e.mode, Hash: e.hash().String()})
		} else if err := r.list(e.hash(), path+"/", depth+1, out); err != nil {
			return err
		}
	}
	return nil
}

// lookup finds the entry of a path; "" is the top folder.
func (r *Repository) lookup(rev, path string) (treeEntry, error) {
	id, err := r.resolve(rev)
	if err != nil {
		return treeEntry{}, err
	}
	tree, err := r.treeOf(id)
	if err != nil {
		return treeEntry{}, err
	}
	at := treeEntry{mode: modeDir, id: tree[:]}
	for name := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if name == "" {
			continue
		}
		if !at.isDir() {
			return treeEntry{}, fmt.Errorf("%s at %s: %w", path, rev, ErrNotFound)
		}
		if at, err = r.child(at.hash(), name); err != nil {
			return treeEntry{}, fmt.Errorf("%s at %s: %w", path, rev, err)
		}
	}
	return at, nil
}

func (r *Repository) child(tree plumbing.Hash, name string) (treeEntry, error) {
	b, err := r.readTree(tree)
	if err != nil {
		return treeEntry{}, err
	}
	for len(b) > 0 {
		e, n, err := nextEntry(b)
		if err != nil {
			return e, fmt.Errorf("tree %s: %w", tree, err)
		}
		if bytes.Equal(e.name, []byte(name)) {
			return e, nil
		}
		b = b[n:]
	}
	return treeEntry{}, ErrNotFound
}
