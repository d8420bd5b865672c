package store

import (
	"context"
	"errors"
	"iter"
	"maps"
	"os/exec"
	"slices"
)

// WithoutGit makes a store work as on a machine without git.
func WithoutGit(s *Store) {
	s.disk.around = func(st *step, do func() error) error {
		if st.op == "git" {
			return exec.ErrNotFound
		}
		return do()
	}
}

// WithOldGit makes a store treat its git as one of 2018.
func WithOldGit(s *Store) {
	s.disk.around = func(st *step, do func() error) error {
		if st.op == "git" {
			st.args = []string{"-c", "it.says=git version 2.17.1", "config", "it.says"}
		}
		return do()
	}
}

// AllowedIn returns the cached form of Allowed.
func AllowedIn() func(string) bool { return new(allowedIn).allowed }

// Maintain packs as StartMaintenance does, but waits for the end.
func (s *Store) Maintain(ctx context.Context) error {
	due, err := s.wantsPacking()
	if err != nil || !due {
		return err
	}
	if err := s.git(ctx, nil, s.gcArgs()...); !errors.Is(err, exec.ErrNotFound) {
		return err
	}
	return nil
}

// FilesAt lists the memory files of a revision, by path.
func (s *Store) FilesAt(rev string) iter.Seq2[FileInfo, error] {
	return func(yield func(FileInfo, error) bool) {
		repo, err := s.openHistory()
		if err != nil {
			yield(FileInfo{}, err)
			return
		}
		defer repo.Close()
		var files map[string]file
		id, err := repo.Resolve(rev)
		if err == nil {
			commit, _ := parseHash(id)
			var tree hash
			if tree, err = s.commitTree(commit); err == nil {
				files, err = s.headFiles(&snapshot{tree: tree})
			}
		}
		if err != nil {
			yield(FileInfo{}, orAbsent(rev, err))
			return
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			b, err := s.objects.get(files[name].id, "blob")
			if isMarkdown(name) && !yield(FileInfo{Path: name, Size: int64(len(b))}, err) {
				return
			}
		}
	}
}
