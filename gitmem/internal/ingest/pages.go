package ingest

import (
	"fmt"
	"net/url"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/forge"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers"
)

// pages gives the addresses at which the forge of a place shows commits and lines to
// people. A commit that was not pushed has no page there yet.
func (src *Sources) pages(p *workspace.Place) func(cite.ID) string {
	repo, err := src.ws.Repository(p)
	if err != nil || repo == nil {
		return nil
	}
	r, ok := src.forge(p)
	if !ok {
		return nil
	}
	return func(id cite.ID) string { return src.ws.Clean(page(r, id)) }
}

// page is the address of a commit, or of lines of a file at one.
func page(r forge.Remote, id cite.ID) string {
	u := url.URL{Scheme: "https", Host: r.Host, Path: "/" + r.Path}
	f, _ := providers.ForgeOf(r.Kind)
	switch id.Kind {
	case cite.KindCommit:
		u.Path += fmt.Sprintf(f.CommitPage, id.Name)
	case cite.KindBlame:
		u.Path += fmt.Sprintf(f.FilePage, id.Fragment, id.Name)
		u.Fragment = fmt.Sprintf(f.LinePage, id.Number)
		if id.To > id.Number {
			u.Fragment += fmt.Sprintf(f.LastLine, id.To)
		}
	default:
		return ""
	}
	return u.String()
}
