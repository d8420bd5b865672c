package store

import (
	"context"
	"encoding/binary"
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
	to, err := s.revisionTree("HEAD")
	if err != nil {
		return err
	}
	sizes := s.indexedSizes()
	var sum int64
	for _, g := range newest {
		from, err := s.treeBefore(g.Since)
		if err != nil {
			return err
		}
		n, err := s.grownTree(from, to, "", sizes)
		if err != nil {
			return err
		}
		sum += n
		g.Bytes, to = sum, from
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// treeBefore is the tree of the last commit before a time, zero where the history
// begins later or is cut off.
func (s *Store) treeBefore(t time.Time) (hash, error) {
	rev, err := s.At(t.Add(-time.Nanosecond)) // what was committed at t has come since
	if errors.Is(err, git.ErrShallow) || err == nil && rev == "" {
		return hash{}, nil
	}
	if err != nil {
		return hash{}, err
	}
	return s.revisionTree(rev)
}

// indexedSizes are the sizes of blobs that the index tells, which saves reading
// them. Git writes 0 where a size proves nothing.
func (s *Store) indexedSizes() map[hash]int64 {
	out := map[hash]int64{}
	snap, err := s.snapshot()
	if err != nil || snap.index == nil {
		return out
	}
	for _, e := range snap.index.entries {
		if n := binary.BigEndian.Uint32(e.raw[offID-4:]); n > 0 { // the field before the id
			out[e.id()] = int64(n)
		}
	}
	return out
}

// grownTree sums the sizes of the allowed files that differ, the old ones taken off.
func (s *Store) grownTree(a, b hash, dir string, sizes map[hash]int64) (int64, error) {
	if a == b {
		return 0, nil
	}
	before, err := s.entriesOf(a, dir)
	if err != nil {
		return 0, err
	}
	after, err := s.entriesOf(b, dir)
	if err != nil {
		return 0, err
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			before[name] = treeEntry{}
		}
	}
	var sum int64
	for name, x := range before {
		y, p := after[name], dir+name
		if x.id == y.id && x.mode == y.mode {
			continue
		}
		var sub [2]hash
		for i, e := range []treeEntry{x, y} {
			switch {
			case e.mode == modeTree:
				sub[i] = e.id
			case isRegularMode(e.mode) && s.allowed(p):
				n, known := sizes[e.id]
				if !known {
					if n, err = s.objects.size(e.id); err != nil {
						return 0, err
					}
				}
				sum += n * int64(2*i-1)
			}
		}
		if mayHold(p + "/") {
			n, err := s.grownTree(sub[0], sub[1], p+"/", sizes)
			if err != nil {
				return 0, err
			}
			sum += n
		}
	}
	return sum, nil
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
