package store

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers/git"
)

// FileDiff is a file of memory in two states. Before or After is nil if the file does not exist in that state, and
// empty but not nil for an empty file. The bytes are as stored: not redacted.
type FileDiff struct {
	Path          string
	Before, After []byte
}

// Difference returns the files of memory that differ between two states, sorted by path. States are revisions as in
// Read; from "" is the empty state and to "" is the current content on disk. under restricts the result to a file or to
// the files below a folder. Files that memory does not track are omitted.
func (s *Store) Difference(ctx context.Context, from, to, under string) ([]FileDiff, error) {
	dir := strings.TrimSuffix(under, "/") + "/"
	return s.DifferenceOf(ctx, from, to,
		func(p string) bool { return under == "" || p == under || strings.HasPrefix(p, dir) })
}

// DifferenceOf is Difference for the files that want accepts.
func (s *Store) DifferenceOf(ctx context.Context, from, to string, want func(path string) bool) ([]FileDiff, error) {
	paths, err := s.differingPaths(ctx, from, to)
	if err != nil {
		return nil, err
	}
	var out []FileDiff
	for _, p := range paths {
		if !want(p) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d := FileDiff{Path: p}
		if from != "" {
			if d.Before, err = s.ReadMaybe(from, p); err != nil {
				return nil, err
			}
		}
		if d.After, err = s.ReadMaybe(to, p); err != nil {
			return nil, err
		}
		if !SameContent(d.Before, d.After) {
			out = append(out, d)
		}
	}
	return out, nil
}

// ReadMaybe is Read for a file that may be missing: it returns nil if so, and a non-nil slice for an empty file.
func (s *Store) ReadMaybe(rev, rel string) ([]byte, error) {
	b, err := s.Read(rev, rel)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if b == nil && err == nil {
		b = []byte{}
	}
	return b, err
}

// differingPaths lists candidates: paths that differ between the two trees, and for the disk those that differ from
// HEAD.
func (s *Store) differingPaths(ctx context.Context, from, to string) ([]string, error) {
	var paths []string
	if to == "" {
		var err error
		if paths, err = s.Pending(ctx); err != nil {
			return nil, err
		}
		to = "HEAD"
	}
	found, err := s.differences(ctx, from, to)
	for _, d := range found {
		paths = append(paths, d.Before.Path)
	}
	slices.Sort(paths)
	return slices.Compact(paths), err
}

// differences lists the allowed files that differ between two revisions. HEAD may have no commit yet.
func (s *Store) differences(ctx context.Context, from, to string) ([]git.Difference, error) {
	repo, err := s.openHistory()
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	if _, err := repo.Head(); errors.Is(err, git.ErrEmpty) && to == "HEAD" {
		to = ""
	}
	found, err := repo.Differences(ctx, from, to)
	if err != nil {
		return nil, orAbsent("from "+from+" to "+to, err)
	}
	return slices.DeleteFunc(found, func(d git.Difference) bool {
		return !isRegularMode(d.Before.Mode) && !isRegularMode(d.After.Mode) || !s.allowed(d.Before.Path)
	}), nil
}
