package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers/docs"
)

const (
	followUps     = 5 // maximum of later commits of a source
	detailedHits  = 6 // hits whose changed lines are read
	changedLines  = 3 // for each of the first hits, and one for each other
	changedRunes  = 140
	changedOf     = 1000 // lines of a change to search
	changedWithin = 300 * time.Millisecond
)

// Later describes what happened to a commit afterwards.
type Later struct {
	// Release is the first release that contains it, "" if there is none yet.
	Release string `json:"release,omitempty"`
	// FollowUps are later commits that name the same issue or pull request, oldest first.
	FollowUps []answer.Citation `json:"follow_ups,omitempty"`
	// Caveat describes what could not be looked up.
	Caveat string `json:"-"`
}

// releases looks up, for each hit that is a commit, the first release that contains it and the commit that reverted it.
func (v *View) releases(ctx context.Context, hits []Hit) error {
	var ids, hashes []string
	for _, h := range hits {
		if hash, ok := strings.CutPrefix(h.ID, ingest.CommitPrefix); ok {
			ids, hashes = append(ids, h.ID), append(hashes, hash)
		}
	}
	v.fresh.History = v.indexedHistory()
	statuses, err := v.fresh.Statuses(ctx, ids...)
	if err != nil {
		return err
	}
	names := v.Reader.FirstIn(ctx, "", hashes)
	for i := range hits {
		h := &hits[i]
		h.Release = names[strings.TrimPrefix(h.ID, ingest.CommitPrefix)]
		if s, known := statuses[h.ID]; known {
			Placed(&h.Citation, s)
		}
	}
	return nil
}

var threadNumber = lazy.Pattern(`[#!]\d+\b`)

// later sets the release and reverting commit of a commit, and with followedUp the follow-up commits. Other sources are
// unchanged.
func (rd *Reader) later(ctx context.Context, s *Shown, followedUp bool) error {
	if !strings.HasPrefix(s.ID, ingest.CommitPrefix) {
		return nil
	}
	hit := []Hit{{Citation: s.Citation}}
	var err error
	if s.Caveat, err = rd.details(ctx, hit, nil); err != nil {
		return err
	}
	s.Citation, s.Release = hit[0].Citation, hit[0].Release
	named := threadNumber().FindAllString(s.Text, 4)
	if !followedUp || len(named) == 0 || s.Caveat != "" { // or there is nothing to search for
		return nil
	}
	found, err := rd.Search(ctx, strings.Join(named, " ")+" role:commit", Filter{Limit: 50, Layer: cite.LayerTeam})
	if err != nil {
		return err
	}
	names := regexp.MustCompile("(" + strings.Join(named, "|") + `)\b`)
	for _, h := range found.Hits {
		if src, err := rd.Show(ctx, h.ID); err == nil && h.ID != s.ID && src.Time.After(s.Date) &&
			names.MatchString(src.Text) {
			s.FollowUps = append(s.FollowUps, h.Citation)
		}
	}
	at := func(c answer.Citation) time.Time {
		t, _ := time.Parse(time.RFC3339, c.Time) // a citation has no time or a valid one
		return t
	}
	slices.SortFunc(s.FollowUps, func(a, b answer.Citation) int { return at(a).Compare(at(b)) })
	s.FollowUps = s.FollowUps[:min(len(s.FollowUps), followUps)]
	return nil
}

// details looks up the releases and reverts of hits, and the changed lines of the first ones that contain terms of a
// query. Without an index it uses the repository, with a caveat.
func (rd *Reader) details(ctx context.Context, hits []Hit, terms []string) (caveat string, err error) {
	v, err := rd.ViewOf(ctx, "")
	if v == nil || ctx.Err() != nil {
		return "", errors.Join(err, ctx.Err())
	}
	defer v.Close()
	if err != nil {
		caveat = fmt.Sprintf("What became of the commits is not known in full: %v", err)
	}
	if err := v.releases(ctx, hits); err != nil {
		return "", err
	}
	within, stop := deadline.After(ctx, rd.ws.Options.Now, changedWithin)
	defer stop()
	for i := range hits[:min(len(hits), detailedHits)] {
		h := &hits[i]
		if len(terms) == 0 || !strings.HasPrefix(h.ID, ingest.CommitPrefix) {
			continue
		}
		files, _, err := rd.changes(within, cite.Source{ID: h.ID}, changedOf)
		if err != nil { // out of time, or unreadable, which is reported elsewhere
			break
		}
		most := changedLines
		if i >= changedLines {
			most = 1
		}
		h.Changed = linesWith(files, terms, most)
	}
	v.addWriters(ctx, hits)
	return caveat, ctx.Err()
}

