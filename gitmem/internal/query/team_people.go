package query

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/team"
	"github.com/gitmem/gitmem/providers"
)

// Contributions contains the authors of contributions, for questions about people.
type Contributions struct {
	*team.History                            // its rows are numbered by [RowOf]
	ID            func(row int64) string     // citation id of a contribution
	Owners        func(path string) []string // as named in CODEOWNERS; nil: there is no such file
	Exists        func(path string) bool     // whether it is a file of the current commit; nil: unknown
	// Surviving finds the authors of an area's current lines; nil: unknown.
	Surviving func(ctx context.Context, area team.Area) Surviving
}

// RankNow ranks the people of an area by their surviving lines, as far as known.
func (c *Contributions) RankNow(ctx context.Context, area team.Area, o team.Options) (r team.Ranking, s Surviving) {
	if c.Surviving != nil && o.Since.IsZero() && o.Until.IsZero() && o.Relevance == nil {
		s = c.Surviving(ctx, area)
	}
	o.Surviving, o.Unowned = s.Lines, s.Unowned
	return c.Rank(area, o), s
}

// RowOf returns the row of a hit's contribution in [Contributions].
func RowOf(h search.Hit) int64 { return int64(h.Shard)<<32 | int64(h.Row) }

// RowOf returns the row of a contribution by its citation id, which may be truncated.
func (c *Contributions) RowOf(id string) (row int64, known bool) {
	for row := range c.Rows() {
		if have := c.ID(row); id != "" && (strings.HasPrefix(have, id) || strings.HasPrefix(id, have)) {
			return row, true
		}
	}
	return 0, false
}

// OwnersOf returns the CODEOWNERS of the paths that belong to an area with at least a share; none for the whole tree.
func (c *Contributions) OwnersOf(area team.Area, share float32) (list []string) {
	if c.Owners == nil || area == nil {
		return nil
	}
	for i, p := range c.Paths() {
		if area[i] == 0 || area[i] < share {
			continue
		}
		for _, o := range c.Owners(p) {
			if !slices.Contains(list, o) {
				list = append(list, o)
			}
		}
	}
	return list
}

// Contributions reads the contributors to the current repository from the indexes. It reads once for a view.
func (v *View) Contributions(context.Context) (*Contributions, error) {
	h := &team.History{}
	changeOf, isEnd := v.changes(), v.shallowEnds()
	clock := &plausibleTimes{latest: v.Reader.ws.Options.Now().Add(24 * time.Hour).Unix()}
	for i, snap := range v.Snaps {
		if snap != nil && i < len(v.Shards) && ingest.OfTeam(v.Shards[i].Name) {
			addRows(h, snap, i, v.Shards[i].Name == "history", changeOf, isEnd, clock)
		}
	}
	if clock.wrong > 0 {
		v.Reader.ws.Caveat("Dated in the future, so that their time counts as unknown: %s.",
			messages.Plural(clock.wrong, "contribution"))
	}
	c := &Contributions{History: h, ID: func(row int64) string { return v.Snaps[row>>32].ID(int(row & (1<<32 - 1))) }}
	c.Owners, c.Exists = v.Reader.src.Owners(v.Place).Of, v.FilesNow()
	c.Surviving = func(ctx context.Context, area team.Area) Surviving { return v.surviving(ctx, c, area) }
	return c, nil
}

// ProjectName returns the name of the repository, "" outside of any.
func (v *View) ProjectName() string {
	if !v.Place.InRepo {
		return ""
	}
	return path.Base(filepath.ToSlash(v.Place.DisplayName()))
}

// FilesNow returns a function that reports whether a file is in HEAD, or in the past commit for a question about the
// past; nil if the files can't be listed.
func (v *View) FilesNow() func(path string) bool {
	repo, err := v.Reader.ws.Repository(v.Place)
	if err != nil || repo == nil {
		return nil
	}
	entries, err := repo.List("HEAD", "")
	if err != nil {
		return nil
	}
	files := make(map[string]bool, len(entries))
	for _, e := range entries {
		files[v.Reader.ws.CleanPaths([]string{e.Path})[0]] = true
	}
	return func(path string) bool { return files[path] }
}

// plausibleTimes rejects impossible times: one commit dated in the year 9999 would make everybody else look inactive.
type plausibleTimes struct {
	latest int64
	wrong  int
}

func (c *plausibleTimes) of(unix int64) int64 {
	if unix > c.latest {
		c.wrong++
		return 0
	}
	return unix
}

