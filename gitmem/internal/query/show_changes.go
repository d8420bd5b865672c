package query

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown/linediff"
	"github.com/gitmem/gitmem/providers/git"
)

// changes returns the changes of a commit source: its files with line counts, and their patches without secrets, up to
// a total number of lines, 0 for none; left is the number of omitted lines. A merge has no changes of its own.
//
// ErrUsage: the source is not a commit.
func (rd *Reader) changes(ctx context.Context, src cite.Source, lines int) (changes []FileChange, left int, err error) {
	sha, isCommit := strings.CutPrefix(src.ID, ingest.CommitPrefix)
	if !isCommit {
		return nil, 0, fmt.Errorf("%w: %s is no commit, so that it has no change to show", messages.ErrUsage, src.ID)
	}
	p, err := rd.ws.Place(ctx)
	if err != nil {
		return nil, 0, err
	}
	repo, err := rd.ws.Repository(p)
	if err != nil || repo == nil {
		return nil, 0, errors.Join(err, messages.ErrNoRepository)
	}
	c, err := repo.Commit(sha)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", src.ID, err)
	}
	changes = []FileChange{}
	room := lines
	for _, ch := range c.Changes {
		f := store.FileDiff{Path: ch.Path}
		if ch.Op != 'A' {
			f.Before = content(repo, c.Parents[0], ch.Path)
		}
		if ch.Op != 'D' {
			f.After = content(repo, c.Hash, ch.Path)
		}
		change := rd.fileChange(f)
		patch := strings.SplitAfter(change.Patch, "\n")
		kept := max(0, min(len(patch)-1, room))
		change.Patch = strings.Join(patch[:kept], "")
		if room -= kept; lines > 0 {
			left += len(patch) - 1 - kept
		}
		changes = append(changes, change)
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
	}
	return changes, left, nil
}

// content returns the text of a file at a commit, or a line that describes it.
func content(repo *git.Repository, rev, path string) []byte {
	const largest = 1 << 20
	b, err := repo.Blob(rev, path)
	switch {
	case errors.Is(err, git.ErrTooLarge) || len(b) > largest:
		return []byte("(too large to be compared)\n")
	case err != nil:
		return []byte("(not here)\n")
	case linediff.Binary(b):
		return []byte("(binary, " + ingest.HashOf(b)[:12] + ")\n")
	}
	return append([]byte{}, b...) // not nil if empty
}
