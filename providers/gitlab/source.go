package gitlab

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

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
	tally   remote.Tally
}

// New returns a source over a project by its full path, group/subgroup/name. It
// sends nothing yet.
func New(project string, o Options) (*Source, error) {
	if !isPath(project) {
		return nil, fmt.Errorf("gitlab: %q is not the path of a project: want group/name", project)
	}
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
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
	return &Source{project: project, site: server + "/" + project, wire: wire}, nil
}

// isPath reports whether s can be the path of a project.
func isPath(s string) bool {
	parts := strings.Split(s, "/")
	name := regexp.MustCompile(`^[-_.0-9A-Za-z]{1,255}$`)
	odd := func(part string) bool { return part == "." || part == ".." || part == "-" || !name.MatchString(part) }
	return len(parts) >= 2 && len(parts) <= 21 && !slices.ContainsFunc(parts, odd)
}

// Skipped lists what calls of the source left out so far.
func (s *Source) Skipped() []providers.Skip { return s.tally.Skips() }

// Sent is how many requests the last call sent.
func (s *Source) Sent() int { return s.wire.Sent() }

// place names the project in cursors.
func (s *Source) place() string { return strings.ToLower(s.site) }

// path is an address below the project's.
func (s *Source) path(format string, of ...any) string {
	return "projects/" + url.PathEscape(s.project) + "/" + fmt.Sprintf(format, of...)
}

// pageQuery asks for the page that a token names, the first one without.
func pageQuery(token string) url.Values {
	page := "1"
	if q, err := url.ParseQuery(token); err == nil && q.Get("page") != "" {
		page = q.Get("page")
	}
	return url.Values{"page": {page}, "per_page": {strconv.Itoa(pageSize)}}
}
