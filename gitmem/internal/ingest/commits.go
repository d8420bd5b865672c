package ingest

import (
	"context"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/providers/git"
)

// Indexed is what a snapshot knows of the history, nil where that is not all of it.
func (f *historySource) Indexed(snap *index.Snapshot) *git.Indexed {
	tips, err := f.tips()
	mark, _ := snap.Mark(historyKey)
	if err != nil || mark.Hash != strings.Join(tips, " ") {
		return nil
	}
	return &git.Indexed{
		Has: func(commit string) bool {
			_, ok := snap.Find(CommitPrefix + commit)
			return ok
		},
		Naming: func(ctx context.Context, commit string) ([]string, error) { return naming(ctx, snap, commit) },
	}
}

// CommitPrefix begins the citation ids of commits.
const CommitPrefix = string(cite.KindCommit) + ":"

// naming lists the commits whose messages name one in full.
func naming(ctx context.Context, snap *index.Snapshot, commit string) ([]string, error) {
	var out []string
	for _, field := range []index.Field{index.Title, index.Text} {
		err := snap.Postings(ctx, field, index.Terms(commit)[0], func(row int32, _, _ int) {
			out = append(out, strings.TrimPrefix(snap.ID(int(row)), CommitPrefix))
		})
		if err != nil {
			return nil, fmt.Errorf("look for commits that name %s: %w", commit, err)
		}
	}
	return out, nil
}
