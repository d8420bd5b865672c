package forge

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/items"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/providers"
)

// Remote is a remote source of the current repository.
type Remote struct {
	Kind     string   // one of [providers.Forges], or providers.Jira
	Host     string   // as in the repository's remote, or in the tracker's address
	Path     string   // owner/name on the host, "" for a tracker
	API      string   // address of its API, "" for the kind's default on that host
	Projects []string // of a tracker
	Cloud    bool     // of a tracker
}

// name returns the display name.
func (r Remote) name() string {
	if r.Kind == providers.Jira {
		return strings.Join(r.Projects, ", ") + " on " + r.Host
	}
	return r.Host + "/" + r.Path
}

// Key returns the name of its cache and its index. A different address of the same source gives a different key.
func (r Remote) Key() string {
	return r.Kind + "-" +
		store.ShortHash(strings.Join([]string{r.Host, r.Path, r.API, strings.Join(r.Projects, ",")}, "\x00"))
}

// belowServer returns the path of a project on a GitLab below a path of its host: web addresses begin with that path,
// ssh addresses omit it.
func belowServer(address, path string, f config.Forge) string {
	u, err := url.Parse(f.API)
	scheme, _, web := strings.Cut(strings.ToLower(address), "://")
	if err != nil || !web || scheme != "https" && scheme != "http" {
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

// ForgeOf returns the forge of a remote's address.
func (fg *Forges) ForgeOf(address string) (Remote, bool) {
	id, ok := store.NormaliseRemote(address)
	host, path, nested := strings.Cut(id, "/")
	if !ok || !nested {
		return Remote{}, false
	}
	r := Remote{Host: host, Path: path}
	kind, known := providers.FindForge(func(f providers.Forge) bool { return f.Host == host })
	if f, ok := fg.Conf.Forges.On(host); ok {
		kind, known = providers.ForgeOf(f.Kind)
		r.API, r.Path = f.API, belowServer(address, path, f)
	}
	r.Kind = kind.Kind
	owner, repo, ok := strings.Cut(r.Path, "/")
	if !known || !ok || owner == "" || repo == "" || !kind.Nested && strings.Contains(repo, "/") {
		return Remote{}, false
	}
	return r, true
}

// ItemsOf returns the cache of a remote source.
func (fg *Forges) ItemsOf(r Remote) *items.Cache {
	return items.Open(filepath.Join(fg.Dir, r.Key()))
}
