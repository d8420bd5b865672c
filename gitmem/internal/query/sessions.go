package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/slice"
)

// RecentSession is one of the last sessions. The JSON form is a public contract.
type RecentSession struct {
	ID          string `json:"id"`
	Day         string `json:"day"`
	FirstPrompt string `json:"firstPrompt"` // "" if only the archive has the session
	Summary     string `json:"summary"`     // the title of its section in the archive, "" for none
	Page        string `json:"browseUrl"`
}

// firstPromptRunes is the maximum length of a listed first prompt.
const firstPromptRunes = 200

// Sessions lists the last sessions, newest first.
func (rd *Reader) Sessions(ctx context.Context, f Filter) ([]RecentSession, error) {
	q, err := rd.Query(ctx, f)
	if err != nil {
		return nil, err
	}
	q.Except = f.Except
	v, err := rd.View(ctx, q.Projects)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	recent, err := v.recentSessions(ctx, q, cmp.Or(f.Limit, 5))
	return append([]RecentSession{}, slice.Map(recent, v.told)...), err
}

// told returns a session in its listed form.
func (v *View) told(r *Session) RecentSession {
	s := RecentSession{ID: r.ID, Page: cite.SessionPage(r.ID)}
	if at := r.Newest.Doc.Time; !at.IsZero() {
		s.Day = at.Format(time.DateOnly)
	}
	if src, err := v.Fetch(r.Archive); err == nil {
		s.Summary = src.Title
	}
	if src, err := v.Fetch(v.firstPrompt(r.First)); err == nil && src.Layer == cite.LayerTranscripts {
		s.FirstPrompt = cite.Lead(src.Text, firstPromptRunes).Text
	}
	return s
}

// firstPrompt returns the first prompt of the conversation of a turn.
func (v *View) firstPrompt(h search.Hit) search.Hit {
	if h.Doc.Layer != cite.LayerTranscripts {
		return h
	}
	snap := v.Snaps[h.Shard]
	for row := snap.Prev(h.Row); row >= 0; row = snap.Prev(int(row)) {
		if doc := snap.Row(int(row)); doc.Role == string(transcript.RoleUser) {
			h.Row, h.Doc = int(row), doc
		}
	}
	return h
}

// Session is one of the last sessions, with hits from it.
type Session struct {
	ID, File string // File is its transcript, "" without a hit of its turns
	// Newest is its last record, First the oldest prompt among the hits or else the last record, Archive its last section
	// in the archive.
	Newest, First, Archive search.Hit
	// numbers of messages with text in the conversation itself, and of ideas in archive and log; [Sessions] does not set
	// them.
	Messages, Ideas int
}

// Sessions returns the sessions of hits, in the order of the hits. Blocks belong to their session; the turns of a
// subagent to none.
func Sessions(hits []search.Hit) []*Session {
	var out []*Session
	byID := map[string]*Session{}
	for _, h := range hits {
		id, _, _ := strings.Cut(h.Doc.Session, "/")
		if id == "" || h.Doc.Role == "sidechain" {
			continue
		}
		s := byID[id]
		if s == nil {
			s = &Session{ID: id, Newest: h, First: h}
			byID[id], out = s, append(out, s)
		}
		if h.Doc.Role == string(transcript.RoleUser) {
			s.First = h
		}
		switch {
		case strings.HasPrefix(h.Doc.ID, string(cite.KindTranscript)+":") && !cite.IsBlockSession(h.Doc.Session):
			s.File = h.Doc.File
		case strings.HasPrefix(h.Doc.ID, string(cite.KindSession)+":") && s.Archive.Doc.ID == "":
			s.Archive = h
		}
	}
	return out
}

// recentSessions returns the last sessions that pass the filters of a query, newest first.
func (v *View) recentSessions(ctx context.Context, q search.Query, limit int) ([]*Session, error) {
	found, err := v.allSessions(ctx, q)
	return found[:min(len(found), limit)], err
}

