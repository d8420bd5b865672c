package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// head is where the next commit goes.
type head struct {
	ref string // refs/heads/main, or HEAD if it is detached
	id  hash   // zero while there is no commit
}

// head resolves HEAD, through symbolic references.
func (s *Store) head() (head, error) {
	name := "HEAD"
	for range 6 { // git follows five
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

// readRef returns what a reference holds: an id, zero if the reference does
// not exist, or the name of another one.
func (s *Store) readRef(name string) (id hash, target string, err error) {
	b, err := s.disk.readFile(s.gitPath(name))
	if err != nil {
		if !isMissing(err) {
			return hash{}, "", fmt.Errorf("read %s: %w", name, err)
		}
		if name == "HEAD" { // to go on would begin another history beside the one that is there
			return hash{}, "", fmt.Errorf("%s is missing: write its branch to it, as in ref: refs/heads/main", s.gitPath(name))
		}
		id, err = s.packedRef(name)
		return id, "", err
	}
	text := strings.TrimRight(string(b), "\n\r \t")
	if rest, ok := strings.CutPrefix(text, "ref:"); ok {
		target = strings.TrimSpace(rest)
		if !safeRef(target) {
			return hash{}, "", fmt.Errorf("%s names the bad reference %q", name, target)
		}
		return hash{}, target, nil
	}
	id, ok := parseHash(text)
	if !ok {
		return hash{}, "", fmt.Errorf("reference %s is damaged", name)
	}
	return id, "", nil
}

// isMissing also covers "refs/heads/a/b" where refs/heads/a is a file.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || isNotDir(err)
}

func safeRef(name string) bool {
	return strings.HasPrefix(name, "refs/") && path.Clean(name) == name && fs.ValidPath(name) &&
		!strings.HasSuffix(name, ".lock") && !strings.ContainsAny(name, "\\:\x00\n")
}

// packedRef looks a reference up in packed-refs; zero if it is not there.
func (s *Store) packedRef(name string) (hash, error) {
	b, err := s.disk.readFile(s.gitPath("packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return hash{}, nil
	}
	if err != nil {
		return hash{}, fmt.Errorf("read packed-refs: %w", err)
	}
	for line := range bytes.Lines(b) {
		hex, ref, ok := strings.Cut(strings.TrimSpace(string(line)), " ")
		if !ok || ref != name {
			continue
		}
		id, ok := parseHash(hex)
		if !ok {
			return hash{}, fmt.Errorf("reference %s is damaged in packed-refs", name)
		}
		return id, nil
	}
	return hash{}, nil
}

// gitPath returns the path below the root of a file of our git directory.
func (s *Store) gitPath(name string) string { return s.gitDir + "/" + name }

// commitTree returns the tree of a commit; zero for no commit.
func (s *Store) commitTree(id hash) (hash, error) {
	if id.isZero() {
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
