package git

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// Ref is a name and the commit that it refers to.
type Ref struct {
	// Name is a full name such as refs/heads/main, or HEAD when HEAD is detached.
	Name string
	// Hash is 40 hex digits; in a repository with SHA-256 the first 40 of 64.
	Hash string
}

// Head returns the branch of HEAD. For a detached HEAD the name is "HEAD". If HEAD's branch has no commits,
// the error is [ErrEmpty].
func (r *Repository) Head() (Ref, error) {
	if r.frozen != nil { // a frozen repository is on no branch
		if r.frozen.Head == "" {
			return Ref{}, ErrEmpty
		}
		return Ref{Name: "HEAD", Hash: r.frozen.Head}, nil
	}
	ref, err := r.ref("HEAD")
	if errors.Is(err, ErrNotFound) {
		return Ref{}, fmt.Errorf("HEAD of %s: %w", r.loc.GitDir, ErrEmpty)
	}
	return ref, err
}

// Tips returns the tips of the shared history: HEAD and, if it is known, the default branch of the remote
// origin (refs/remotes/origin/HEAD, else main, else master). Two names for one commit are one tip. Without
// any of them the error is [ErrEmpty].
func (r *Repository) Tips() ([]Ref, error) {
	if r.frozen != nil && len(r.frozen.Tips) == 0 {
		return nil, ErrEmpty
	}
	if r.frozen != nil {
		return slices.Clone(r.frozen.Tips), nil
	}
	var tips []Ref
	head, err := r.Head()
	switch {
	case err == nil:
		tips = append(tips, head)
	case !errors.Is(err, ErrEmpty):
		return nil, err
	}
	for _, name := range []string{"refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master"} {
		ref, err := r.ref(name)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(tips) == 0 || tips[0].Hash != ref.Hash {
			tips = append(tips, ref)
		}
		break
	}
	if len(tips) == 0 {
		return nil, err
	}
	return tips, nil
}

// ref resolves a name: it returns the last name and its id, or [ErrNotFound] if the name or its target does
// not exist.
func (r *Repository) ref(name string) (Ref, error) {
	ref, err := storer.ResolveReference(r.store, plumbing.ReferenceName(name))
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		err = ErrNotFound
	}
	if err != nil {
		return Ref{}, fmt.Errorf("ref %s: %w", name, err)
	}
	return Ref{Name: ref.Name().String(), Hash: ref.Hash().String()}, nil
}
