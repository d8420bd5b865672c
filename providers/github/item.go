package github

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	gh "github.com/google/go-github/v62/github"

	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// The prefixes of the identifiers.
const (
	prID      = providers.GitHub + ":pr:"
	reviewID  = providers.GitHub + ":review:"
	commentID = providers.GitHub + ":comment:"
	issueID   = providers.GitHub + ":issue:"
)

// ghost is the login that GitHub shows for a deleted account.
const ghost = "ghost"

// person returns an account by its login; GitHub does not publish the address.
func person(u *gh.User) providers.Person {
	return providers.Person{Name: strings.ToValidUTF8(cmp.Or(u.GetLogin(), ghost), "\uFFFD")}
}

func isBot(u *gh.User) bool {
	return u.GetType() == "Bot" || providers.IsBot(u.GetLogin(), "")
}

func people(users []*gh.User) []providers.Person {
	var out []providers.Person
	for _, u := range users {
		if u != nil && !isBot(u) {
			out = append(out, person(u))
		}
	}
	return out
}

// pull converts a pull request to an item. The time of a merged one is that of the merge, because it had no
// effect before; otherwise it is the creation time.
func (s *Source) pull(p *gh.PullRequest) (providers.Item, bool) {
	n := p.GetNumber()
	if n <= 0 || p.GetCreatedAt().IsZero() {
		return providers.Item{}, false
	}
	it := providers.Item{
		ID: prID + strconv.Itoa(n), Kind: "pr",
		Title:  remote.Title(p.GetTitle(), fmt.Sprintf("Pull request #%d", n)),
		Text:   s.tally.Text(p.GetBody()),
		Author: person(p.GetUser()),
		Time:   p.GetCreatedAt().Time,
		URL:    p.GetHTMLURL(),
		State:  stateOf(p),
	}
	it.Also = remote.AddPeople(nil, it.Author, people(p.RequestedReviewers)...)
	it.Also = remote.AddPeople(it.Also, it.Author, people(p.Assignees)...)
	if it.State == "merged" {
		it.Time = p.GetMergedAt().Time
		it.Links = remote.LinkCommit(it.Links, p.GetMergeCommitSHA()) // for an open one this is GitHub's trial merge
	}
	it.Links = remote.LinkCommit(it.Links, p.GetHead().GetSHA())
	remote.Classify(&it, names(p.Labels))
	remote.LinkClosed(&it, s.owner+"/"+s.repo, issueID)
	return it, true
}

// stateOf returns the state of a pull request. Lists have no "merged" field, only the merge time.
func stateOf(p *gh.PullRequest) string {
	switch {
	case p.GetMerged() || !p.GetMergedAt().IsZero():
		return "merged"
	case p.GetState() == "closed":
		return "closed"
	case p.GetDraft():
		return "draft"
	}
	return "open"
}

// names returns the names of labels.
func names(labels []*gh.Label) []string {
	return slice.Map(labels, (*gh.Label).GetName)
}

// issue converts an issue to an item. It rejects pull requests, which the list of issues contains too.
func (s *Source) issue(i *gh.Issue) (providers.Item, bool) {
	n := i.GetNumber()
	if n <= 0 || i.GetCreatedAt().IsZero() || i.IsPullRequest() {
		return providers.Item{}, false
	}
	it := providers.Item{
		ID: issueID + strconv.Itoa(n), Kind: "issue",
		Title:  remote.Title(i.GetTitle(), fmt.Sprintf("Issue #%d", n)),
		Text:   s.tally.Text(i.GetBody()),
		Author: person(i.GetUser()),
		Time:   i.GetCreatedAt().Time,
		URL:    i.GetHTMLURL(),
		State:  "open",
	}
	if i.GetState() == "closed" {
		it.State = "closed"
	}
	it.Also = remote.AddPeople(nil, it.Author, people(i.Assignees)...)
	remote.Classify(&it, names(i.Labels))
	return it, true
}

