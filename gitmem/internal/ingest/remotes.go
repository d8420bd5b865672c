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

// remotesOf are the remote sources of a place: the forge that its repository comes from,
// and the tracker that the user's configuration names, each of which has its own switch.
// A place that is excluded has none, and neither has one whose configuration can't be
// understood.
func (m *Sources) remotesOf(p *workspace.Place) []forge.Remote {
	pol := m.ws.Policy()
	if pol.Err != nil || !p.InRepo || m.ws.ExcludedHere(p) != "" {
		return nil
	}
	var out []forge.Remote
	if !pol.Config.Forges.Off {
		if r, ok := m.forge(p); ok {
			out = append(out, r)
		}
	}
	if r, ok := m.tracker(p); ok {
		out = append(out, r)
	}
	return out
}

// tracker is the one that the configuration names for a place.
func (m *Sources) tracker(p *workspace.Place) (forge.Remote, bool) {
	pol := m.ws.Policy()
	j := pol.Config.Jira
	if j.URL == "" {
		return forge.Remote{}, false
	}
	if !pol.Jira.Empty() && m.ws.CoveredHere(pol.Jira, p) == "" {
		return forge.Remote{}, false
	}
	u, err := url.Parse(j.URL)
	if err != nil {
		return forge.Remote{}, false
	}
	cloud := j.Cloud || strings.HasSuffix(strings.ToLower(u.Hostname()), ".atlassian.net")
	return forge.Remote{Kind: providers.Jira, Host: u.Host, API: j.URL, Projects: j.Projects, Cloud: cloud}, true
}

// forge is the one that the repository of a place comes from. Of several remotes,
// upstream is where a fork's pull requests and issues are.
func (m *Sources) forge(p *workspace.Place) (forge.Remote, bool) {
	repo, err := m.ws.Repository(p)
	if err != nil || repo == nil {
		return forge.Remote{}, false
	}
	list, _ := repo.Remotes() // what can't be read was told when the place was identified
	slices.SortStableFunc(list, func(a, b git.Remote) int { return cmp.Compare(forge.RemoteRank(a.Name), forge.RemoteRank(b.Name)) })
	for _, r := range list {
		for _, address := range r.URLs {
			if found, ok := m.Forges(p).ForgeOf(address); ok {
				return found, true
			}
		}
		if len(r.URLs) > 0 && forge.RemoteRank(r.Name) < forge.OtherRemote {
			break // upstream or origin lies elsewhere: what others hold may be another project
		}
	}
	return forge.Remote{}, false
}

// Forges are the remote sources of a place.
func (m *Sources) Forges(p *workspace.Place) *forge.Forges {
	if m.forges == nil {
		f := &forge.Forges{
			Options: forge.ForgeOptions{Now: m.ws.Options.Now, Getenv: m.ws.Options.Getenv, Transport: m.ws.Options.Transport, FetchWait: m.ws.Options.FetchWait, Offline: m.ws.Options.Offline, Run: m.ws.Options.Run},
			Conf:    m.ws.Policy().Config, Dir: filepath.Join(m.ws.IndexDir(), "items"), Redactor: m.ws.Redactor, Indexing: m.ws.WaitForLock, ReadOnly: m.ws.ReadOnly,
			Clean: m.ws.Clean, Warn: m.ws.Caveat, Dialer: m.Dialer,
			Valid: func(id string) bool {
				parsed, err := cite.Parse(id)
				return err == nil && parsed.String() == id
			},
			Progress: func(kind, waiting string, done int) {
				m.ws.Progress(workspace.Progress{Shard: kind, Waiting: waiting, Done: done})
			},
		}
		m.forges = f // remotesOf asks it for the kinds of hosts
		f.Remotes = m.remotesOf(p)
	}
	return m.forges
}

// StartFetches begins to fetch what is due of the remote sources of a place.
func (m *Sources) StartFetches(ctx context.Context, p *workspace.Place) {
	if m.ws.Present() {
		m.Forges(p).Start(ctx)
	}
}
