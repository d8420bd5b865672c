package github

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	gh "github.com/google/go-github/v62/github"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// DefaultBaseURL is the API of github.com. For an Enterprise server it is https://<host>/api/v3.
const DefaultBaseURL = "https://api.github.com/"

// pageSize is GitHub's maximum.
const pageSize = 100

// Options are the settings for a repository; an empty BaseURL means [DefaultBaseURL].
type Options = remote.Options

// Source reads a repository's threads. It implements [providers.Source],
// [providers.CommitFinder], [providers.Skipper] and [providers.Proposer]. It is not safe
// for concurrent use.
type Source struct {
	owner, repo string
	wire        *remote.Client
	api         *gh.Client
	tally       remote.Tally
}

// New returns a source for owner/repo. It sends no request.
func New(owner, repo string, o Options) (*Source, error) {
	if !isName(owner) || !isName(repo) {
		return nil, fmt.Errorf("github: %q is not the name of a repository: want owner/name", owner+"/"+repo)
	}
	o.Name, o.BaseURL = providers.GitHub, cmp.Or(o.BaseURL, DefaultBaseURL)
	wire, err := remote.NewClient(o)
	if err != nil {
		return nil, err
	}
	s := &Source{owner: owner, repo: repo, wire: wire, api: gh.NewClient(wire.HTTP())}
	s.api.BaseURL = wire.Base()
	return s, nil
}

var nameForm = lazy.Pattern(`^[-_.0-9A-Za-z]{1,100}$`)

// isName reports whether s can be the name of an owner or a repository, so that it needs no
// escaping in a URL.
func isName(s string) bool {
	return s != "." && s != ".." && nameForm().MatchString(s)
}

// Skipped returns what calls of the source left out so far.
func (s *Source) Skipped() []providers.Skip { return s.tally.Skips() }

// place identifies the repository in cursors.
func (s *Source) place() string {
	return strings.ToLower(s.wire.Base().String() + "repos/" + s.owner + "/" + s.repo)
}

// get decodes the answer to a path below the repository. query is a [url.Values] or nil. See [remote.Get].
func (s *Source) get(ctx context.Context, path string, query any, etag string, v any) (p remote.Page, err error) {
	address := "repos/" + s.owner + "/" + s.repo + "/" + path
	if query, ok := query.(url.Values); ok {
		address += "?" + query.Encode()
	}
	req, err := s.api.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return p, fmt.Errorf("github: %w", err)
	}
	if etag != "" {
		req.Header.Set("If-None-Match", etag)
	}
	var body json.RawMessage
	resp, err := s.api.Do(ctx, req, &body)
	if resp != nil && resp.Response != nil && resp.StatusCode == http.StatusNotModified {
		return remote.Page{NotModified: true}, nil
	}
	if err == nil {
		err = remote.Decode(body, v)
	}
	if err != nil {
		return p, fmt.Errorf("read %s: %w", path, s.convertError(ctx, err))
	}
	next := url.Values{}
	if resp.NextPage > 0 {
		next.Set("page", strconv.Itoa(resp.NextPage))
	}
	// Lists of more than 10,000 entries continue with a cursor instead of a page number.
	if resp.After != "" {
		next.Set("after", resp.After)
	}
	return remote.Page{ETag: resp.Header.Get("Etag"), Next: next.Encode()}, nil
}

// pageQuery returns the query for the page of a token, with the maximum page size. get writes the tokens;
// other keys of tokens from cursors are ignored.
func pageQuery(token string) url.Values {
	query := url.Values{"per_page": {strconv.Itoa(pageSize)}}
	of, _ := url.ParseQuery(token)
	for _, key := range []string{"page", "after"} {
		if value := of.Get(key); value != "" {
			query.Set(key, value)
		}
	}
	return query
}

// convertError converts the library's errors to those of package providers.
func (s *Source) convertError(ctx context.Context, err error) error {
	var limit *gh.RateLimitError
	if errors.As(err, &limit) {
		return fmt.Errorf("github: %w", &providers.RateLimitError{Until: limit.Rate.Reset.Time})
	}
	var accepted *gh.AcceptedError
	if errors.As(err, &accepted) {
		return fmt.Errorf("github: answer is not ready yet: %w", providers.ErrUnavailable)
	}
	return s.wire.CleanError(ctx, err)
}
