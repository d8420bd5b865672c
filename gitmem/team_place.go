package gitmem

import (
	"cmp"
	"context"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

// remotesOf are the remote sources of a place: the forge that its repository comes from,
// and the tracker that the user's configuration names, each of which has its own switch.
// A place that is excluded has none, and neither has one whose configuration can't be
// understood.
func (m *Memory) remotesOf(p *place) []remote {
	pol := m.policy()
	if pol.err != nil || !p.inRepo {
		return nil
	}
	if _, excluded := m.excludedHere(p); excluded {
		return nil
	}
	var out []remote
	if !pol.config.Forges.Off {
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
func (m *Memory) tracker(p *place) (remote, bool) {
	pol := m.policy()
	j := pol.config.Jira
	if j.URL == "" {
		return remote{}, false
	}
	if _, here := m.coveredHere(pol.jira, p); !here && !pol.jira.Empty() {
		return remote{}, false
	}
	u, err := url.Parse(j.URL)
	if err != nil {
		return remote{}, false
	}
	cloud := j.Cloud || strings.HasSuffix(strings.ToLower(u.Hostname()), ".atlassian.net")
	return remote{kind: providers.Jira, host: u.Host, api: j.URL, projects: j.Projects, cloud: cloud}, true
}

// forge is the one that the repository of a place comes from. Of several remotes,
// upstream is where a fork's pull requests and issues are.
func (m *Memory) forge(p *place) (remote, bool) {
	repo, err := m.repository(p)
	if err != nil || repo == nil {
		return remote{}, false
	}
	list, _ := repo.Remotes() // what can't be read was told when the place was identified
	slices.SortStableFunc(list, func(a, b git.Remote) int { return cmp.Compare(forgeRank(a.Name), forgeRank(b.Name)) })
	for _, r := range list {
		for _, address := range r.URLs {
			if found, ok := m.forges(p).forgeOf(address); ok {
				return found, true
			}
		}
		if len(r.URLs) > 0 && forgeRank(r.Name) < otherRemote {
			break // upstream or origin lies elsewhere: what others hold may be another project
		}
	}
	return remote{}, false
}

// forges are the remote sources of a place.
func (m *Memory) forges(p *place) *forges {
	if m.asking == nil {
		f := &forges{
			o:    forgeOptions{Now: m.o.Now, Getenv: m.o.Getenv, Transport: m.o.Transport, FetchWait: m.o.FetchWait, Offline: m.o.Offline, Run: m.o.Run},
			conf: m.policy().config, dir: filepath.Join(m.indexDir(), "items"), redactor: m.redactor, patient: m.patient, looking: m.looking,
			clean: m.clean, notice: m.notice, dialer: m.dialer, fetches: map[string]*fetching{}, bringers: map[string]*bringer{},
			valid: func(id string) bool {
				parsed, err := cite.Parse(id)
				return err == nil && parsed.String() == id
			},
			progress: func(kind, waiting string, done int) { m.progress(Progress{Shard: kind, Waiting: waiting, Done: done}) },
		}
		m.asking = f // remotesOf asks it for the kinds of hosts
		f.remotes = m.remotesOf(p)
	}
	return m.asking
}

// startFetches begins to fetch what is due of the remote sources of a place.
func (m *Memory) startFetches(ctx context.Context, p *place) {
	if m.past == nil {
		m.forges(p).start(ctx)
	}
}
