package gitmem

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/items"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/providers"
)

// remote is a source behind a network that serves the current repository.
type remote struct {
	kind     string   // providers.GitHub, providers.GitLab or providers.Jira
	host     string   // as it stands in the repository's remote, or in the tracker's address
	path     string   // owner/name on the host, "" for a tracker
	api      string   // address of its API, "" for where the kind has it on that host
	projects []string // of a tracker
	cloud    bool     // of a tracker
}

// name is how people call it.
func (r remote) name() string {
	if r.kind == providers.Jira {
		return strings.Join(r.projects, ", ") + " on " + r.host
	}
	return r.host + "/" + r.path
}

// what is what it holds, in words.
func (r remote) what() string {
	switch r.kind {
	case providers.GitHub:
		return "pull requests and issues"
	case providers.GitLab:
		return "merge requests and issues"
	}
	return "tickets"
}

// key names its cache and its index. A mirror that is read by another address is another one.
func (r remote) key() string {
	return r.kind + "-" + shortHash(strings.Join([]string{r.host, r.path, r.api, strings.Join(r.projects, ",")}, "\x00"))
}

// belowServer is the path of a project on a GitLab that has its pages below a path: in
// addresses of the web that path comes first, in those of ssh it does not stand.
func belowServer(address, path string, f config.Forge) string {
	u, err := url.Parse(f.API)
	scheme, _, web := strings.Cut(strings.ToLower(address), "://")
	if err != nil || f.Kind != providers.GitLab || !web || scheme != "https" && scheme != "http" {
		return path
	}
	prefix := strings.Trim(strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/api/v4"), "/")
	if rest, ok := strings.CutPrefix(path, prefix+"/"); ok && prefix != "" && strings.Contains(rest, "/") {
		return rest
	}
	return path
}

const otherRemote = 2

func forgeRank(name string) int {
	if i := slices.Index([]string{"upstream", "origin"}, name); i >= 0 {
		return i
	}
	return otherRemote
}

// forgeOf is the forge of an address of a remote.
func (m *forges) forgeOf(address string) (remote, bool) {
	id, ok := store.NormaliseRemote(address)
	host, path, nested := strings.Cut(id, "/")
	if !ok || !nested {
		return remote{}, false
	}
	r := remote{host: host, path: path}
	if f, ok := m.conf.Forges.On(host); ok {
		r.kind, r.api = f.Kind, f.API
		r.path = belowServer(address, path, f)
	} else {
		switch host {
		case "github.com":
			r.kind = providers.GitHub
		case "gitlab.com":
			r.kind = providers.GitLab
		}
	}
	owner, repo, ok := strings.Cut(r.path, "/")
	if r.kind == "" || !ok || owner == "" || repo == "" || r.kind == providers.GitHub && strings.Contains(repo, "/") {
		return remote{}, false
	}
	return r, true
}

// login is what a source is asked with. The zero value asks as anybody.
type login struct {
	user  string // of a tracker's cloud, "" otherwise
	token string
}

// loginOf finds what to ask a source with.
func (m *forges) loginOf(ctx context.Context, r remote) login {
	who := m.envLogin(r)
	if who.token == "" && r.kind == providers.GitHub && (r.host != "github.com" || r.api == "") {
		who.token = m.tokenOfGH(ctx, r.host)
	}
	return who
}

// envLogin is what the environment holds to ask a source with. A token is for one
// host: those of the big services are sent nowhere else, whatever address stands in
// for them, and whatever kind they are said to be.
func (m *forges) envLogin(r remote) login {
	env := func(names ...string) string {
		for _, name := range names {
			if v := strings.TrimSpace(m.o.Getenv(name)); v != "" {
				return v
			}
		}
		return ""
	}
	switch {
	case r.kind == providers.Jira:
		return login{user: env("JIRA_EMAIL"), token: env("JIRA_TOKEN")}
	case r.kind == providers.GitLab:
		// The variable is for the host that GITLAB_HOST names, or else the service.
		if named := env("GITLAB_HOST"); named != "" && sameHost(named, r.host) || named == "" && r.host == "gitlab.com" && r.api == "" {
			return login{token: env("GITLAB_TOKEN")}
		}
		return login{}
	case r.host == "github.com" && r.api == "":
		return login{token: env("GITMEM_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN")}
	}
	return login{token: env("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")}
}

// signIn says how somebody gives a token for a source.
func (r remote) signIn() string {
	switch {
	case r.kind == providers.Jira && r.cloud:
		return "set JIRA_EMAIL and JIRA_TOKEN"
	case r.kind == providers.Jira:
		return "set JIRA_TOKEN"
	case r.kind == providers.GitLab && r.host == "gitlab.com":
		return "set GITLAB_TOKEN"
	case r.kind == providers.GitLab:
		return "set GITLAB_TOKEN, and GITLAB_HOST to " + r.host
	case r.host == "github.com" && r.api == "":
		return "set GITHUB_TOKEN or run gh auth login"
	case r.host == "github.com":
		return "set GH_ENTERPRISE_TOKEN"
	}
	return "set GH_ENTERPRISE_TOKEN or run gh auth login --hostname " + r.host
}

// sameHost compares a host, or an address that begins with one, with a host.
func sameHost(named, host string) bool {
	if _, rest, ok := strings.Cut(named, "://"); ok {
		named = rest
	}
	named, _, _ = strings.Cut(named, "/")
	return strings.EqualFold(named, host)
}

// ghTime is how long the forge's own command may take to tell its token.
const ghTime = 2 * time.Second

// tokenOfGH asks the forge's own command for its token, "" where it has none.
func (m *forges) tokenOfGH(ctx context.Context, host string) string {
	if m.o.Run == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, ghTime)
	defer cancel()
	out, err := m.o.Run(ctx, "gh", "auth", "token", "--hostname", host)
	token := strings.TrimSpace(string(out))
	if err != nil || strings.ContainsAny(token, " \t\r\n") {
		return "" // not installed, or not signed in
	}
	return token
}

// offline tells whether no server may be asked.
func (m *forges) offline() bool {
	v := strings.ToLower(strings.TrimSpace(m.o.Getenv("GITMEM_OFFLINE")))
	return m.o.Offline || v != "" && v != "0" && v != "false" && v != "off" && v != "no"
}

// itemsOf is the cache of a remote source.
func (m *forges) itemsOf(r remote) *items.Cache {
	return items.Open(filepath.Join(m.dir, r.key()))
}

// errNoClient says that a kind of source can't be asked.
var errNoClient = errors.New("this program can't ask such a server")

// dial makes the client of a remote source, and tells whether it asks as anybody.
func (m *forges) dial(ctx context.Context, r remote) (src providers.Source, anonymous bool, err error) {
	who := m.loginOf(ctx, r)
	if m.dialer != nil {
		src, err = m.dialer(r.kind, r.name(), who.token)
	} else {
		src, err = m.newSource(r, who)
	}
	return src, who.token == "", err
}
