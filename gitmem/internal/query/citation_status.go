package query

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers/git"
)

// SetStatuses sets the status of an answer's citations in the present history, and warns about supporting ones that
// were reverted.
func (v *View) SetStatuses(ctx context.Context, a *answer.Answer) error {
	ids := make([]string, len(a.Citations))
	for i, c := range a.Citations {
		ids[i] = c.ID
	}
	v.fresh.History = v.indexedHistory()
	statuses, err := v.fresh.Statuses(ctx, ids...)
	if err != nil && ctx.Err() == nil {
		a.Caveats = append(a.Caveats, fmt.Sprintf("It is not known how the citations stand to the history now: %v.", err))
		return nil
	}
	if err != nil {
		return err
	}
	for i := range a.Citations {
		s, known := statuses[a.Citations[i].ID]
		if !known {
			continue
		}
		Placed(&a.Citations[i], s)
		if s.String() != "" && a.Citations[i].Role != answer.RoleLead {
			a.Caveats = append(a.Caveats, v.statusCaveat(a.Citations[i].ID, s))
		}
	}
	return nil
}

// RevertedBy returns the citation id of the commit that reverted the commit with an id; "" if there is none. Failed
// look-ups are reported by [View.SetStatuses].
func (v *View) RevertedBy(ctx context.Context, id string) string {
	v.fresh.History = v.indexedHistory()
	statuses, _ := v.fresh.Statuses(ctx, id)
	return statuses[id].RevertedBy
}

// Lines is a range of lines of a file, 1-based and inclusive.
type Lines struct {
	Path     string
	From, To int
}

// blamedWork limits how many bytes are read to find the commits that wrote lines, see [git.Repository.BlameLines]. It
// is not a time limit, so that a busy machine gives the same answers.
const blamedWork = 64 << 20

// WrittenBy returns, for each range of lines in the current commit, the citation id of the newest commit that wrote one
// of its lines; "" if finding it takes too much work.
func (v *View) WrittenBy(ctx context.Context, places []Lines) []string {
	ids := make([]string, len(places))
	repo := v.Reader.repository(ctx)
	if repo == nil {
		return ids
	}
	head, err := repo.Head()
	if err != nil {
		return ids
	}
	var paths []string
	byPath := map[string][]int{} // indexes of places
	for i, p := range places {
		if byPath[p.Path] == nil {
			paths = append(paths, p.Path)
		}
		byPath[p.Path] = append(byPath[p.Path], i)
	}
	left := blamedWork
	for _, path := range paths {
		at := byPath[path]
		var numbers []int
		for _, i := range at {
			for n := places[i].From; n <= places[i].To; n++ {
				numbers = append(numbers, n)
			}
		}
		lines, work, err := repo.BlameLines(ctx, head.Hash, path, numbers, left)
		if left = max(1, left-work); err != nil {
			continue
		}
		for _, i := range at {
			ids[i] = newestOf(repo, slice.Filter(lines, func(l git.BlameLine) bool {
				return l.Line >= places[i].From && l.Line <= places[i].To
			}), places[i].To-places[i].From+1)
		}
	}
	return ids
}

// newestOf returns the citation id of the newest commit of n lines, "" if one is unknown.
func newestOf(repo *git.Repository, lines []git.BlameLine, n int) string {
	hashes := slice.Map(lines, func(l git.BlameLine) string { return l.Commit })
	if len(lines) < n || slices.Contains(hashes, "") {
		return ""
	}
	newest := git.Commit{}
	seen := map[string]bool{}
	for _, hash := range hashes {
		if seen[hash] {
			continue
		}
		seen[hash] = true
		c, err := repo.Commit(hash)
		if err == nil && (newest.Hash == "" || c.Committer.When.After(newest.Committer.When)) {
			newest = c
		}
	}
	if newest.Hash == "" || repo.IsShallowEnd(newest.Hash) {
		return ""
	}
	return ingest.CommitPrefix + newest.Hash
}

// statusCaveat returns the warning about a citation's status, with short ids.
func (v *View) statusCaveat(id string, s cite.CitationStatus) string {
	if s.RevertedBy == "" {
		return fmt.Sprintf("%s: %s.", shortID(id), s)
	}
	on := ""
	if by, err := v.fresh.Resolve(s.RevertedBy); err == nil && !by.Time.IsZero() {
		on = " on " + by.Time.Format(time.DateOnly)
	}
	return fmt.Sprintf("%s was taken back by %s%s.", shortID(id), shortID(s.RevertedBy), on)
}

// shortID returns an id for display: commits have 12 digits.
func shortID(id string) string {
	if hash, ok := strings.CutPrefix(id, ingest.CommitPrefix); ok && len(hash) > 12 {
		return ingest.CommitPrefix + hash[:12]
	}
	return id
}

// indexedHistory returns the data of the view's history index, nil unless it covers everything reachable from the
// present tips.
func (v *View) indexedHistory() *git.Indexed {
	i := slices.IndexFunc(v.Shards, func(s ingest.Shard) bool { return s.Name == "history" })
	if i < 0 || i >= len(v.Snaps) || v.Snaps[i] == nil || v.Shards[i].History == nil {
		return nil
	}
	return v.Shards[i].History.Indexed(v.Snaps[i])
}

// Placed copies a status to a citation.
func Placed(c *answer.Citation, s cite.CitationStatus) {
	if s.Status != answer.StatusHolds { // the citation's own status describes its text
		c.Status = s.Status
	}
	c.Since, c.RevertedBy = s.Since, s.RevertedBy
}
