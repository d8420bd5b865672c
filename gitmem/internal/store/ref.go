package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gitmem/gitmem/providers/git"
)

// head is the reference that the next commit moves.
type head struct {
	ref string // refs/heads/main, or HEAD if it is detached
	id  hash   // zero if there is no commit
}

// head resolves HEAD, through symbolic references.
func (s *Store) head() (head, error) {
	name := "HEAD"
	for range 6 { // git follows at most five
		id, target, err := s.readRef(name)
		if err != nil {
			return head{}, err
		}
		if target == "" {
			return head{name, id}, nil
		}
		name = target
	}
	return head{}, errors.New("HEAD: too many symbolic references")
}

// readRef returns the content of a reference: an id, zero if the reference does not exist, or the name of another
// reference.
func (s *Store) readRef(name string) (id hash, target string, err error) {
	ref, err := git.ReadRef(s.GitDir(), name)
	switch {
	// continuing would begin another history beside the existing one
	case errors.Is(err, plumbing.ErrReferenceNotFound) && name == "HEAD":
		return id, "", fmt.Errorf("%s is missing: write its branch to it, as in ref: refs/heads/main", s.gitPath(name))
	case errors.Is(err, plumbing.ErrReferenceNotFound):
		return id, "", nil
	case err != nil:
		return id, "", fmt.Errorf("reference %w", err)
	case ref.Type() == plumbing.SymbolicReference && !safeRef(ref.Target().String()):
		return id, "", fmt.Errorf("%s names the bad reference %q", name, ref.Target())
	}
	return ref.Hash(), ref.Target().String(), nil
}

func safeRef(name string) bool {
	return strings.HasPrefix(name, "refs/") && path.Clean(name) == name && fs.ValidPath(name) &&
		!strings.HasSuffix(name, ".lock") && !strings.ContainsAny(name, "\\:\x00\n")
}

// gitPath returns the path of a file of our git directory, relative to the root.
func (s *Store) gitPath(name string) string { return s.gitDir + "/" + name }

// commitTree returns the tree of a commit; zero for no commit.
func (s *Store) commitTree(id hash) (hash, error) {
	if id.IsZero() {
		return hash{}, nil
	}
	body, err := s.objects.get(id, "commit")
	if err != nil {
		return hash{}, err
	}
	tree, err := treeOf(body)
	if err != nil {
		return hash{}, fmt.Errorf("commit %s: %w", id, err)
	}
	return tree, nil
}