// addRows adds the contributions in an index: commits and merges of a history, and reviews of changes from fetched
// items. changeOf returns the change that a commit belongs to, and isEnd reports whether a shallow clone ends at a
// commit: such a commit contains everything written before it, so it is attributed to nobody.
func addRows(
	h *team.History, snap *index.Snapshot, shard int, commits bool,
	changeOf func(commit string) string, isEnd func(commit string) bool, clock *plausibleTimes,
) {
	pending := false
	for mark := range snap.EachMark() {
		pending = pending || mark.Key == ingest.BareKey
	}
	merge, hasMerges := snap.StringRef("merge")
	reviews := &reviewed{h: h, authors: map[string]string{}, index: map[[2]string]int{}}
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
		e := team.Entry{Row: int64(shard)<<32 | int64(i), Who: str(snap.AuthorOf(i)), Unix: clock.of(snap.Unix(i))}
		for ref := range snap.PathRefs(i) {
			e.Paths = append(e.Paths, str(ref))
		}
		if !commits {
			reviews.add(snap.ID(i), str(snap.RoleOf(i)), e)
			continue
		}
		for ref := range snap.AlsoRefs(i) {
			e.Also = append(e.Also, str(ref))
		}
		for ref := range snap.ReviewerRefs(i) {
			e.Reviewers = append(e.Reviewers, str(ref))
		}
		if len(e.Reviewers) > 0 {
			e.Change = changeOf(snap.ID(i))
		}
		e.Merge = hasMerges && snap.RoleOf(i) == merge || isEnd(snap.ID(i))
		if e.Lines = snap.ChurnOf(i); e.Lines == nil && !pending {
			e.Lines = make([]uint32, len(e.Paths)) // only renamed or binary files
		}
		h.Add(e)
	}
	reviews.finish()
}

// reviewed collects the reviews of a forge: people who commented on lines of somebody else's change, once for each
// change. The commits provide the changed paths.
type reviewed struct {
	h       *team.History
	authors map[string]string // author of each change, by source and number
	found   []team.Entry
	of      []string          // the change of each entry
	index   map[[2]string]int // by change and reviewer
}

// add adds an item of a forge, in any order.
func (r *reviewed) add(id, role string, e team.Entry) {
	parts := strings.SplitN(id, ":", 4) // source, kind, number of the change, and its own
	if len(parts) < 3 {
		return
	}
	change := changeName(parts[0], parts[2])
	switch {
	case role == "pr" || role == "mr":
		r.authors[change] = e.Who
	case len(e.Paths) == 0 || len(parts) < 4 || e.Who == "":
	default:
		key := [2]string{change, e.Who}
		at, known := r.index[key]
		if !known {
			e.Review, e.Change = true, change
			r.index[key], r.found, r.of = len(r.found), append(r.found, e), append(r.of, change)
			return
		}
		for _, p := range e.Paths {
			if !slices.Contains(r.found[at].Paths, p) {
				r.found[at].Paths = append(r.found[at].Paths, p)
			}
		}
	}
}

// changeName returns the key of a change of a forge.
func changeName(source, number string) string { return source + ":" + number }

// shallowEnds returns a function that reports whether a shallow clone ends at a commit, given by citation id.
func (v *View) shallowEnds() func(commit string) bool {
	repo, err := v.Reader.ws.Repository(v.Place)
	if err != nil || repo == nil || !repo.Lacks().Shallow {
		return func(string) bool { return false }
	}
	return func(id string) bool { return repo.IsShallowEnd(strings.TrimPrefix(id, string(cite.KindCommit)+":")) }
}

// changes returns a function from a commit to the change of a forge that brought it, "" if none was fetched.
func (v *View) changes() func(commit string) string {
	g, err := v.Reader.src.Forges(v.Place).Items()
	if err != nil {
		return func(string) string { return "" } // damage of fetched items is reported elsewhere
	}
	return func(commit string) string {
		for _, l := range g.Links(commit) {
			if parts := strings.SplitN(l.ID, ":", 3); l.Rel == providers.PartOf && len(parts) == 3 &&
				(parts[1] == "pr" || parts[1] == "mr") {
				return changeName(parts[0], parts[2])
			}
		}
		return ""
	}
}

func (r *reviewed) finish() {
	for i, e := range r.found {
		if author := r.authors[r.of[i]]; author != "" && author != e.Who {
			r.h.Add(e)
		}
	}
}

// Synonyms returns all synonyms, regardless of the query expansion of the search.
func (v *View) Synonyms() []search.Group { return v.thesaurus().Groups }
