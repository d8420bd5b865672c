package forge

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

// Remote is a source behind a network that serves the current repository.
type Remote struct {
	Kind     string   // providers.GitHub, providers.GitLab or providers.Jira
	Host     string   // as it stands in the repository's remote, or in the tracker's address
	Path     string   // owner/name on the host, "" for a tracker
	API      string   // address of its API, "" for where the kind has it on that host
	Projects []string // of a tracker
	Cloud    bool     // of a tracker
}

// name is how people call it.
func (r Remote) name() string {
	if r.Kind == providers.Jira {
		return strings.Join(r.Projects, ", ") + " on " + r.Host
	}
	return r.Host + "/" + r.Path
}

// what is what it holds, in words.
func (r Remote) what() string {
	switch r.Kind {
	case providers.GitHub:
		return "pull requests and issues"
	case providers.GitLab:
		return "merge requests and issues"
	}
	return "tickets"
}

// Key names its cache and its index. A mirror that is read by another address is another one.
func (r Remote) Key() string {
	return r.Kind + "-" + store.ShortHash(strings.Join([]string{r.Host, r.Path, r.API, strings.Join(r.Projects, ",")}, "\x00"))
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

// OtherRemote is the rank of a remote that is neither upstream nor origin.
const OtherRemote = 2

// RemoteRank orders a repository's remotes by name: upstream before origin before others.
func RemoteRank(name string) int {
	if i := slices.Index([]string{"upstream", "origin"}, name); i >= 0 {
		return i
	}
	return OtherRemote
}

// ForgeOf is the forge of an address of a remote.
func (m *Forges) ForgeOf(address string) (Remote, bool) {
	id, ok := store.NormaliseRemote(address)
	host, path, nested := strings.Cut(id, "/")
	if !ok || !nested {
		return Remote{}, false
	}
	r := Remote{Host: host, Path: path}
	if f, ok := m.Conf.Forges.On(host); ok {
		r.Kind, r.API = f.Kind, f.API
		r.Path = belowServer(address, path, f)
	} else {
		switch host {
		case "github.com":
			r.Kind = providers.GitHub
		case "gitlab.com":
			r.Kind = providers.GitLab
		}
	}
	owner, repo, ok := strings.Cut(r.Path, "/")
	if r.Kind == "" || !ok || owner == "" || repo == "" || r.Kind == providers.GitHub && strings.Contains(repo, "/") {
		return Remote{}, false
	}
	return r, true
}

// login is what a source is asked with. The zero value asks as anybody.
type login struct {
	user  string // of a tracker's cloud, "" otherwise
	token string
}

// loginOf finds what to ask a source with.
func (m *Forges) loginOf(ctx context.Context, r Remote) login {
	who := m.envLogin(r)
	if who.token == "" && r.Kind == providers.GitHub && (r.Host != "github.com" || r.API == "") {
		who.token = m.tokenOfGH(ctx, r.Host)
	}
	return who
}

// envLogin is what the environment holds to ask a source with. A token is for one
// host: those of the big services are sent nowhere else, whatever address stands in
// for them, and whatever kind they are said to be.
func (m *Forges) envLogin(r Remote) login {
	env := func(names ...string) string {
		for _, name := range names {
			if v := strings.TrimSpace(m.O.Getenv(name)); v != "" {
				return v
			}
		}
		return ""
	}
	switch {
	case r.Kind == providers.Jira:
		return login{user: env("JIRA_EMAIL"), token: env("JIRA_TOKEN")}
	case r.Kind == providers.GitLab:
		// The variable is for the host that GITLAB_HOST names, or else the service.
		if named := env("GITLAB_HOST"); named != "" && sameHost(named, r.Host) || named == "" && r.Host == "gitlab.com" && r.API == "" {
			return login{token: env("GITLAB_TOKEN")}
		}
		return login{}
	case r.Host == "github.com" && r.API == "":
		return login{token: env("GITMEM_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN")}
	}
	return login{token: env("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")}
}

// signIn says how somebody gives a token for a source.
func (r Remote) signIn() string {
	switch {
	case r.Kind == providers.Jira && r.Cloud:
		return "set JIRA_EMAIL and JIRA_TOKEN"
	case r.Kind == providers.Jira:
		return "set JIRA_TOKEN"
	case r.Kind == providers.GitLab && r.Host == "gitlab.com":
		return "set GITLAB_TOKEN"
	case r.Kind == providers.GitLab:
		return "set GITLAB_TOKEN, and GITLAB_HOST to " + r.Host
	case r.Host == "github.com" && r.API == "":
		return "set GITHUB_TOKEN or run gh auth login"
	case r.Host == "github.com":
		return "set GH_ENTERPRISE_TOKEN"
	}
	return "set GH_ENTERPRISE_TOKEN or run gh auth login --hostname " + r.Host
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
func (m *Forges) tokenOfGH(ctx context.Context, host string) string {
	if m.O.Run == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, ghTime)
	defer cancel()
	out, err := m.O.Run(ctx, "gh", "auth", "token", "--hostname", host)
	token := strings.TrimSpace(string(out))
	if err != nil || strings.ContainsAny(token, " \t\r\n") {
		return "" // not installed, or not signed in
	}
	return token
}

// offline tells whether no server may be asked.
func (m *Forges) offline() bool {
	v := strings.ToLower(strings.TrimSpace(m.O.Getenv("GITMEM_OFFLINE")))
	return m.O.Offline || v != "" && v != "0" && v != "false" && v != "off" && v != "no"
}

// ItemsOf is the cache of a remote source.
func (m *Forges) ItemsOf(r Remote) *items.Cache {
	return items.Open(filepath.Join(m.Dir, r.Key()))
}

// errNoClient says that a kind of source can't be asked.
var errNoClient = errors.New("this program can't ask such a server")

// dial makes the client of a remote source, and tells whether it asks as anybody.
func (m *Forges) dial(ctx context.Context, r Remote) (src providers.Source, anonymous bool, err error) {
	who := m.loginOf(ctx, r)
	if m.Dialer != nil {
		src, err = m.Dialer(r.Kind, r.name(), who.token)
	} else {
		src, err = m.newSource(r, who)
	}
	return src, who.token == "", err
}
