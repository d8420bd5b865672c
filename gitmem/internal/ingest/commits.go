package ingest

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/providers/git"
)

// Indexed returns the history in a snapshot, or nil if the snapshot is incomplete.
func (f *historySource) Indexed(snap *index.Snapshot) *git.Indexed {
	tips, err := f.tips()
	mark, _ := snap.Mark(historyKey)
	_, pending := snap.Mark(BareKey)
	if err != nil || pending || mark.Hash != strings.Join(tips, " ") {
		return nil
	}
	return &git.Indexed{
		Has: func(commit string) bool {
			_, ok := snap.Find(CommitPrefix + commit)
			return ok
		},
		Naming: func(ctx context.Context, name string) ([]string, error) { return naming(ctx, snap, name) },
	}
}

// CommitPrefix is the prefix of the citation ids of commits.
const CommitPrefix = string(cite.KindCommit) + ":"

// naming lists the commits whose messages contain a full commit id, or mention a revert and contain a pull request
// number.
func naming(ctx context.Context, snap *index.Snapshot, name string) ([]string, error) {
	holding := func(term string) (rows map[int32]bool, err error) {
		rows = map[int32]bool{}
		for _, field := range []index.Field{index.Title, index.Text} {
			if err = snap.Postings(ctx, field, term, func(row int32, _, _ int) { rows[row] = true }); err != nil {
				return nil, fmt.Errorf("look for commits that name %s: %w", name, err)
			}
		}
		return rows, nil
	}
	rows, err := holding(index.Terms(name)[0])
	if number := strings.TrimLeft(name, "#!"); err == nil && number != name {
		reverts := map[int32]bool{}
		for _, term := range index.Terms("revert reapply") {
			more, err := holding(term)
			if err != nil {
				return nil, err
			}
			maps.Copy(reverts, more)
		}
		maps.DeleteFunc(rows, func(row int32, _ bool) bool { return !reverts[row] })
	}
	var out []string
	for row := range rows {
		out = append(out, strings.TrimPrefix(snap.ID(int(row)), CommitPrefix))
	}
	return out, err
}