// allSessions returns the sessions that pass the filters of a query, newest first. It reads only the columns of each
// row that distinguish sessions.
func (v *View) allSessions(ctx context.Context, q search.Query) ([]*Session, error) {
	q.Terms, q.Text, q.Phrases, q.Required = []search.QueryTerm{}, "", nil, nil
	q.Layers = []string{cite.LayerSummaries, cite.LayerTranscripts}
	byID := map[string]*sessionRows{}
	for shard, snap := range v.Snaps {
		if snap == nil {
			continue
		}
		if err := addSessions(ctx, byID, shard, snap, q); err != nil {
			return nil, err
		}
	}
	delete(byID, "")
	all := make([]*Session, 0, len(byID))
	for id, r := range byID {
		s := &Session{
			ID: id, File: v.hitAt(r.turn).Doc.File, Newest: v.hitAt(r.newest), Archive: v.hitAt(r.section),
			Messages: r.messages, Ideas: r.ideas,
		}
		if s.First = s.Newest; r.prompt.known {
			s.First = v.hitAt(r.prompt)
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *Session) int { return q.ByTime(a.Newest, b.Newest) })
	return all, nil
}

// place is a row of a shard, and its age.
type place struct {
	shard, row int
	age        int64
	known      bool
}

// hitAt returns a row as a hit, the zero Hit if the row is unknown.
func (v *View) hitAt(p place) search.Hit {
	if !p.known {
		return search.Hit{}
	}
	return search.Hit{Shard: p.shard, Row: p.row, Doc: v.Snaps[p.shard].Row(p.row)}
}

// sessionRows contains rows of a session: its last one, the first prompt, the last section in the archive, and the last
// turn of its transcript.
type sessionRows struct {
	newest, prompt, section, turn place
	messages, ideas               int
}

// addSessions adds the rows of a shard that pass the filters of a query. Blocks belong to their session; the turns of a
// subagent to none.
func addSessions(ctx context.Context, byID map[string]*sessionRows, shard int, snap *index.Snapshot,
	q search.Query) error {
	f, err := search.NewFilter(ctx, q, snap)
	if err != nil {
		return err
	}
	of, blocks := make([]*sessionRows, snap.Sessions()), make([]bool, snap.Sessions())
	roles := map[uint32]string{}
	transcripts, _ := snap.StringRef(cite.LayerTranscripts)
	for i := range snap.Rows() {
		n := snap.SessionOf(i)
		if n < 0 || !f.Pass(int32(i)) {
			continue
		}
		ref := snap.RoleOf(i)
		if _, known := roles[ref]; !known {
			roles[ref] = snap.String(ref)
		}
		role := roles[ref]
		if role == "sidechain" {
			continue
		}
		r := of[n]
		if r == nil {
			name := snap.SessionName(n)
			id, _, _ := strings.Cut(name, "/")
			if r = byID[id]; r == nil {
				r = &sessionRows{}
				byID[id] = r
			}
			of[n], blocks[n] = r, cite.IsBlockSession(name)
		}
		r.add(place{shard, i, q.Age(snap.Unix(i)), true}, role, snap.LayerOf(i) == transcripts && !blocks[n])
	}
	return nil
}

// add adds a row; turn means that it belongs to the conversation itself. Within one second the last row is the newest.
func (r *sessionRows) add(p place, role string, turn bool) {
	if !r.newest.known || p.age <= r.newest.age {
		r.newest = p
	}
	if turn {
		r.turn = p
		r.messages++
	}
	source, intent := cite.CutRole(role)
	switch {
	case role == string(transcript.RoleUser) && (!r.prompt.known || p.age > r.prompt.age):
		r.prompt = p
	case role == string(cite.KindSession) && (!r.section.known || p.age <= r.section.age):
		r.section = p
	case source == string(cite.KindIdea) && isIdea(intent):
		r.ideas++
	}
}

