package gitlab

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	gl "gitlab.com/gitlab-org/api/client-go"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// The prefixes of the identifiers.
const (
	mrID    = providers.GitLab + ":mr:"
	issueID = providers.GitLab + ":issue:"
	noteID  = providers.GitLab + ":note:"
)

// ghost is the name that GitLab shows for a deleted account.
const ghost = "Ghost User"

// person returns an account by its display name, which is often the name in its commits.
func person(name, username string) providers.Person {
	clean := func(s string) string { return strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD")) }
	return providers.Person{Name: cmp.Or(clean(name), clean(username), ghost)}
}

// author returns an account, or the ghost if u is nil.
func author(u *gl.BasicUser) providers.Person {
	if u == nil {
		return providers.Person{Name: ghost}
	}
	return person(u.Name, u.Username)
}

func people(users []*gl.BasicUser) []providers.Person {
	var out []providers.Person
	for _, u := range users {
		if u != nil && !providers.IsBot(u.Username, "") {
			out = append(out, person(u.Name, u.Username))
		}
	}
	return out
}

// mergeRequest converts a merge request to an item. The time of a merged one is that of the merge, because it
// had no effect before; otherwise it is the creation time.
func (s *Source) mergeRequest(m *gl.BasicMergeRequest) (providers.Item, bool) {
	if m.IID <= 0 || isZero(m.CreatedAt) {
		return providers.Item{}, false
	}
	it := providers.Item{
		ID: mrID + strconv.FormatInt(m.IID, 10), Kind: "mr",
		Title: remote.Title(m.Title, fmt.Sprintf("Merge request !%d", m.IID)),
		Text:  s.tally.Text(m.Description),
		Time:  *m.CreatedAt, URL: m.WebURL, State: stateOf(m),
		Author: author(m.Author),
	}
	it.Also = remote.AddPeople(nil, it.Author, people(m.Reviewers)...)
	it.Also = remote.AddPeople(it.Also, it.Author, people(m.Assignees)...)
	if it.State == "merged" {
		if !isZero(m.MergedAt) {
			it.Time = *m.MergedAt
		}
		it.Links = remote.LinkCommit(it.Links, m.MergeCommitSHA)
		it.Links = remote.LinkCommit(it.Links, m.SquashCommitSHA)
	}
	it.Links = remote.LinkCommit(it.Links, m.SHA)
	remote.Classify(&it, m.Labels)
	remote.LinkClosed(&it, s.project, issueID)
	return it, true
}

// stateOf returns the state of a merge request. GitLab's "locked", a merge in progress, counts as open.
func stateOf(m *gl.BasicMergeRequest) string {
	switch {
	case m.State == "merged" || m.State == "closed":
		return m.State
	case m.Draft:
		return "draft"
	}
	return "open"
}

// issue has the fields that are needed of the client's type, whose own decoder panics on answers without an
// id.
type issue struct {
	IID            int64           `json:"iid"`
	Title          string          `json:"title"`
	Description    string          `json:"description"`
	State          string          `json:"state"`
	CreatedAt      *time.Time      `json:"created_at"`
	UpdatedAt      *time.Time      `json:"updated_at"`
	Author         *gl.BasicUser   `json:"author"`
	Assignees      []*gl.BasicUser `json:"assignees"`
	Labels         []string        `json:"labels"`
	WebURL         string          `json:"web_url"`
	IssueType      string          `json:"issue_type"`
	Confidential   bool            `json:"confidential"`
	UserNotesCount int64           `json:"user_notes_count"`
}

// issue converts an issue to an item.
func (s *Source) issue(i *issue) (providers.Item, bool) {
	if i.IID <= 0 || isZero(i.CreatedAt) {
		return providers.Item{}, false
	}
	it := providers.Item{
		ID: issueID + strconv.FormatInt(i.IID, 10), Kind: "issue",
		Title: remote.Title(i.Title, fmt.Sprintf("Issue #%d", i.IID)),
		Text:  s.tally.Text(i.Description),
		Time:  *i.CreatedAt, URL: i.WebURL, State: "open",
		Author: author(i.Author),
	}
	if i.State == "closed" {
		it.State = "closed"
	}
	it.Also = remote.AddPeople(nil, it.Author, people(i.Assignees)...)
	labels := i.Labels
	if i.IssueType == "incident" {
		labels = []string{"incident"}
	}
	remote.Classify(&it, labels)
	return it, true
}

// note converts a note on the thread with this id to an item.
func (s *Source) note(thread string, n *gl.Note) (providers.Item, bool) {
	kind, number := remote.SplitID(thread)
	sign, pages := "#", "issues"
	if kind == mrID {
		sign, pages = "!", "merge_requests"
	}
	if n.ID <= 0 || isZero(n.CreatedAt) {
		return providers.Item{}, false
	}
	it := providers.Item{
		ID: fmt.Sprintf("%s%d:%d", noteID, number, n.ID), Kind: "comment", Type: "discussion",
		Title:  fmt.Sprintf("Comment on %s%d", sign, number),
		Text:   s.tally.Text(n.Body),
		Author: person(n.Author.Name, n.Author.Username),
		Time:   *n.CreatedAt,
		URL:    fmt.Sprintf("%s/-/%s/%d#note_%d", s.site, pages, number, n.ID),
		Links:  []providers.Link{{Rel: providers.PartOf, ID: thread}},
	}
	if p := n.Position; p != nil {
		addPosition(&it, p)
	}
	it.Refs = providers.References(it.Text)
	return it, true
}

// addPosition adds the position of a note in the code.
func addPosition(it *providers.Item, p *gl.NotePosition) {
	path, line := p.NewPath, p.NewLine
	if path == "" {
		path, line = p.OldPath, p.OldLine
	}
	path = strings.ToValidUTF8(path, "\uFFFD")
	if path == "" {
		return
	}
	it.Paths = []string{path}
	it.Title = remote.Title(it.Title+" at "+path, "")
	if line > 0 {
		it.Title += ":" + strconv.FormatInt(line, 10)
	}
}

func isZero(t *time.Time) bool { return t == nil || t.IsZero() }
