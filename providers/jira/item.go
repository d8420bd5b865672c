package jira

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// issueID is the prefix of the identifiers.
const issueID = providers.Jira + ":"

// user is an account. Data Center may publish the address, Cloud seldom does.
type user struct {
	DisplayName  string `json:"displayName"`
	Name         string `json:"name"`
	EmailAddress string `json:"emailAddress"`
	AccountType  string `json:"accountType"`
}

func (u *user) isBot() bool {
	return u != nil && (u.AccountType == "app" || providers.IsBot(u.Name, ""))
}

// person returns an account by its display name, "unknown" for a deleted one.
func (u *user) person() providers.Person {
	if u == nil {
		u = &user{}
	}
	return providers.Person{Name: cmp.Or(clean(u.DisplayName), clean(u.Name), "unknown"), Email: clean(u.EmailAddress)}
}

func clean(s string) string { return strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD")) }

// stamp is a time in Jira's format: 2026-03-01T10:00:00.000+0100.
type stamp struct{ time.Time }

// UnmarshalJSON reads a time; null is the zero time.
func (s *stamp) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil || text == "" {
		return err
	}
	for _, layout := range []string{"2006-01-02T15:04:05.999-0700", time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			s.Time = t
			return nil
		}
	}
	return fmt.Errorf("%.40q is no time of Jira", text)
}

// comment is one comment of an issue.
type comment struct {
	Author     *user           `json:"author"`
	Body       json.RawMessage `json:"body"`
	Created    stamp           `json:"created"`
	Visibility json.RawMessage `json:"visibility"`
	// Public is false for comments that a service desk hides from its customers.
	Public *bool `json:"jsdPublic"`
}

// comments is a page of comments.
type comments struct {
	Comments []comment `json:"comments"`
	Total    int       `json:"total"`
}

// issueRef is an issue that another one references.
type issueRef struct {
	Key string `json:"key"`
}

// issue has the requested fields of an issue.
type issue struct {
	Key    string `json:"key"`
	Fields struct {
		Summary     string          `json:"summary"`
		Description json.RawMessage `json:"description"`
		Status      struct {
			Category struct {
				Key string `json:"key"`
			} `json:"statusCategory"`
		} `json:"status"`
		Type struct {
			Name string `json:"name"`
		} `json:"issuetype"`
		Creator  *user     `json:"creator"`
		Reporter *user     `json:"reporter"`
		Assignee *user     `json:"assignee"`
		Created  stamp     `json:"created"`
		Updated  stamp     `json:"updated"`
		Labels   []string  `json:"labels"`
		Comment  comments  `json:"comment"`
		Parent   *issueRef `json:"parent"`
		Links    []struct {
			Inward  *issueRef `json:"inwardIssue"`
			Outward *issueRef `json:"outwardIssue"`
		} `json:"issuelinks"`
	} `json:"fields"`
}

// item converts an issue. Its comments follow its description, each with its author and date.
func (s *Source) item(i *issue) (providers.Item, bool) {
	f := &i.Fields
	if !s.isKey(i.Key) || f.Created.IsZero() {
		return providers.Item{}, false
	}
	it := providers.Item{
		ID: issueID + i.Key, Kind: "issue", State: "open",
		Title:  remote.Title(f.Summary, "Issue "+i.Key),
		Author: cmp.Or(f.Reporter, f.Creator).person(),
		Time:   f.Created.UTC(),
		URL:    s.site + "/browse/" + i.Key,
	}
	if f.Status.Category.Key == "done" {
		it.State = "closed"
	}
	if f.Assignee != nil && !f.Assignee.isBot() {
		it.Also = remote.AddPeople(nil, it.Author, f.Assignee.person())
	}
	it.Text = s.tally.Text(s.plainText(f.Description) + s.commentsText(f.Comment.Comments))
	it.Refs = providers.References(it.Title + "\n" + it.Text)
	it.Links = s.links(i)
	for _, labels := range [][]string{{f.Type.Name}, f.Labels} {
		if it.Type == "" {
			it.Type = providers.TypeOfLabels(labels)
		}
	}
	if it.Type == "" {
		it.Type = providers.InferType(it.Title, it.Text, nil)
	}
	return it, true
}

// links returns the parent and the linked issues.
func (s *Source) links(i *issue) []providers.Link {
	var out []providers.Link
	add := func(rel providers.Rel, o *issueRef) {
		if o != nil && isKey(o.Key) {
			out = remote.AddLink(out, providers.Link{Rel: rel, ID: issueID + o.Key})
		}
	}
	add(providers.PartOf, i.Fields.Parent)
	for _, l := range i.Fields.Links {
		add(providers.Mentions, l.Inward)
		add(providers.Mentions, l.Outward)
	}
	return out
}

// plainText converts a text of either format to plain text.
func (s *Source) plainText(raw json.RawMessage) string {
	var wiki string
	if json.Unmarshal(raw, &wiki) == nil {
		return wikiText(wiki)
	}
	return documentText(raw)
}

// commentsText returns the unrestricted comments of people.
func (s *Source) commentsText(list []comment) string {
	var b strings.Builder
	for _, c := range list {
		text := strings.TrimSpace(s.plainText(c.Body))
		switch {
		case c.Author.isBot():
			s.tally.Add("comments of bots")
		case len(c.Visibility) > 0 && string(c.Visibility) != "null", c.Public != nil && !*c.Public:
			s.tally.Add("comments that only some may read")
		case text != "":
			fmt.Fprintf(&b, "\n\n%s, %s:\n%s", c.Author.person().Name, c.Created.UTC().Format(time.DateOnly), text)
		}
	}
	return b.String()
}

// isKey reports whether s is the key of an issue, such as ABC-12.
func isKey(s string) bool {
	project, number, ok := strings.Cut(s, "-")
	n, err := strconv.Atoi(number)
	return ok && isProject(project) && err == nil && n > 0 && strconv.Itoa(n) == number
}

// isKey reports whether s is the key of an issue in the source's projects.
func (s *Source) isKey(key string) bool {
	project, _, _ := strings.Cut(key, "-")
	return slices.Contains(s.projects, project) && isKey(key)
}
