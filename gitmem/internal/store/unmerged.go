package store

import (
	"bytes"
	"context"
	"fmt"

	"github.com/gitmem/gitmem/markdown"
)

// Unmerged is a path that a merge left in git's index in several versions, nil for a missing one.
type Unmerged struct {
	Path               string
	Base, Ours, Theirs []byte
}

// Unmerged lists the unmerged paths, sorted.
func (s *Store) Unmerged() (list []Unmerged, err error) {
	snap, err := s.snapshot()
	if err != nil || snap.index == nil {
		return nil, err
	}
	for _, e := range snap.index.entries {
		if e.stage() == 0 {
			continue
		}
		if n := len(list); n == 0 || list[n-1].Path != string(e.name) {
			list = append(list, Unmerged{Path: string(e.name)})
		}
		u := &list[len(list)-1]
		side := [...]*[]byte{&u.Base, &u.Ours, &u.Theirs}[e.stage()-1]
		if !isRegularMode(e.mode()) {
			continue // links and submodules are not memory
		}
		if *side, err = s.objects.get(e.id(), "blob"); err != nil {
			return nil, fmt.Errorf("%s: %w", u.Path, err)
		}
		if *side == nil {
			*side = []byte{}
		}
	}
	return list, nil
}

// Conflicted lists the files on disk that contain git's conflict markers.
func (s *Store) Conflicted() (paths []string, err error) {
	files, err := s.onDisk()
	for _, f := range files {
		b, _, readErr := s.disk.readPlain(f.Path)
		if readErr == nil && len(markdown.MarkedConflicts(b)) > 0 { // doctor reports unreadable files
			paths = append(paths, f.Path)
		}
	}
	return paths, err
}

// Settle replaces a file by the result of become, nil for no file, and adds it to git's index as merged. It is not
// committed. Unlike a rewrite it is not repeated after a rebase, because it adds no new text.
func (s *Store) Settle(ctx context.Context, rel string, become func(now []byte) ([]byte, error)) error {
	if !s.allowed(rel) {
		return fmt.Errorf("settle %q: %w", rel, ErrNotAllowed)
	}
	unlock, err := s.lockRepaired(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := s.rewriteFile(ctx, rel, become); err != nil {
		return fmt.Errorf("settle %s: %w", rel, err)
	}
	_, err = s.ourGit(ctx, nil, "--literal-pathspecs", "add", "--all", "--force", "--", rel)
	return err
}

// DropUnmerged removes a path that is not memory from git's index. The file on disk stays.
func (s *Store) DropUnmerged(ctx context.Context, name string) error {
	_, err := s.ourGit(ctx, []byte(name+"\x00"), "update-index", "--force-remove", "-z", "--stdin")
	return err
}

// EndMerge commits a merge without unmerged paths; made is false if no merge is in progress.
func (s *Store) EndMerge(ctx context.Context) (made bool, err error) {
	if !s.InMerge() || s.Unfinished() != "" {
		return false, nil
	}
	if left, err := s.Unmerged(); err != nil || len(left) > 0 {
		return false, err
	}
	who := s.o.who(s.o.Now())
	name, rest, _ := bytes.Cut([]byte(who), []byte(" <"))
	email, _, _ := bytes.Cut(rest, []byte("> "))
	_, err = s.ourGit(ctx, nil, "-c", "user.name="+string(name), "-c", "user.email="+string(email), "commit",
		"--quiet", "--no-edit", "--cleanup=strip")
	return err == nil, err
}
