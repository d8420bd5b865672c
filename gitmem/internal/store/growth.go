package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/gitmem/gitmem/providers/git"
)

// Growth returns how many commits were added since a time, up to HEAD, by committer time, and by how many bytes the
// files of memory have grown, negative if they have shrunk.
func (s *Store) Growth(ctx context.Context, since time.Time) (commits int, bytes int64, err error) {
	repo, err := s.openHistory()
	if err != nil {
		return 0, 0, err
	}
	defer repo.Close()
	if _, err := repo.Head(); errors.Is(err, git.ErrEmpty) {
		return 0, 0, nil
	}
	for c, err := range repo.Walk(ctx, []string{"HEAD"}, git.WalkOptions{}) {
		if err != nil {
			return 0, 0, fmt.Errorf("history: %w", err)
		}
		if c.Committer.When.Before(since) {
			break
		}
		commits++
	}
	from, err := s.At(since.Add(-time.Nanosecond)) // a commit at exactly since counts as after it
	if err != nil && !errors.Is(err, git.ErrShallow) {
		return 0, 0, err
	}
	found, err := s.differences(ctx, from, "HEAD")
	for _, d := range found {
		before, beforeErr := s.sizeOf(d.Before)
		after, afterErr := s.sizeOf(d.After)
		bytes += after - before
		err = errors.Join(err, beforeErr, afterErr)
	}
	return commits, bytes, err
}

// sizeOf returns the size of a file of a revision, 0 if it is missing.
func (s *Store) sizeOf(e git.Entry) (int64, error) {
	if !isRegularMode(e.Mode) {
		return 0, nil
	}
	id, _ := parseHash(e.Hash)
	b, err := s.objects.get(id, "blob")
	return int64(len(b)), err
}

// Space returns the disk space of the repository, and the number of its objects that are not packed. It ignores files
// that vanish meanwhile.
func (s *Store) Space() (bytes int64, loose int, err error) {
	if s.gitDir == "" {
		return 0, 0, nil
	}
	err = s.walk(s.gitDir, func(rel string, d fs.DirEntry) error {
		info, err := d.Info()
		if d.IsDir() || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		bytes += info.Size()
		if s.isFanout(path.Dir(rel)) {
			loose++
		}
		return nil
	})
	if err != nil {
		err = fmt.Errorf("measure the repository: %w", err)
	}
	return bytes, loose, err
}
