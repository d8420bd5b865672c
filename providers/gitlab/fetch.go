package gitlab

import (
	"context"
	"time"

	gl "gitlab.com/gitlab-org/api/client-go"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// Fetch yields what was opened or changed since the cursor, newest changes first. It implements
// [providers.Source]. If a part of the project cannot be read, Fetch reads the rest and returns a
// [*providers.Partial].
func (s *Source) Fetch(ctx context.Context, from providers.Cursor,
	yield func(providers.Item) error) (providers.Cursor, error) {
	wants := map[string]bool{} // threads whose notes have to be requested
	run := remote.Run{
		Client: s.wire, Place: s.place(), Threads: []string{mrID, issueID}, HonoursUntil: true,
		Yield: yield, Complete: s.complete, Tally: &s.tally, LostReason: "threads whose notes could not be read",
		Defer: func(it providers.Item) bool { return wants[it.ID] },
	}
	for _, read := range []func(context.Context, remote.Position, map[string]bool) (remote.Page,
		error){s.listMergeRequests, s.listIssues} {
		run.Lists = append(run.Lists, func(ctx context.Context, at remote.Position) (remote.Page, error) {
			return read(ctx, at, wants)
		})
	}
	return run.Fetch(ctx, from)
}

// bound returns a time for the client's options, nil for the zero time.
func bound(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// secondAfter rounds a time up to a second: the client sends whole seconds, and changes within the last one
// must not be missed.
func secondAfter(t time.Time) time.Time {
	if t.IsZero() || t.Equal(t.Truncate(time.Second)) {
		return t
	}
	return t.Truncate(time.Second).Add(time.Second)
}

// listMergeRequests reads a page. Approvals are notes too, so the notes of every merge request are read,
// except for those by bots.
func (s *Source) listMergeRequests(ctx context.Context, at remote.Position,
	wants map[string]bool) (remote.Page, error) {
	var elements remote.Elements
	p, err := s.get(ctx, "merge_requests", &gl.ListProjectMergeRequestsOptions{
		ListOptions: pageOptions(at.Token),
		State:       gl.Ptr("all"), Scope: gl.Ptr("all"), OrderBy: gl.Ptr("updated_at"), Sort: gl.Ptr("desc"),
		UpdatedAfter: bound(at.Since), UpdatedBefore: bound(secondAfter(at.Until)),
	}, at.ETag, &elements)
	p.Entries = remote.Entries(elements, &s.tally, "merge requests that make no sense",
		func(m *gl.BasicMergeRequest) (remote.Entry, bool) {
			it, ok := s.mergeRequest(m)
			if wants[it.ID] = m.Author == nil || !providers.IsBot(m.Author.Username, ""); ok && !wants[it.ID] {
				s.tally.Add("merge requests of bots, without their notes")
			}
			return remote.Entry{Key: it.ID, Updated: changed(m.UpdatedAt, m.CreatedAt), Item: it}, ok
		})
	return p, err
}

// listIssues reads a page. Notes are only read for issues that have some.
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
			s.tally.Add("confidential issues")
		}
		wants[it.ID] = i.UserNotesCount > 0
		return remote.Entry{Key: it.ID, Updated: changed(i.UpdatedAt, i.CreatedAt), Item: it, Skip: i.Confidential}, ok
	})
	return p, err
}

// changed returns the time of the last change, or the zero time if neither time is known.
func changed(updated, created *time.Time) time.Time {
	for _, t := range []*time.Time{updated, created} {
		if !isZero(t) {
			return *t
		}
	}
	return time.Time{}
}
