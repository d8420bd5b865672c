package gitlab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	gl "gitlab.com/gitlab-org/api/client-go"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// DefaultBaseURL is gitlab.com.
const DefaultBaseURL = "https://gitlab.com"

// apiPath is where GitLab serves its API, below the address of a server.
const apiPath = "/api/v4"

// pageSize is the most that GitLab gives at once.
const pageSize = 100

// Options says how to reach a project.
type Options struct {
	// BaseURL is the address of the server, with or without /api/v4; empty means
	// [DefaultBaseURL]. It must be https, except for this machine.
	BaseURL string
	// Token is a personal, project or group access token, or empty for what
	// everybody can see. It is sent to the host of BaseURL only.
	Token string
	// Transport sends the requests; nil means [http.DefaultTransport].
	Transport http.RoundTripper
	// UserAgent names the program; empty means gitmem.
	UserAgent string
	// Budget is how many requests one call may send; 0 means no bound. A fetch
	// that reaches it stops with a [*providers.Partial] of [providers.ErrBudget].
	// Six are enough to get on, unless hundreds of things change within two
	// minutes.
	Budget int
	// Now is the clock. It must be set.
	Now func() time.Time
}

// Source hands out what a project holds. It implements [providers.Source],
// [providers.Resolver], [providers.CommitFinder] and [providers.Skipper]. It is
// not safe for concurrent use.
type Source struct {
	project string // group/name
	site    string // address of the project's pages
	wire    *remote.Client
	api     *gl.Client
	tally   remote.Tally
}

// unlimited replaces the client's own limiter, which would wait without saying so.
type unlimited struct{}

func (unlimited) Wait(context.Context) error { return nil }

// New returns a source over a project by its full path, group/subgroup/name. It
// sends nothing yet.
func New(project string, o Options) (*Source, error) {
	if !isPath(project) {
		return nil, fmt.Errorf("gitlab: %q is not the path of a project: want group/name", project)
	}
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	if o.UserAgent == "" {
		o.UserAgent = "gitmem"
	}
	server := strings.TrimSuffix(strings.TrimRight(o.BaseURL, "/"), apiPath)
	authorization := ""
	if o.Token != "" {
		authorization = "Bearer " + o.Token
	}
	wire, err := remote.NewClient(remote.Options{
		Name: providers.GitLab, BaseURL: server + apiPath, Authorization: authorization, Transport: o.Transport,
		UserAgent: o.UserAgent, Budget: o.Budget, Now: o.Now,
	})
	if err != nil {
		return nil, err
	}
	api, err := gl.NewClient("", gl.WithBaseURL(server+apiPath), gl.WithHTTPClient(wire.HTTP()), gl.WithoutRetries(), gl.WithCustomRetryMax(0),
		gl.WithCustomLimiter(unlimited{}), gl.WithUserAgent(o.UserAgent))
	if err != nil {
		return nil, fmt.Errorf("gitlab: %w", err)
	}
	return &Source{project: project, site: server + "/" + project, wire: wire, api: api}, nil
}

// isPath reports whether s can be the path of a project.
func isPath(s string) bool {
	parts := strings.Split(s, "/")
	for _, part := range parts {
		if part == "" || part == "." || part == ".." || part == "-" || len(part) > 255 {
			return false
		}
		for _, c := range []byte(part) {
			if c != '-' && c != '_' && c != '.' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
				return false
			}
		}
	}
	return len(parts) >= 2 && len(parts) <= 21
}

// Skipped lists what calls of the source left out so far.
func (s *Source) Skipped() []providers.Skip { return s.tally.Skips() }

// Sent is how many requests the last call sent.
func (s *Source) Sent() int { return s.wire.Sent() }

// place names the project in cursors.
func (s *Source) place() string { return strings.ToLower(s.site) }

// get decodes the answer to a path below the project. options are the client's
// own for that path, or nil; same means that nothing has changed since etag.
func (s *Source) get(ctx context.Context, path string, options any, etag string, v any) (resp *gl.Response, same bool, err error) {
	with := []gl.RequestOptionFunc{gl.WithContext(ctx)}
	if etag != "" {
		with = append(with, gl.WithHeader("If-None-Match", etag))
	}
	req, err := s.api.NewRequest(http.MethodGet, "projects/"+gl.PathEscape(s.project)+"/"+path, options, with)
	if err != nil {
		return nil, false, fmt.Errorf("gitlab: %w", err)
	}
	var body json.RawMessage
	resp, err = s.api.Do(req, &body)
	if resp != nil && resp.Response != nil && resp.StatusCode == http.StatusNotModified {
		return resp, true, nil
	}
	if err == nil && string(body) == "null" {
		err = fmt.Errorf("gitlab: empty answer: %w", providers.ErrMalformed)
	}
	if err == nil {
		err = json.Unmarshal(body, v)
	}
	if err != nil {
		return nil, false, fmt.Errorf("read %s: %w", path, s.plain(ctx, err))
	}
	return resp, false, nil
}

// plain says what an error of the client means in the words of the contract.
func (s *Source) plain(ctx context.Context, err error) error {
	var other *gl.ErrorResponse
	if errors.As(err, &other) && other.Response != nil {
		return fmt.Errorf("gitlab: status %d: %w", other.Response.StatusCode, providers.ErrMalformed)
	}
	if errors.Is(err, gl.ErrNotFound) {
		return fmt.Errorf("gitlab: %w", providers.ErrNotFound)
	}
	return s.wire.Plain(ctx, err)
}

// page reads a page of a list, element by element, so that one that makes no
// sense costs only itself.
func (s *Source) page(ctx context.Context, path string, options any, etag string) (elements remote.Elements, p remote.Page, err error) {
	resp, same, err := s.get(ctx, path, options, etag, &elements)
	if err != nil || same {
		return nil, remote.Page{Same: same}, err
	}
	p.ETag = resp.Header.Get("Etag")
	if resp.NextPage > 0 {
		p.Next = strconv.FormatInt(resp.NextPage, 10)
	}
	return elements, p, nil
}

// pageOf is the number of the page that a token names.
func pageOf(token string) int64 {
	n, err := strconv.ParseInt(token, 10, 32)
	if err != nil || n < 1 {
		return 1
	}
	return n
}
