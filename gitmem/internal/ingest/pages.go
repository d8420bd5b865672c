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

// elsewhere resolves citations of sources that are in no tree. It implements [cite.Elsewhere].
type elsewhere struct {
	src      *Sources
	place    *workspace.Place
	forge    forge.Remote // forge with the pages of commits
	hasPages bool
}

// RemovedLogs returns a tree of a session's logs that were removed.
func (e elsewhere) RemovedLogs(session string) cite.Tree { return e.src.RemovedLogs(session) }

// TeamItem returns an item of the team.
func (e elsewhere) TeamItem(id cite.ID) (it providers.Item, line int, err error) {
	return e.src.teamItem(e.place, id)
}

// Page returns the URL of the forge's page for a commit, or for lines at a commit. The page of an unpushed commit does
// not exist yet.
func (e elsewhere) Page(id cite.ID) string {
	if !e.hasPages {
		return ""
	}
	return e.src.ws.Clean(page(e.forge, id))
}

// page returns the URL of a commit, or of lines of a file at a commit.
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
