package gitmem

import (
	"context"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/team"
)

// crowd reads from the indexes who did what in the current repository. It reads once
// for a view.
func (v *view) crowd(context.Context) (*ask.Crowd, error) {
	h := &team.History{}
	for i, snap := range v.snaps {
		if snap != nil && i < len(v.shards) && ofTeam(v.shards[i].name) {
			addRows(h, snap, i, v.shards[i].name == "history")
		}
	}
	c := &ask.Crowd{History: h, ID: func(row int64) string { return v.snaps[row>>32].ID(int(row & (1<<32 - 1))) }}
	c.Owners = v.m.codeOwners(v.place)
	return c, nil
}

// addRows adds the contributions that an index holds: commits and merges of a history,
// and of what was fetched the reviews of changes whose files are known.
func addRows(h *team.History, snap *index.Snapshot, shard int, commits bool) {
	pending := false
	for mark := range snap.EachMark() {
		pending = pending || mark.Key == bareKey
	}
	merge, hasMerges := snap.StringRef("merge")
	strs := map[uint32]string{}
	str := func(ref uint32) string {
		s, ok := strs[ref]
		if !ok {
			s = snap.String(ref)
			strs[ref] = s
		}
		return s
	}
	for i := range snap.Rows() {
		if snap.Dead(i) {
			continue
		}
		e := team.Entry{Row: int64(shard)<<32 | int64(i), Who: str(snap.AuthorOf(i)), Unix: snap.Unix(i)}
		for ref := range snap.PathRefs(i) {
			e.Paths = append(e.Paths, str(ref))
		}
		for ref := range snap.AlsoRefs(i) {
			e.Also = append(e.Also, str(ref))
		}
		if !commits {
			addReviews(h, e)
			continue
		}
		e.Merge = hasMerges && snap.RoleOf(i) == merge
		if e.Lines = snap.ChurnOf(i); e.Lines == nil && !pending {
			e.Lines = make([]uint32, len(e.Paths)) // nothing but renamed or binary files
		}
		h.Add(e)
	}
}

// addReviews adds the reviewers of a pull request. What it changed is counted with the
// commits of the history.
func addReviews(h *team.History, e team.Entry) {
	reviewers := e.Also
	e.Also, e.Review = nil, true
	for _, r := range reviewers {
		if e.Who != r && len(e.Paths) > 0 {
			e.Who = r
			h.Add(e)
		}
	}
}

// near gives the words that stand for about the same, however far the search itself is
// expanded.
func (v *view) near() []search.Group {
	if v.people == nil {
		all := v.m.thesaurus()
		v.people = &all
	}
	return v.people.Groups
}

// codeOwners gives who owns a path by the CODEOWNERS of the repository, nil where there
// is no such file.
func (m *Memory) codeOwners(*place) func(path string) []string { return nil }
