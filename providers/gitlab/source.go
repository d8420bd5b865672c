package gitlab

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	gl "gitlab.com/gitlab-org/api/client-go"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// DefaultBaseURL is gitlab.com.
const DefaultBaseURL = "https://gitlab.com"

// apiPath is the path of GitLab's API below the URL of a server.
const apiPath = "/api/v4"

// pageSize is GitLab's maximum.
const pageSize = 100

// Options are the settings for a project. BaseURL is that of the server, with or without /api/v4; empty means
// [DefaultBaseURL].
type Options = remote.Options

// Source reads a project's threads. It implements [providers.Source],
// [providers.CommitFinder], [providers.Skipper] and [providers.Proposer]. It is not safe for
// concurrent use.
type Source struct {
	project string // group/name
	site    string // URL of the project's pages
	wire    *remote.Client
	api     *gl.Client
	tally   remote.Tally
}

// unlimited replaces the client's own rate limiter, which would wait silently.
type unlimited struct{}

func (unlimited) Wait(context.Context) error { return nil }

// New returns a source for a project, given its full path, group/subgroup/name. It sends no request.
func New(project string, o Options) (*Source, error) {
	if !isPath(project) {
		return nil, fmt.Errorf("gitlab: %q is not the path of a project: want group/name", project)
	}
	server := strings.TrimSuffix(strings.TrimRight(cmp.Or(o.BaseURL, DefaultBaseURL), "/"), apiPath)
	o.Name, o.BaseURL = providers.GitLab, server+apiPath
	wire, err := remote.NewClient(o)
	if err != nil {
		return nil, err
	}
	api, err := gl.NewClient("", gl.WithBaseURL(server+apiPath), gl.WithHTTPClient(wire.HTTP()), gl.WithoutRetries(),
		gl.WithCustomRetryMax(0),
		gl.WithCustomLimiter(unlimited{}))
	if err != nil {
		return nil, fmt.Errorf("gitlab: %w", err)
	}
	return &Source{project: project, site: server + "/" + project, wire: wire, api: api}, nil
}

var partForm = lazy.Pattern(`^[-_.0-9A-Za-z]{1,255}$`)

// isPath reports whether s can be the path of a project.
func isPath(s string) bool {
	parts := strings.Split(s, "/")
	name := partForm()
	odd := func(part string) bool { return part == "." || part == ".." || part == "-" || !name.MatchString(part) }
	return len(parts) >= 2 && len(parts) <= 21 && !slices.ContainsFunc(parts, odd)
}

// Skipped returns what calls of the source left out so far.
func (s *Source) Skipped() []providers.Skip { return s.tally.Skips() }

// place identifies the project in cursors.
func (s *Source) place() string { return strings.ToLower(s.site) }

// get decodes the answer to a path below the project. options are the client's own type for that path, or
// nil. See [remote.Get].
func (s *Source) get(ctx context.Context, path string, options any, etag string, v any) (p remote.Page, err error) {
	with := []gl.RequestOptionFunc{gl.WithContext(ctx)}
	if etag != "" {
		with = append(with, gl.WithHeader("If-None-Match", etag))
	}
	req, err := s.api.NewRequest(http.MethodGet, "projects/"+gl.PathEscape(s.project)+"/"+path, options, with)
	if err != nil {
		return p, fmt.Errorf("gitlab: %w", err)
	}
	var body json.RawMessage
	resp, err := s.api.Do(req, &body)
	if resp != nil && resp.Response != nil && resp.StatusCode == http.StatusNotModified {
		return remote.Page{NotModified: true}, nil
	}
	if err == nil {
		err = remote.Decode(body, v)
	}
	if err != nil {
		return p, fmt.Errorf("read %s: %w", path, s.wire.CleanError(ctx, err))
	}
	p.ETag = resp.Header.Get("Etag")
	if resp.NextPage > 0 {
		p.Next = strconv.FormatInt(resp.NextPage, 10)
	}
	return p, nil
}

// pageOptions requests the page of a token; "" is the first page.
func pageOptions(token string) gl.ListOptions {
	n, _ := strconv.ParseInt(token, 10, 32) // get writes the tokens
	return gl.ListOptions{Page: max(n, 1), PerPage: pageSize}
}
