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

// Origin is where one line of a file comes from.
type Origin struct {
	Line   int    // counted from 1
	Text   string // with its line end, as it is stored: not redacted
	Commit string // the commit that wrote it, 40 hex digits; "" when none has it yet
}

// Blame returns for each line of a file the commit that wrote it. The lines are those
// on disk (rev "") or those of a revision. A line of a merge comes from a parent
// that has it, the first that does; a line that none has comes from the merge
// itself. Renames are not followed: files of memory do not move. Errors are
// those of Read; ErrNoStore where there is no repository.
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

// LineLog yields the commits that changed a range of lines of a file, newest
// first: those that wrote one of them, or changed or removed one that was
// there. The range counts the lines on disk from 0. It ends where the lines were
// first written. A merge that took the lines from one parent is none of them.
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
	rev       string          // the commit's whole id: a name could mean another one by the next read
	body, old []byte          // as it is asked for, and at rev; nil where it is not there
	since     []linediff.Hunk // what differs between the two
}

// trace calls f with a file as Read returns it and as it was committed last.
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
