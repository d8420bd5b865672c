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

// SetStatuses sets the status of an answer's citations in the history now, and warns
// of those that support it and were reverted.
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

// RevertedBy is the citation id of the commit that took a commit back, by its own; "" for none. What
// can't be looked up is reported by [View.SetStatuses].
func (v *View) RevertedBy(ctx context.Context, id string) string {
	v.fresh.History = v.indexedHistory()
	statuses, _ := v.fresh.Statuses(ctx, id)
	return statuses[id].RevertedBy
}

// Lines are those of a file from one to another, counted from 1 and both included.
type Lines struct {
	Path     string
	From, To int
}

// blamedWork bounds what is read to find the commits that wrote lines of files, see
// [git.Repository.BlameLines]. It is no limit of time, so that a busy machine gives the same answers.
const blamedWork = 64 << 20

// WrittenBy gives for some lines the citation ids of the newest commits that wrote one of each, as the
// current commit has them; "" where that can't be said without much work.
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

// newestOf is the citation id of the newest commit of so many lines, "" where one is not known.
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

// statusCaveat is the warning about a citation's status, with short ids.
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

// shortID is an id as people read it: of a commit the first 12 digits.
func shortID(id string) string {
	if hash, ok := strings.CutPrefix(id, ingest.CommitPrefix); ok && len(hash) > 12 {
		return ingest.CommitPrefix + hash[:12]
	}
	return id
}

// indexedHistory is what the view's index of the history knows, nil where there is none
// that holds all that lies behind the tips of now.
func (v *View) indexedHistory() *git.Indexed {
	i := slices.IndexFunc(v.Shards, func(s ingest.Shard) bool { return s.Name == "history" })
	if i < 0 || i >= len(v.Snaps) || v.Snaps[i] == nil || v.Shards[i].History == nil {
		return nil
	}
	return v.Shards[i].History.Indexed(v.Snaps[i])
}

// Placed sets what a status says of a citation.
func Placed(c *answer.Citation, s cite.CitationStatus) {
	if s.Status != answer.StatusHolds { // the words hold or moved in their own text
		c.Status = s.Status
	}
	c.Since, c.RevertedBy = s.Since, s.RevertedBy
}
