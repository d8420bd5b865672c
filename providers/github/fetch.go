package github

import (
	"context"
	"maps"
	"net/url"
	"strconv"

	gh "github.com/google/go-github/v62/github"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// list is one of the lists that cover a repository.
type list struct {
	path  string
	query string
	// since is set if the list can omit entries older than a time.
	since bool
	// entries decodes the elements of a page.
	entries func(s *Source, page remote.Elements, lost string) []remote.Entry
}

// lists returns the lists in the order of their states in a cursor.
func lists() [4]list {
	return [4]list{
		{"pulls", "state=all&sort=updated&direction=desc", false, entriesOf((*Source).pullEntry)},
		{"issues", "state=all&sort=updated&direction=desc", true, entriesOf((*Source).issueEntry)},
		{"issues/comments", "sort=updated&direction=desc", true, entriesOf((*Source).commentEntry)},
		{"pulls/comments", "sort=updated&direction=desc", true, entriesOf((*Source).lineCommentEntry)},
	}
}

// entriesOf returns a function that decodes pages with entry, which decodes one element; ok is false for an
// invalid one.
func entriesOf[T any](entry func(*Source, *T) (e remote.Entry, ok bool)) func(*Source, remote.Elements,
	string) []remote.Entry {
	return func(s *Source, page remote.Elements, lost string) []remote.Entry {
		return remote.Entries(page, &s.tally, lost, func(v *T) (remote.Entry, bool) { return entry(s, v) })
	}
}

// Fetch yields what was opened or changed since the cursor, newest changes first. It implements
// [providers.Source]. If a part of the repository cannot be read, such as issues that the token does not
// cover, Fetch reads the rest and returns a [*providers.Partial].
func (s *Source) Fetch(ctx context.Context, from providers.Cursor,
	yield func(providers.Item) error) (providers.Cursor, error) {
	// commenters are the people who commented on lines, by pull request.
	commenters := map[string][]providers.Person{}
	run := remote.Run{
		Client: s.wire, Place: s.place(), Threads: []string{prID},
		Yield: yield, Complete: s.complete, Tally: &s.tally, LostReason: "pull requests whose reviews could not be read",
		Defer: func(it providers.Item) bool {
			if it.Kind == "comment" && len(it.Paths) > 0 {
				thread := it.Links[0].ID
				commenters[thread] = append(commenters[thread], it.Author)
			}
			return s.waitsForReviews(it)
		},
		Enrich: func(it *providers.Item) { it.Also = remote.AddPeople(it.Also, it.Author, commenters[it.ID]...) },
	}
	for _, l := range lists() {
		run.Lists = append(run.Lists, func(ctx context.Context, at remote.Position) (remote.Page, error) {
			return s.listPage(ctx, l, at)
		})
	}
	return run.Fetch(ctx, from)
}

// waitsForReviews reports whether the reviews of an item still have to be requested.
func (s *Source) waitsForReviews(it providers.Item) bool {
	if it.Kind != "pr" {
		return false
	}
	if providers.IsBot(it.Author.Name, "") {
		s.tally.Add("pull requests of bots, without their reviews")
		return false
	}
	return true
}

// listPage reads a page of a list for a walk.
func (s *Source) listPage(ctx context.Context, l list, at remote.Position) (remote.Page, error) {
	query, err := url.ParseQuery(l.query)
	if err != nil {
		return remote.Page{}, err
	}
	maps.Copy(query, pageQuery(at.Token))
	if l.since && !at.Since.IsZero() {
		query.Set("since", at.Since.UTC().Format("2006-01-02T15:04:05Z"))
	}
	var elements remote.Elements
	p, err := s.get(ctx, l.path, query, at.ETag, &elements)
	p.Entries = l.entries(s, elements, "entries of the list "+l.path+" that make no sense")
	return p, err
}

// entry returns an entry of a list. The time of an item without a last change is its creation.
func entry(it providers.Item, ok bool, key string, updated, created gh.Timestamp) (remote.Entry, bool) {
	if updated.IsZero() {
		updated = created
	}
	return remote.Entry{Key: key, Updated: updated.Time, Item: it}, ok
}

func (s *Source) pullEntry(p *gh.PullRequest) (remote.Entry, bool) {
	it, ok := s.pull(p)
	return entry(it, ok, strconv.Itoa(p.GetNumber()), p.GetUpdatedAt(), p.GetCreatedAt())
}

func (s *Source) issueEntry(i *gh.Issue) (remote.Entry, bool) {
	key := strconv.Itoa(i.GetNumber())
	if i.IsPullRequest() && !i.GetCreatedAt().IsZero() {
		e, ok := entry(providers.Item{}, true, key, i.GetUpdatedAt(), i.GetCreatedAt())
		e.Skip = true // the list of pull requests has more fields
		return e, ok
	}
	it, ok := s.issue(i)
	return entry(it, ok, key, i.GetUpdatedAt(), i.GetCreatedAt())
}

func (s *Source) commentEntry(c *gh.IssueComment) (remote.Entry, bool) {
	it, ok := s.issueComment(c)
	e, ok := entry(it, ok, strconv.FormatInt(c.GetID(), 10), c.GetUpdatedAt(), c.GetCreatedAt())
	e.Skip = s.isNoise(c.GetUser(), it)
	return e, ok
}

func (s *Source) lineCommentEntry(c *gh.PullRequestComment) (remote.Entry, bool) {
	it, ok := s.lineComment(c)
	e, ok := entry(it, ok, strconv.FormatInt(c.GetID(), 10), c.GetUpdatedAt(), c.GetCreatedAt())
	e.Skip = s.isNoise(c.GetUser(), it)
	return e, ok
}

// isNoise reports whether a comment is by a bot or empty, and counts it if so.
func (s *Source) isNoise(u *gh.User, it providers.Item) bool {
	switch {
	case isBot(u):
		s.tally.Add("comments of bots")
	case it.Text == "":
		s.tally.Add("comments without words")
	default:
		return false
	}
	return true
}