// comment returns the item of either kind of comment.
func (s *Source) comment(thread string, n int, id int64, title, body, address string, u *gh.User,
	at time.Time) (providers.Item, bool) {
	if n <= 0 || id <= 0 || at.IsZero() {
		return providers.Item{}, false
	}
	it := providers.Item{
		ID: fmt.Sprintf("%s%d:%d", commentID, n, id), Kind: "comment", Type: "discussion",
		Title: title, Text: s.tally.Text(body), Author: person(u), Time: at, URL: address,
		Links: []providers.Link{{Rel: providers.PartOf, ID: thread}},
	}
	it.Refs = providers.References(it.Text)
	return it, true
}

// issueComment converts a comment on an issue or a pull request. Only the URL of its page shows which of the
// two it is.
func (s *Source) issueComment(c *gh.IssueComment) (providers.Item, bool) {
	n := lastNumber(c.GetIssueURL())
	thread := issueID + strconv.Itoa(n)
	if strings.Contains(c.GetHTMLURL(), "/pull/") {
		thread = prID + strconv.Itoa(n)
	}
	return s.comment(thread, n, c.GetID(), fmt.Sprintf("Comment on #%d", n), c.GetBody(), c.GetHTMLURL(), c.GetUser(),
		c.GetCreatedAt().Time)
}

// lineComment converts a comment on a line of a pull request.
func (s *Source) lineComment(c *gh.PullRequestComment) (providers.Item, bool) {
	n := lastNumber(c.GetPullRequestURL())
	file := strings.ToValidUTF8(c.GetPath(), "\uFFFD")
	title := fmt.Sprintf("Comment on #%d", n)
	if file != "" {
		title = remote.Title(title+" at "+file, "") + lineOf(c)
	}
	it, ok := s.comment(prID+strconv.Itoa(n), n, c.GetID(), title, c.GetBody(), c.GetHTMLURL(), c.GetUser(),
		c.GetCreatedAt().Time)
	if file != "" {
		it.Paths = []string{file}
	}
	if c.GetInReplyTo() > 0 {
		it.Links = append(it.Links,
			providers.Link{Rel: providers.Mentions, ID: fmt.Sprintf("%s%d:%d", commentID, n, c.GetInReplyTo())})
	}
	return it, ok
}

// lineOf returns ":12", or "" if the line is unknown. It prefers the original line, which does not change
// with the file.
func lineOf(c *gh.PullRequestComment) string {
	if n := c.GetOriginalLine(); n > 0 {
		return ":" + strconv.Itoa(n)
	}
	if n := c.GetLine(); n > 0 {
		return ":" + strconv.Itoa(n)
	}
	return ""
}

// lastNumber parses the number at the end of an API URL.
func lastNumber(address string) int {
	n, err := strconv.Atoi(path.Base(address))
	if err != nil {
		return 0
	}
	return n
}

// review converts a review with a text to an item.
func (s *Source) review(n int, r *gh.PullRequestReview) (providers.Item, bool) {
	it := providers.Item{
		ID: fmt.Sprintf("%s%d:%d", reviewID, n, r.GetID()), Kind: "review", Type: "discussion",
		Title:  fmt.Sprintf("Review of #%d%s", n, verdict(r.GetState())),
		Text:   s.tally.Text(r.GetBody()),
		Author: person(r.GetUser()),
		Time:   r.GetSubmittedAt().Time,
		URL:    r.GetHTMLURL(),
		Links:  []providers.Link{{Rel: providers.PartOf, ID: prID + strconv.Itoa(n)}},
	}
	it.Refs = providers.References(it.Text)
	return it, r.GetID() > 0 && !it.Time.IsZero() && it.Text != ""
}

func verdict(state string) string {
	switch strings.ToUpper(state) {
	case "APPROVED":
		return ": approved"
	case "CHANGES_REQUESTED":
		return ": changes requested"
	case "DISMISSED":
		return ": dismissed"
	}
	return ""
}
