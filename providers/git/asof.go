package git

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Frozen is the state of a repository at a time. The zero value is the state before its first commit.
type Frozen struct {
	// Head is the commit of HEAD's branch at that time, 40 hex digits, or "".
	Head string
	// Tips are the tips of the shared history at that time, like [Repository.Tips] today.
	Tips []Ref
	// Shallow is set if a shallow clone ends before the time was reached, so that the state is unknown.
	Shallow bool
}

// FrozenAt finds the commits of HEAD and of the other tips at t on their lines of first parents, like
// [Repository.At]. Only commits record what a branch was: a branch that was rebased since counts with the
// times of its new commits, and after a merge in the wrong direction the first parents are those of the other
// branch.
func (r *Repository) FrozenAt(t time.Time) (Frozen, error) {
	var p Frozen
	tips, err := r.Tips()
	if errors.Is(err, ErrEmpty) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	head, err := r.Head()
	if err != nil && !errors.Is(err, ErrEmpty) {
		return p, err
	}
	for _, tip := range tips {
		id, err := r.lineAt(plumbing.NewHash(tip.Hash), t)
		switch {
		case errors.Is(err, ErrShallow):
			p.Shallow = true
			continue
		case errors.Is(err, ErrNotFound):
			continue
		case err != nil:
			return p, err
		}
		if tip.Hash == head.Hash {
			p.Head = id
		}
		if len(p.Tips) == 0 || p.Tips[0].Hash != id {
			p.Tips = append(p.Tips, Ref{Name: tip.Name, Hash: id})
		}
	}
	return p, nil
}

// Freeze makes the repository answer as it did at p: Head, Tips, Mailmap and the revision HEAD are those of
// that time. Objects can still be read by id; [Repository.Reachable] checks whether a commit was part of the
// history.
func (r *Repository) Freeze(p Frozen) { r.frozen = &p }

// Reachable returns the only commit reachable from the tips whose id begins with the digits, four or more.
// Unlike [Repository.Resolve] it ignores all other commits. It may walk the whole history. It returns
// [ErrNotFound] if there is none, [ErrAmbiguous] if there are several.
func (r *Repository) Reachable(ctx context.Context, digits string) (string, error) {
	digits = strings.ToLower(digits)
	tips, err := r.tipIDs()
	if errors.Is(err, ErrEmpty) || len(digits) < minShort || !isHex(digits) {
		return "", fmt.Errorf("commit %s: %w", digits, ErrNotFound)
	}
	if err != nil {
		return "", err
	}
	ids, err := r.objects.withPrefix(digits[:min(len(digits), 2*idSHA1)])
	if err != nil {
		return "", err
	}
	found := ""
	for _, id := range ids {
		if typ, _, err := r.objects.get(id, maxBase); err != nil || typ != plumbing.CommitObject {
			continue
		}
		switch ok, err := r.Ancestor(ctx, id.String(), tips...); {
		case err != nil:
			return "", err
		case ok && found != "":
			return "", fmt.Errorf("commit %s: %w", digits, ErrAmbiguous)
		case ok:
			found = id.String()
		}
	}
	if found == "" {
		return "", fmt.Errorf("commit %s: %w", digits, ErrNotFound)
	}
	return found, nil
}

const (
	// maxLinks limits chains of symbolic links.
	maxLinks = 40
	// maxTarget is the longest target of a symbolic link in bytes.
	maxTarget = 4096
	modeLink  = 0o120000
)

// Follow returns the entry at a path in a revision and follows symbolic links that stay inside the tree. Its
// Path is the resolved path; its Mode is 0o40000 for a folder. It returns [ErrNotFound] if there is no entry,
// or if a link is dangling, cyclic or leaves the tree.
func (r *Repository) Follow(rev, name string) (Entry, error) {
	at := strings.Trim(name, "/")
	for range maxLinks {
		e, next, err := r.through(rev, at)
		if err != nil {
			return Entry{}, err
		}
		if next == "" {
			return e, nil
		}
		at = next
	}
	return Entry{}, fmt.Errorf("%s at %s: %w (links without end)", name, rev, ErrNotFound)
}

// through walks down a path. At the first symbolic link it returns the resolved path in next instead.
func (r *Repository) through(rev, name string) (e Entry, next string, err error) {
	segments := strings.Split(name, "/")
	for i := range segments {
		at := path.Join(segments[:i+1]...)
		te, err := r.lookup(rev, at)
		if err != nil {
			return Entry{}, "", err
		}
		if te.Mode&modeMask != modeLink {
			e = Entry{Path: at, Mode: te.Mode, Hash: te.Hash().String()}
			continue
		}
		target, err := r.blob(te.Hash(), maxTarget)
		if err != nil {
			return Entry{}, "", fmt.Errorf("%s at %s: %w", at, rev, err)
		}
		next := path.Join(path.Dir(at), string(target), path.Join(segments[i+1:]...))
		if path.IsAbs(string(target)) || next == ".." || next == "." || strings.HasPrefix(next, "../") {
			return Entry{}, "", fmt.Errorf("%s at %s: %w (a link that leads out of the tree)", at, rev, ErrNotFound)
		}
		return Entry{}, next, nil
	}
	return e, "", nil
}

// Content returns the bytes of a file that List or Follow returned; [ErrTooLarge] from 16 MiB on,
// [ErrNotFound] if they were never fetched.
func (r *Repository) Content(e Entry) ([]byte, error) {
	if e.Mode&modeMask == modeDir || e.Mode&modeMask == 0o160000 {
		return nil, fmt.Errorf("%s: %w (not a file)", e.Path, ErrNotFound)
	}
	b, err := r.blob(plumbing.NewHash(e.Hash), maxBlob)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Path, err)
	}
	return b, nil
}
