package jira

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// pageSize is Jira Cloud's maximum for issues with all their fields.
const pageSize = 100

// Options are the settings for a site. BaseURL is that of the site, such as https://acme.atlassian.net or
// https://jira.example.org/jira. Email belongs to an API token of Cloud and is empty for a personal access
// token of Data Center. Cloud is Atlassian's own service; an Email or a host that ends with .atlassian.net
// implies it. The clock may differ from Jira's by some minutes.
type Options = remote.Options

// Source reads the issues of some projects. It implements [providers.Source]
// and [providers.Skipper]. It is not safe for concurrent use.
type Source struct {
	projects []string
	cloud    bool
	site     string // URL of the pages, without a trailing slash
	now      func() time.Time
	wire     *remote.Client
	http     *http.Client
	tally    remote.Tally
}

// New returns a source for projects, given their keys, such as ABC. It sends no request.
func New(projects []string, o Options) (*Source, error) {
	for _, p := range projects {
		if !isProject(p) {
			return nil, fmt.Errorf("jira: %q is not the key of a project: want capitals and digits, such as ABC", p)
		}
	}
	if len(projects) == 0 {
		return nil, errors.New("jira: no project is named")
	}
	o.Name = providers.Jira
	wire, err := remote.NewClient(o)
	if err != nil {
		return nil, err
	}
	projects = slices.Clone(projects)
	slices.Sort(projects)
	base := wire.Base()
	return &Source{
		projects: slices.Compact(projects), now: o.Now, wire: wire, http: wire.HTTP(),
		cloud: o.Cloud || o.Email != "" || strings.HasSuffix(strings.ToLower(base.Hostname()), ".atlassian.net"),
		site:  strings.TrimSuffix(base.String(), "/"),
	}, nil
}

var projectKey = lazy.Pattern(`^[A-Z][A-Z0-9_]{0,99}$`)

// isProject reports whether s is the key of a project, which needs no escaping in a query.
func isProject(s string) bool { return projectKey().MatchString(s) }

// Skipped returns what calls of the source left out so far.
func (s *Source) Skipped() []providers.Skip { return s.tally.Skips() }

// place identifies the projects in cursors.
func (s *Source) place() string {
	return strings.ToLower(s.site) + " " + strings.Join(s.projects, ",")
}

// get decodes the answer to a path below the API.
func (s *Source) get(ctx context.Context, path string, query url.Values, v any) error {
	root := "rest/api/2/"
	if s.cloud {
		root = "rest/api/3/"
	}
	u := s.wire.Base().JoinPath(root + path)
	u.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return fmt.Errorf("jira: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	resp, err := s.http.Do(req)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, s.wire.CleanError(ctx, err))
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(v); err != nil {
		return fmt.Errorf("read %s: %w", path, s.wire.CleanError(ctx, err))
	}
	return nil
}

// fields are the requested fields of an issue.
const fields = "summary,description,status,issuetype,creator,reporter,assignee,created,updated,labels,comment," +
	"issuelinks,parent"

// clockError is the maximum difference between Jira's clock and ours.
const clockError = 5 * time.Minute

// jql returns the query for the issues that changed between two times. The times in it are relative to now:
// absolute ones would be in the time zone of the account.
func (s *Source) jql(since, until time.Time) string {
	q := `project in ("` + strings.Join(s.projects, `","`) + `")`
	now := s.now()
	if !since.IsZero() {
		q += fmt.Sprintf(` AND updated >= "-%dm"`, max(int(now.Sub(since.Add(-clockError)).Minutes())+1, 1))
	}
	if minutes := int(now.Sub(until.Add(clockError)).Minutes()) - 1; !until.IsZero() && minutes > 0 {
		q += fmt.Sprintf(` AND updated <= "-%dm"`, minutes)
	}
	return q + " ORDER BY updated DESC, key DESC"
}

// found is a page of a search. Cloud returns a token for the next page, Data Center an offset and a total.
type found struct {
	Issues        remote.Elements `json:"issues"`
	NextPageToken string          `json:"nextPageToken"`
	Total         int             `json:"total"`
}

// search reads a page.
func (s *Source) search(ctx context.Context, at remote.Position) (found, string, error) {
	path := "search"
	query := url.Values{"jql": {s.jql(at.Since, at.Until)}, "maxResults": {strconv.Itoa(pageSize)}, "fields": {fields}}
	if s.cloud {
		path = "search/jql"
		if at.Token != "" {
			query.Set("nextPageToken", at.Token)
		}
	} else if at.Token != "" {
		query.Set("startAt", at.Token)
	}
	var f found
	if err := s.get(ctx, path, query, &f); err != nil {
		if errors.Is(err, remote.ErrRejected) {
			err = fmt.Errorf("projects %s: %w: %w", strings.Join(s.projects, ", "), providers.ErrNotFound, err)
		}
		return f, "", err
	}
	if f.Issues == nil {
		return f, "", fmt.Errorf("read %s: jira: answer holds no list of issues: %w", path, providers.ErrMalformed)
	}
	if s.cloud {
		return f, f.NextPageToken, nil
	}
	start, _ := strconv.Atoi(at.Token)
	if next := start + len(f.Issues); len(f.Issues) > 0 && next < f.Total {
		return f, strconv.Itoa(next), nil
	}
	return f, "", nil
}
