package browse

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/gitmem/gitmem/gitmem"
)

// sessionRoutes adds the list of sessions and each session's transcript.
func (s *site) sessionRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /sessions", s.show(s.sessionsPage))
	mux.HandleFunc("GET /sessions/{id}", s.show(s.sessionPage))
}

// sessionsOnPage is how many sessions a page lists.
const sessionsOnPage = 50

// SessionsArgs select the listed sessions.
type SessionsArgs struct {
	Project string // "" for the current one, "all" for every one
	Agent   string // "" for all
	Q       string // words to search for, "" for none
	Page    int32  // from 1
}

// SessionsView is a page of the list of sessions.
type SessionsView struct {
	SessionsArgs
	Sessions         []gitmem.ListedSession
	Total            int32 // 0 for a search
	Agents, Caveats  []string
	Earlier, Further string // addresses of the adjacent pages, or ""
}

func (s *site) sessionsPage(ctx context.Context, _ *http.Request, q url.Values) (page, error) {
	v, err := s.sessions(ctx, SessionsArgs{q.Get("project"), q.Get("agent"), q.Get("q"), number(q, "page")})
	return page{"Sessions", "sessions", v}, err
}

// sessions returns a page of sessions, newest first, or search results, the best first.
func (s *site) sessions(ctx context.Context, a SessionsArgs) (SessionsView, error) {
	a.Page = min(max(a.Page, 1), maxPage)
	list, err := s.m.Data().SessionList(ctx, gitmem.SessionFilter{
		Project: a.Project, Agent: a.Agent, Words: a.Q, Offset: int(a.Page-1) * sessionsOnPage, Limit: sessionsOnPage,
	})
	if err != nil {
		return SessionsView{}, err
	}
	v := SessionsView{
		SessionsArgs: a, Sessions: list.Sessions, Total: int32(list.Total), Agents: gitmem.Agents(), Caveats: list.Caveats,
	}
	if a.Page > 1 {
		v.Earlier = a.address(a.Page - 1)
	}
	if list.More {
		v.Further = a.address(a.Page + 1)
	}
	return v, nil
}

// maxPage is beyond the last page of any list.
const maxPage = 1 << 20

// address returns the address of a page of the list.
func (a SessionsArgs) address(page int32) string {
	q := url.Values{}
	for name, value := range map[string]string{"project": a.Project, "agent": a.Agent, "q": a.Q} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(int(page)))
	}
	return (&url.URL{Path: "/sessions", RawQuery: q.Encode()}).String()
}
