package github

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// DefaultBaseURL is the API of github.com. That of an Enterprise server is
// https://<host>/api/v3.
const DefaultBaseURL = "https://api.github.com/"

// pageSize is the most that GitHub gives at once.
const pageSize = 100

// Options says how to reach a repository.
type Options struct {
	// BaseURL is the root of the API; empty means [DefaultBaseURL]. It must be
	// https, except for this machine.
	BaseURL string
	// Token is a personal access token, or empty for what everybody can see. It
	// is sent to the host of BaseURL only.
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

// Source hands out what a repository's forge holds. It implements
// [providers.Source], [providers.Resolver], [providers.CommitFinder] and
// [providers.Skipper]. It is not safe for concurrent use.
type Source struct {
	owner, repo string
	wire        *remote.Client
	tally       remote.Tally
}

// New returns a source over owner/repo. It sends nothing yet.
func New(owner, repo string, o Options) (*Source, error) {
	if !isName(owner) || !isName(repo) {
		return nil, fmt.Errorf("github: %q is not the name of a repository: want owner/name", owner+"/"+repo)
	}
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	authorization := ""
	if o.Token != "" {
		authorization = "Bearer " + o.Token
	}
	wire, err := remote.NewClient(remote.Options{
		Name: providers.GitHub, BaseURL: o.BaseURL, Authorization: authorization, Transport: o.Transport,
		UserAgent: o.UserAgent, Budget: o.Budget, Now: o.Now,
	})
	if err != nil {
		return nil, err
	}
	return &Source{owner: owner, repo: repo, wire: wire}, nil
}

// isName reports whether s can be the name of an owner or a repository, so that
// it needs no escaping in an address.
func isName(s string) bool {
	return s != "." && s != ".." && regexp.MustCompile(`^[-_.0-9A-Za-z]{1,100}$`).MatchString(s)
}

// Skipped lists what calls of the source left out so far.
func (s *Source) Skipped() []providers.Skip { return s.tally.Skips() }

// Sent is how many requests the last call sent.
func (s *Source) Sent() int { return s.wire.Sent() }

// place names the repository in cursors.
func (s *Source) place() string {
	return strings.ToLower(s.wire.Base().String() + "repos/" + s.owner + "/" + s.repo)
}

// path is an address below the repository's.
func (s *Source) path(format string, of ...any) string {
	return "repos/" + s.owner + "/" + s.repo + "/" + fmt.Sprintf(format, of...)
}

// whole asks for as much as GitHub gives at once.
func whole() url.Values { return url.Values{"per_page": {strconv.Itoa(pageSize)}} }
