package ingest

import (
	"cmp"
	"context"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/forge"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

// remotesOf returns the remote sources of a workspace: the forge of its repository, and the tracker in the user's
// configuration; each has a separate switch. An excluded workspace has none, and neither has one with an invalid
// configuration.
func (src *Sources) remotesOf(p *workspace.Place) []forge.Remote {
	pol := src.ws.Policy()
	if pol.Err != nil || !p.InRepo || src.ws.ExcludedHere(p) != "" {
		return nil
	}
	var out []forge.Remote
	if !pol.Config.Forges.Off {
		if r, ok := src.forge(p); ok {
			out = append(out, r)
		}
	}
	if r, ok := src.tracker(p); ok {
		out = append(out, r)
	}
	return out
}

// tracker returns the configured tracker of a workspace.
func (src *Sources) tracker(p *workspace.Place) (forge.Remote, bool) {
	pol := src.ws.Policy()
	j := pol.Config.Jira
	if j.URL == "" {
		return forge.Remote{}, false
	}
	if !pol.Jira.Empty() && src.ws.CoveredHere(pol.Jira, p) == "" {
		return forge.Remote{}, false
	}
	u, err := url.Parse(j.URL)
	if err != nil {
		return forge.Remote{}, false
	}
	cloud := j.Cloud || strings.HasSuffix(strings.ToLower(u.Hostname()), ".atlassian.net")
	return forge.Remote{Kind: providers.Jira, Host: u.Host, API: j.URL, Projects: j.Projects, Cloud: cloud}, true
}

// forge returns the forge of a workspace's repository. It prefers the remote upstream, which has a fork's pull requests
// and issues.
func (src *Sources) forge(p *workspace.Place) (forge.Remote, bool) {
	repo, err := src.ws.Repository(p)
	if err != nil || repo == nil {
		return forge.Remote{}, false
	}
	list, _ := repo.RemoteURLs(src.ws.Options.Getenv) // errors were reported when the workspace was identified
	slices.SortStableFunc(list, func(a, b git.Remote) int {
		return cmp.Compare(forge.RemoteRank(a.Name), forge.RemoteRank(b.Name))
	})
	for _, r := range list {
		for _, address := range r.URLs {
			if found, ok := src.Forges(p).ForgeOf(address); ok {
				return found, true
			}
		}
		if len(r.URLs) > 0 && forge.RemoteRank(r.Name) < forge.OtherRemote {
			break // upstream or origin is elsewhere; other remotes may belong to another project
		}
	}
	return forge.Remote{}, false
}

// Forges returns the remote sources of a workspace.
func (src *Sources) Forges(p *workspace.Place) *forge.Forges {
	if src.forges == nil {
		f := &forge.Forges{
			Options: forge.ForgeOptions{Now: src.ws.Options.Now, Getenv: src.ws.Options.Getenv,
				Transport: src.ws.Options.Transport, FetchWait: src.ws.Options.FetchWait, Offline: src.ws.IsOffline(),
				Run: src.ws.Options.Run},
			Conf: src.ws.Policy().Config, Dir: filepath.Join(src.ws.IndexDir(), "items"), Redactor: src.ws.Redactor,
			Indexing: src.waits, ReadOnly: src.ws.ReadOnly,
			Caller: src,
		}
		src.forges = f // remotesOf uses it for the kinds of hosts
		f.Remotes = src.remotesOf(p)
	}
	return src.forges
}

// ValidID implements [forge.Caller].
func (src *Sources) ValidID(id string) bool {
	parsed, err := cite.Parse(id)
	return err == nil && parsed.String() == id
}

// Caveat implements [forge.Caller].
func (src *Sources) Caveat(format string, args ...any) { src.ws.Caveat(format, args...) }

// AwaitsServer implements [forge.Caller].
func (src *Sources) AwaitsServer(kind, name string, done int) {
	src.ws.Progress(workspace.Progress{Shard: kind, Waiting: name, Done: done})
}

// StartFetches starts the due fetches from a workspace's remote sources.
func (src *Sources) StartFetches(ctx context.Context, p *workspace.Place) {
	if src.ws.Present() {
		src.Forges(p).Start(ctx)
	}
}
