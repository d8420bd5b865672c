package jira

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// maxCommentPages limits the comments of one issue to 2,000.
const maxCommentPages = 20

// Fetch yields the issues that were opened or changed since the cursor, newest changes
// first. It implements [providers.Source].
func (s *Source) Fetch(ctx context.Context, from providers.Cursor,
	yield func(providers.Item) error) (providers.Cursor, error) {
	more := map[string]bool{} // issues with more comments than the list contains
	run := remote.Run{
		Client: s.wire, Place: s.place(), HonoursUntil: true, TokensExpire: s.cloud,
		Yield: yield, Complete: s.complete, Tally: &s.tally, LostReason: "issues whose comments could not all be read",
		Defer: func(it providers.Item) bool { return more[it.ID] },
		Lists: []func(context.Context, remote.Position) (remote.Page, error){
			func(ctx context.Context, at remote.Position) (remote.Page, error) { return s.list(ctx, at, more) },
		},
	}
	for _, project := range s.projects {
		run.Threads = append(run.Threads, issueID+project+"-")
	}
	return run.Fetch(ctx, from)
}

// list reads a page of the list for a walk.
func (s *Source) list(ctx context.Context, at remote.Position, more map[string]bool) (remote.Page, error) {
	f, next, err := s.search(ctx, at)
	p := remote.Page{Next: next}
	p.Entries = remote.Entries(f.Issues, &s.tally, "issues that make no sense", func(i *issue) (remote.Entry, bool) {
		it, ok := s.item(i)
		more[it.ID] = i.Fields.Comment.Total > len(i.Fields.Comment.Comments)
		updated := cmp.Or(i.Fields.Updated, i.Fields.Created)
		return remote.Entry{Key: it.ID, Updated: updated.Time, Item: it}, ok
	})
	return p, err
}

// complete reads an issue with all its comments.
func (s *Source) complete(ctx context.Context, id string, _ *providers.Item) ([]providers.Item, error) {
	it, err := s.getIssue(ctx, strings.TrimPrefix(id, issueID))
	if err != nil {
		return nil, err
	}
	return []providers.Item{it}, nil
}

// getIssue reads an issue, and the comments that are not part of the answer.
func (s *Source) getIssue(ctx context.Context, key string) (providers.Item, error) {
	var i issue
	if err := s.get(ctx, "issue/"+key, url.Values{"fields": {fields}}, &i); err != nil {
		return providers.Item{}, err
	}
	if c := &i.Fields.Comment; c.Total > len(c.Comments) {
		all, err := s.comments(ctx, key)
		if err != nil {
			return providers.Item{}, err
		}
		c.Comments = all
	}
	it, ok := s.item(&i)
	if !ok {
		return providers.Item{}, fmt.Errorf("jira: issue %s: %w", key, providers.ErrMalformed)
	}
	return it, nil
}

// comments reads all comments of an issue, the oldest first.
func (s *Source) comments(ctx context.Context, key string) ([]comment, error) {
	var out []comment
	for range maxCommentPages {
		var page comments
		query := url.Values{"startAt": {strconv.Itoa(len(out))}, "maxResults": {strconv.Itoa(pageSize)},
			"orderBy": {"created"}}
		if err := s.get(ctx, "issue/"+key+"/comment", query, &page); err != nil {
			return nil, err
		}
		out = append(out, page.Comments...)
		if len(page.Comments) == 0 || len(out) >= page.Total {
			return out, nil
		}
	}
	s.tally.Add("issues with more comments than are read")
	return out, nil
}

var (
	_ providers.Source  = (*Source)(nil)
	_ providers.Skipper = (*Source)(nil)
)
