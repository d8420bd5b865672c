package ingest

import (
	"fmt"
	"net/url"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/forge"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers"
)

func (src *Sources) elsewhere(p *workspace.Place) elsewhere {
	e := elsewhere{src: src, place: p}
	e.forge, e.hasPages = src.forge(p)
	return e
}

// elsewhere looks up what is cited and in no tree. It implements [cite.Elsewhere].
type elsewhere struct {
	src      *Sources
	place    *workspace.Place
	forge    forge.Remote // whose pages commits have
	hasPages bool
}

// RemovedLogs are a session's logs that are in no tree any more.
func (e elsewhere) RemovedLogs(session string) cite.Tree { return e.src.RemovedLogs(session) }

// TeamItem looks up an item of the team.
func (e elsewhere) TeamItem(id cite.ID) (it providers.Item, line int, err error) {
	return e.src.teamItem(e.place, id)
}

// Page is the address at which the forge shows a commit, or lines at one, to people. A
// commit that was not pushed has no page there yet.
func (e elsewhere) Page(id cite.ID) string {
	if !e.hasPages {
		return ""
	}
	return e.src.ws.Clean(page(e.forge, id))
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