// SessionFilter selects the sessions that [Reader.ListSessions] lists.
type SessionFilter struct {
	Project string // name or id; "" for the current one, "all" for every one
	Agent   string // names of coding agents, comma-separated; "" for all
	Words   string // search words, best sessions first; "" for all sessions, newest first
	Offset  int    // number of sessions to skip
	Limit   int    // maximum number of sessions
}

// SessionList is a part of a list of sessions.
type SessionList struct {
	Sessions []ListedSession
	Total    int  // total number, 0 for a search
	More     bool // there are more after this part
	Caveats  []string
}

// ListedSession is a session in a list.
type ListedSession struct {
	ID, Day, Agent   string
	Title            string // of its section in the archive
	FirstPrompt      string
	Project          string // the working folder, or the id of the project
	Page             string
	Messages, Ideas  int32  // messages with text, without those of subagents; ideas in archive and log
	Found, FoundPage string // for a search: an excerpt of the best hit, and its page
}

// ListSessions lists sessions, a part at a time.
func (rd *Reader) ListSessions(ctx context.Context, f SessionFilter) (SessionList, error) {
	q, err := rd.Query(ctx, Filter{Project: f.Project})
	if err != nil {
		return SessionList{}, err
	}
	if f.Agent != "" {
		agent, bad, why := condition("agent", strings.Split(f.Agent, ","))
		if why != "" {
			return SessionList{}, fmt.Errorf("%w: the agent %s %s", messages.ErrUsage, bad, why)
		}
		q.Conditions = append(q.Conditions, agent)
	}
	v, err := rd.View(ctx, q.Projects)
	if err != nil {
		return SessionList{}, err
	}
	defer v.Close()
	all, err := v.allSessions(ctx, q)
	if err != nil {
		return SessionList{}, err
	}
	out, hits := SessionList{Sessions: []ListedSession{}, Total: len(all)}, map[string]Hit{}
	if f.Words != "" {
		if all, hits, err = rd.searchedSessions(ctx, all, f); err != nil {
			return SessionList{}, err
		}
		out.Total = 0
	}
	from := min(max(f.Offset, 0), len(all))
	to := min(from+f.Limit, len(all))
	for _, s := range all[from:to] {
		hit, told := hits[s.ID], v.told(s)
		out.Sessions = append(out.Sessions, ListedSession{
			ID: s.ID, Day: told.Day, Agent: transcript.ClientTitle(transcript.ClientOf(s.ID)),
			Title: told.Summary, FirstPrompt: told.FirstPrompt, Page: told.Page,
			Project:  rd.ws.Redactor.Path(s.Newest.Doc.Project),
			Messages: int32(s.Messages), Ideas: int32(s.Ideas),
			Found: hit.Excerpt, FoundPage: hit.BrowseURL,
		})
	}
	out.More, out.Caveats = to < len(all), messages.Filled(rd.ws.Caveats)
	return out, nil
}

// searchedSessions returns those of some sessions that a search finds, with their best hits: up to the end of the
// requested part, and one more.
func (rd *Reader) searchedSessions(ctx context.Context, all []*Session,
	f SessionFilter) ([]*Session, map[string]Hit, error) {
	found, err := rd.Search(ctx, f.Words, Filter{
		Project: f.Project, Agent: f.Agent, Layer: cite.LayerSummaries + "," + cite.LayerTranscripts, BySession: true,
		Limit: max(f.Offset, 0) + f.Limit + 1, NoFallbacks: true,
	})
	byID, hits := map[string]*Session{}, map[string]Hit{}
	for _, s := range all {
		byID[s.ID] = s
	}
	var out []*Session
	for _, h := range found.Hits {
		id, _, _ := strings.Cut(h.Session, "/")
		if s := byID[id]; s != nil && hits[id].ID == "" {
			out, hits[id] = append(out, s), h
		}
	}
	return out, hits, err
}