// addWriters adds to the first document hits the commit that wrote the quoted line. It sets author and day, except for
// a changelog, whose entries have their own.
func (v *View) addWriters(ctx context.Context, hits []Hit) {
	var at []int
	var places []Lines
	for i, h := range hits[:min(len(hits), detailedHits)] {
		if h.Source == string(cite.KindDocument) && h.Line > 0 {
			at, places = append(at, i), append(places, Lines{h.Path, h.Line, h.Line})
		}
	}
	for n, id := range v.WrittenBy(ctx, places) {
		h := &hits[at[n]]
		src, err := v.fresh.Resolve(id)
		if id == "" || err != nil {
			continue
		}
		h.Also = append(slices.Clip(h.Also), id)
		if !docs.LogsChanges(h.Path) {
			by := src.Citation(0)
			h.Author, h.Time = by.Author, by.Time
		}
	}
}

var commentLine = lazy.Pattern(`^. ?(//|#|/?\*|--|;) `)

// linesWith returns the lines of patches that contain most of some terms, at least two if there are as many.
func linesWith(files []FileChange, terms []string, most int) (lines []string) {
	type line struct {
		text   string
		place  int
		weight int
	}
	comment := commentLine()
	var found []line
	for _, f := range files {
		for text := range strings.Lines(f.Patch) {
			if text[0] != '+' && text[0] != '-' || strings.HasPrefix(text, "+++ ") || strings.HasPrefix(text, "--- ") {
				continue
			}
			held := map[string]bool{}
			for _, t := range index.Terms(text) {
				if slices.Contains(terms, t) {
					held[t] = true
				}
			}
			text = messages.Clip(text[:1]+strings.Join(strings.Fields(text[1:]), " "), changedRunes)
			again := slices.ContainsFunc(found, func(l line) bool { return l.text[1:] == text[1:] })
			if len(held) >= min(len(terms), 2) && !again {
				weight := 2 * len(held)
				if comment.MatchString(text) { // it gives a reason
					weight += 3
				}
				found = append(found, line{text, len(found), weight})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b line) int { return cmp.Compare(b.weight, a.weight) })
	found = found[:min(len(found), most)]
	slices.SortFunc(found, func(a, b line) int { return cmp.Compare(a.place, b.place) })
	for _, l := range found {
		lines = append(lines, l.text)
	}
	return lines
}

var (
	issueNumber    = lazy.Pattern(`#\d+\b`)
	squashedThread = lazy.Pattern(`\((#\d+)\)$`)
)

// foldDocuments keeps at most limit hits. It merges a changelog entry into the hit of the commit whose pull request the
// entry names. Other document sections get at most a third of the hits if there are enough others: they can be read on
// disk.
func foldDocuments(hits []Hit, limit int) []Hit {
	number := issueNumber()
	merged := squashedThread()
	commits := map[string]int{} // by pull request
	others := 0
	for i, h := range hits {
		if h.Source != string(cite.KindDocument) {
			others++
		}
		if m := merged.FindStringSubmatch(h.Title); i < limit && m != nil && strings.HasPrefix(h.ID, ingest.CommitPrefix) {
			commits[m[1]] = i
		}
	}
	var kept []int
	documents := max(limit/3, 1, limit-others)
	for i, h := range hits {
		if h.Source != string(cite.KindDocument) {
			kept = append(kept, i)
			continue
		}
		at, same := commits[number.FindString(h.Excerpt)]
		if id, err := cite.Parse(h.ID); err != nil || !docs.LogsChanges(id.Name) {
			same = false
		}
		switch {
		case same:
			hits[at].Also = append(hits[at].Also, h.ID)
			hits[at].first = hits[at].first || h.first
		case h.first || documents > 0:
			documents--
			kept = append(kept, i)
		}
	}
	out := make([]Hit, 0, limit)
	for _, i := range kept {
		out = append(out, hits[i])
	}
	return keepFirst(out, limit)
}
