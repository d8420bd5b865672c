package gitmem

import (
	"net/url"
	"strconv"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/providers"
)

// pages gives the addresses at which the forge of a place shows commits and lines to
// people. A commit that was not pushed has no page there yet.
func (m *Memory) pages(p *place) func(cite.ID) string {
	repo, err := m.repository(p)
	if err != nil || repo == nil {
		return nil
	}
	r, ok := m.forge(p)
	if !ok {
		return nil
	}
	return func(id cite.ID) string { return m.clean(r.page(id)) }
}

// page is the address of a commit, or of lines of a file at one.
func (r remote) page(id cite.ID) string {
	u := url.URL{Scheme: "https", Host: r.host, Path: "/" + r.path}
	dash := "-L"
	if r.kind == providers.GitLab {
		u.Path, dash = u.Path+"/-", "-"
	}
	switch id.Kind {
	case cite.KindCommit:
		u.Path += "/commit/" + id.Name
	case cite.KindBlame:
		u.Path += "/blob/" + id.Fragment + "/" + id.Name
		u.Fragment = "L" + strconv.Itoa(id.Number)
		if id.To > id.Number {
			u.Fragment += dash + strconv.Itoa(id.To)
		}
	default:
		return ""
	}
	return u.String()
}
