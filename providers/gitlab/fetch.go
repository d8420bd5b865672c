package gitlab

import (
	"context"
	"fmt"
	"strings"
	"time"

	gl "gitlab.com/gitlab-org/api/client-go"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// cursor is what a fetch leaves behind, as JSON.
type cursor struct {
	remote.Head
	// Lists say how far the merge requests and the issues were read.
	Lists [2]remote.State `json:"lists"`
	// Requests and Issues are the threads whose notes are still to be read.
	Requests remote.Numbers `json:"mrs,omitempty"`
	Issues   remote.Numbers `json:"issues,omitempty"`
}

// encode makes the cursor of a progress.
func (s *Source) encode(p remote.Progress) (providers.Cursor, error) {
	c := cursor{Head: remote.NewHead(s.place())}
	copy(c.Lists[:], p.States)
	var mrs, issues []int
	for _, id := range p.Owed {
		if strings.HasPrefix(id, mrID) {
			mrs = append(mrs, numberIn(id))
		} else {
			issues = append(issues, numberIn(id))
		}
	}
	c.Requests, c.Issues = remote.NewNumbers(mrs), remote.NewNumbers(issues)
	return remote.EncodeCursor(c)
}

// progress is what a cursor says.
func (c cursor) progress() remote.Progress {
	p := remote.Progress{States: c.Lists[:]}
	for _, n := range c.Requests {
		p.Owed = append(p.Owed, fmt.Sprint(mrID, n))
	}
	for _, n := range c.Issues {
		p.Owed = append(p.Owed, fmt.Sprint(issueID, n))
	}
	return p
}

// parseCursor reads a cursor of this project; the zero cursor is its start.
func (s *Source) parseCursor(from providers.Cursor) (cursor, error) {
	var c cursor
	if err := remote.DecodeCursor(from, s.place(), &c, &c.Head, c.Lists[:]); err != nil {
		return c, fmt.Errorf("gitlab: %w", err)
	}
	return c, nil
}

// Fetch hands out what was opened or changed since the cursor, newest changes
// first. It implements [providers.Source]. A part of the project that cannot be
// read costs only itself: the rest is read, and then the fetch ends with a
// [*providers.Partial].
func (s *Source) Fetch(ctx context.Context, from providers.Cursor, yield func(providers.Item) error) (providers.Cursor, error) {
	if err := ctx.Err(); err != nil {
		return from, err
	}
	old, err := s.parseCursor(from)
	if err != nil {
		return from, err
	}
	s.wire.Begin()
	wants := map[string]bool{} // threads whose notes are worth a request
	run := remote.Run{
		Yield: yield, Complete: s.complete, Encode: s.encode, Tally: &s.tally, Lost: "threads whose notes could not be read",
		Newer: newer,
		Defer: func(it providers.Item) bool { return wants[it.ID] },
	}
	for i, read := range []func(context.Context, remote.Position, map[string]bool) (remote.Page, error){s.listMergeRequests, s.listIssues} {
		w := remote.NewWalk(old.Lists[i])
		w.Now = s.wire.Now()
		w.Between = true
		w.List = func(ctx context.Context, at remote.Position) (remote.Page, error) { return read(ctx, at, wants) }
		run.Walks = append(run.Walks, w)
	}
	return run.Fetch(ctx, from, old.progress())
}

// newer sorts merge requests before issues, and high numbers before low ones.
func newer(a, b string) int {
	if x, y := strings.HasPrefix(a, mrID), strings.HasPrefix(b, mrID); x != y {
		if x {
			return -1
		}
		return 1
	}
	return numberIn(b) - numberIn(a)
}

// bound is a time for the client's options, nil for none.
func bound(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// secondAfter is the end of the second that a time is in: the client sends whole
// seconds, and what changed within the last one must not be passed over.
func secondAfter(t time.Time) time.Time {
	if t.IsZero() || t.Equal(t.Truncate(time.Second)) {
		return t
	}
	return t.Truncate(time.Second).Add(time.Second)
}

// listMergeRequests reads a page. Approvals are notes too, so every merge request
// wants its notes, except for those of bots.
func (s *Source) listMergeRequests(ctx context.Context, at remote.Position, wants map[string]bool) (remote.Page, error) {
	var elements remote.Elements
	p, err := s.get(ctx, "merge_requests", &gl.ListProjectMergeRequestsOptions{
		ListOptions: pageOptions(at.Token),
		State:       gl.Ptr("all"), Scope: gl.Ptr("all"), OrderBy: gl.Ptr("updated_at"), Sort: gl.Ptr("desc"),
		UpdatedAfter: bound(at.Since), UpdatedBefore: bound(secondAfter(at.Until)),
	}, at.ETag, &elements)
	p.Entries = remote.Entries(elements, &s.tally, "merge requests that make no sense", func(m *gl.BasicMergeRequest) (remote.Entry, bool) {
		it, ok := s.mergeRequest(m)
		if wants[it.ID] = m.Author == nil || !remote.IsBot(m.Author.Username); ok && !wants[it.ID] {
			s.tally.Add("merge requests of bots, without their notes", 1)
		}
		return remote.Entry{Key: it.ID, Updated: changed(m.UpdatedAt, m.CreatedAt), Item: it}, ok
	})
	return p, err
}

// listIssues reads a page; only issues with notes want them read.
func (s *Source) listIssues(ctx context.Context, at remote.Position, wants map[string]bool) (remote.Page, error) {
	var elements remote.Elements
	p, err := s.get(ctx, "issues", &gl.ListProjectIssuesOptions{
		ListOptions: pageOptions(at.Token),
		Scope:       gl.Ptr("all"), OrderBy: gl.Ptr("updated_at"), Sort: gl.Ptr("desc"),
		UpdatedAfter: bound(at.Since), UpdatedBefore: bound(secondAfter(at.Until)),
	}, at.ETag, &elements)
	p.Entries = remote.Entries(elements, &s.tally, "issues that make no sense", func(i *issue) (remote.Entry, bool) {
		it, ok := s.issue(i)
		if ok && i.Confidential {
			s.tally.Add("confidential issues", 1)
		}
		wants[it.ID] = i.UserNotesCount > 0
		return remote.Entry{Key: it.ID, Updated: changed(i.UpdatedAt, i.CreatedAt), Item: it, Skip: i.Confidential}, ok
	})
	return p, err
}

// changed is the time of the last change, zero where neither time is known.
func changed(updated, created *time.Time) time.Time {
	for _, t := range []*time.Time{updated, created} {
		if !isZero(t) {
			return *t
		}
	}
	return time.Time{}
}
