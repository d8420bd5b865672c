package gitmem

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/providers/git"
)

// stand tells of an answer's citations how they stand to the history now, and of
// those that support it what was taken back.
func (v *view) stand(ctx context.Context, a *Answer) error {
	ids := make([]string, len(a.Citations))
	for i, c := range a.Citations {
		ids[i] = c.ID
	}
	v.fresh.History = v.indexedHistory()
	standings, err := v.fresh.Standings(ctx, ids...)
	if err != nil && ctx.Err() == nil {
		a.Caveats = append(a.Caveats, fmt.Sprintf("It is not known how the citations stand to the history now: %v.", err))
		return nil
	}
	if err != nil {
		return err
	}
	for i := range a.Citations {
		s, known := standings[a.Citations[i].ID]
		if !known {
			continue
		}
		placed(&a.Citations[i], s)
		if s.String() != "" && a.Citations[i].Role != ask.RoleLead {
			a.Caveats = append(a.Caveats, v.standingCaveat(a.Citations[i].ID, s))
		}
	}
	return nil
}

// standingCaveat says of a citation what became of it, with short ids.
func (v *view) standingCaveat(id string, s cite.Standing) string {
	if s.RevertedBy == "" {
		return fmt.Sprintf("%s: %s.", shortID(id), s)
	}
	on := ""
	if by, err := v.fresh.Resolve(s.RevertedBy); err == nil && !by.Time.IsZero() {
		on = " on " + by.Time.Format(time.DateOnly)
	}
	return fmt.Sprintf("%s was taken back by %s%s.", shortID(id), shortID(s.RevertedBy), on)
}

// shortID is an id as people read it: of a commit the first 12 digits.
func shortID(id string) string {
	if hash, ok := strings.CutPrefix(id, commitPrefix); ok && len(hash) > 12 {
		return commitPrefix + hash[:12]
	}
	return id
}

// indexedHistory is what the view's index of the history knows, nil where there is none
// that holds all that lies behind the tips of now.
func (v *view) indexedHistory() *git.Indexed {
	i := slices.IndexFunc(v.shards, func(s shard) bool { return s.name == "history" })
	if v.m.past != nil || i < 0 || i >= len(v.snaps) || v.snaps[i] == nil || v.shards[i].feed == nil {
		return nil
	}
	return v.shards[i].feed.indexed(v.snaps[i])
}

// indexed is what a snapshot knows of the history, nil where that is not all of it.
func (f *historyFeed) indexed(snap *index.Snapshot) *git.Indexed {
	tips, err := f.tips()
	if err != nil || snap.Marks()[historyKey].Hash != strings.Join(tips, " ") {
		return nil
	}
	return &git.Indexed{
		Has: func(commit string) bool {
			_, ok := snap.Find(commitPrefix + commit)
			return ok
		},
		Naming: func(ctx context.Context, commit string) ([]string, error) { return naming(ctx, snap, commit) },
	}
}

const commitPrefix = string(cite.KindCommit) + ":"

// naming lists the commits whose messages name one in full.
func naming(ctx context.Context, snap *index.Snapshot, commit string) ([]string, error) {
	var out []string
	for _, field := range []index.Field{index.Title, index.Text} {
		err := snap.Postings(ctx, field, index.Terms(commit)[0], func(row int32, _, _ int) {
			out = append(out, strings.TrimPrefix(snap.ID(int(row)), commitPrefix))
		})
		if err != nil {
			return nil, fmt.Errorf("look for commits that name %s: %w", commit, err)
		}
	}
	return out, nil
}

// placed sets what a standing says of a citation.
func placed(c *Citation, s cite.Standing) {
	if s.Status != cite.StatusHolds { // the words hold or moved in their own text
		c.Status = s.Status
	}
	c.Since, c.RevertedBy = s.Since, s.RevertedBy
}
