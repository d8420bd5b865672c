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

// Growth measures what was added since a time, up to HEAD: the commits, by their committer's
// time, and by how many bytes the files of memory have grown, negative where they have
// shrunk.
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
	from, err := s.At(since.Add(-time.Nanosecond)) // what was committed at since has come since
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

// sizeOf is the size of a file of a revision, 0 for none.
func (s *Store) sizeOf(e git.Entry) (int64, error) {
	if !isRegularMode(e.Mode) {
		return 0, nil
	}
	id, _ := parseHash(e.Hash)
	b, err := s.objects.get(id, "blob")
	return int64(len(b)), err
}

// Space is what the repository takes on disk, and how many of its objects are not packed
// yet. What vanishes meanwhile is left out.
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
