package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gitmem/gitmem/providers/git"
)

// Growth is what a span of time has brought to the memory's history.
type Growth struct {
	Since   time.Time
	Commits int
	Bytes   int64 // by which the files of memory have grown; negative where they have shrunk
}

// Growth tells what came since each of the times, in their order, up to HEAD. The
// commits are counted by their committer's time.
func (s *Store) Growth(ctx context.Context, since ...time.Time) ([]Growth, error) {
	out := make([]Growth, len(since))
	for i, t := range since {
		out[i].Since = t
	}
	repo, err := s.openHistory()
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	if _, err := repo.Head(); errors.Is(err, git.ErrEmpty) || len(since) == 0 {
		return out, nil
	}
	first := slices.MinFunc(since, time.Time.Compare)
	for c, err := range repo.Walk(ctx, []string{"HEAD"}, git.WalkOptions{}) {
		if err != nil {
			return nil, fmt.Errorf("history: %w", err)
		}
		if c.Committer.When.Before(first) {
			break
		}
		for i := range out {
			if !c.Committer.When.Before(out[i].Since) {
				out[i].Commits++
			}
		}
	}
	return out, s.grown(ctx, out)
}

// grown fills in the bytes. The spans end at HEAD, so each is the next shorter one
// and what came before that: no file is looked at twice.
func (s *Store) grown(ctx context.Context, spans []Growth) error {
	newest := make([]*Growth, len(spans))
	for i := range spans {
		newest[i] = &spans[i]
	}
	slices.SortFunc(newest, func(a, b *Growth) int { return b.Since.Compare(a.Since) })
	to := "HEAD"
	var sum int64
	for _, g := range newest {
		from, err := s.At(g.Since.Add(-time.Nanosecond)) // what was committed at Since has come since
		if err != nil && !errors.Is(err, git.ErrShallow) {
			return err
		}
		if to == "" {
			g.Bytes = sum
			continue
		}
		found, err := s.differences(ctx, from, to)
		if err != nil {
			return err
		}
		for _, d := range found {
			before, err := s.sizeOf(d.Before)
			if err != nil {
				return err
			}
			after, err := s.sizeOf(d.After)
			if err != nil {
				return err
			}
			sum += after - before
		}
		g.Bytes, to = sum, from
	}
	return nil
}

// sizeOf is the size of a file of a revision, 0 for none.
func (s *Store) sizeOf(e git.Entry) (int64, error) {
	if !isRegularMode(e.Mode) {
		return 0, nil
	}
	id, _ := parseHash(e.Hash)
	return s.objects.size(id)
}

// Space is what the repository takes on disk.
type Space struct {
	Bytes int64
	Loose int // objects that are not packed yet
}

// Space measures the repository's folder. What vanishes meanwhile is left out.
func (s *Store) Space() (Space, error) {
	var out Space
	if s.gitDir == "" {
		return out, nil
	}
	objects := filepath.Join(s.GitDir(), "objects")
	err := filepath.WalkDir(s.GitDir(), func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		out.Bytes += info.Size()
		if dir := filepath.Dir(name); filepath.Dir(dir) == objects && len(filepath.Base(dir)) == 2 {
			out.Loose++
		}
		return nil
	})
	if err != nil {
		return out, fmt.Errorf("measure the repository: %w", err)
	}
	return out, nil
}
