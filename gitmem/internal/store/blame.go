package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/markdown/linediff"
	"github.com/gitmem/gitmem/providers/git"
)

// Origin is the origin of one line of a file.
type Origin struct {
	Line   int    // 1-based
	Text   string // with its line end, as stored: not redacted
	Commit string // the commit that wrote it, 40 hex digits; "" if uncommitted
}

// Blame returns for each line of a file the commit that wrote it. The lines are those on disk (rev "") or of a
// revision. A line of a merge is attributed to the first parent that contains it, or to the merge itself if no parent
// does. Renames are not followed because files of memory do not move. Errors are those of Read, and ErrNoStore if there
// is no repository.
func (s *Store) Blame(ctx context.Context, rev, rel string) (out []Origin, err error) {
	err = s.trace(rev, rel, func(l traced) error {
		for line := range bytes.Lines(l.body) {
			out = append(out, Origin{Line: len(out) + 1, Text: string(line)})
		}
		if l.old == nil || len(out) == 0 {
			return nil
		}
		origins, err := l.repo.Blame(ctx, l.rev, rel, 0, 0)
		if err != nil {
			return err
		}
		end := linediff.Hunk{Old: linediff.Range{Start: len(origins)}, New: linediff.Range{Start: len(out)}}
		n, at := 0, 0
		for _, h := range append(l.since, end) {
			for ; n < h.New.Start; n, at = n+1, at+1 {
				out[n].Commit = origins[at].Commit
			}
			n, at = h.New.End, h.Old.End
		}
		return nil
	})
	return out, err
}

// LineLog yields the commits that changed a range of lines of a file, newest first: those that wrote one of the lines,
// or changed or removed one in the range. The range is 0-based and refers to the lines on disk. The sequence ends with
// the commit that first wrote the lines. A merge that took the lines from one parent is not included.
func (s *Store) LineLog(ctx context.Context, rel string, lines markdown.Lines) iter.Seq2[CommitInfo, error] {
	return func(yield func(CommitInfo, error) bool) {
		err := s.trace("", rel, func(l traced) error {
			before, _ := linediff.Before(linediff.Range(lines), l.since)
			if l.old == nil || before.Len() == 0 {
				return nil
			}
			for c, err := range l.repo.LineLog(ctx, l.rev, rel, before.Start+1, before.End) {
				if err != nil {
					return err
				}
				info, err := look(l.repo, c.Commit.Hash)
				if err != nil || !yield(info, nil) {
					return err
				}
			}
			return nil
		})
		if err != nil {
			yield(CommitInfo{}, err)
		}
	}
}

// traced is a file whose lines are traced back.
type traced struct {
	repo      *git.Repository
	rev       string          // the full id of the commit: a name may resolve differently by the next read
	body, old []byte          // the requested content, and the content at rev; nil if missing
	since     []linediff.Hunk // the differences between old and body
}

// trace calls f with a file as Read returns it and as of the last commit.
func (s *Store) trace(rev, rel string, f func(traced) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("history of %s: %w", rel, err)
		}
	}()
	var l traced
	if rev == "" {
		if l.body, err = s.Read("", rel); err != nil {
			return err
		}
	}
	if l.repo, err = s.openHistory(); err != nil {
		return err
	}
	defer l.repo.Close()
	l.repo.IgnoreRenames()
	l.rev, err = l.repo.Resolve(cmp.Or(rev, "HEAD"))
	switch unborn := rev == "" && errors.Is(err, git.ErrEmpty); {
	case err != nil && !unborn:
		return orAbsent(cmp.Or(rev, "HEAD"), err)
	case rev == "":
		if !unborn {
			l.old, err = s.ReadMaybe(l.rev, rel)
		}
		l.since = linediff.Diff(l.old, l.body)
	default:
		l.body, err = s.Read(l.rev, rel)
		l.old = l.body
	}
	if err != nil {
		return err
	}
	if err := f(l); err != nil {
		return err
	}
	s.warnSkipped(l.repo)
	return nil
}
