package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/lazy"
)

// Layer is a layer of memory and what it holds in the scope of a call. The JSON form is a
// public contract.
type Layer struct {
	Name       string `json:"layer"`
	Items      int    `json:"items"`
	Newest     string `json:"newest"`     // day of the newest item, "" for none
	Searchable bool   `json:"searchable"` // an index of it can be read now
}

// Layers lists all layers, with caveats about what can't be searched now. Where no index
// can be read no layer is searchable, and that is no error.
func (rd *Reader) Layers(ctx context.Context, f Filter) (layers []Layer, caveats []string, err error) {
	v, err := rd.ViewOf(ctx, f.Project)
	if v == nil || ctx.Err() != nil {
		return nil, nil, errors.Join(err, ctx.Err())
	}
	defer v.Close()
	if err != nil {
		rd.ws.Caveat("%v", err)
	}
	counts := searched(v.Snaps, v.InScope)
	for _, name := range []string{cite.LayerRules, cite.LayerMemory, cite.LayerSummaries, cite.LayerTranscripts, cite.LayerTeam} {
		l := Layer{Name: name, Searchable: v.searchable(name)}
		for _, s := range counts {
			if s.Layer == name {
				l.Items, l.Newest = l.Items+s.Items, max(l.Newest, s.Newest)
			}
		}
		layers = append(layers, l)
	}
	return layers, messages.Filled(rd.ws.Caveats), nil
}

// searchable reports whether the index of a layer is open, of the team's any.
func (v *View) searchable(layer string) bool {
	for i, s := range v.Shards {
		of := s.Name == layer || s.Name == "memory" && layer == cite.LayerSummaries || layer == cite.LayerTeam && ingest.OfTeam(s.Name)
		if of && i < len(v.Snaps) && v.Snaps[i] != nil {
			return true
		}
	}
	return false
}

// RecentSession is one of the last sessions. The JSON form is a public contract.
type RecentSession struct {
	ID          string `json:"id"`
	Day         string `json:"day"`
	FirstPrompt string `json:"firstPrompt"` // "" where only the archive tells of it
	Summary     string `json:"summary"`     // the title of its section in the archive, "" for none
	Page        string `json:"browseUrl"`
}

// firstPromptRunes is how much is told of what began a session.
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
	out := []RecentSession{}
	for _, r := range recent {
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
		out = append(out, s)
	}
	return out, err
}

// firstPrompt is the first prompt of the conversation that a turn belongs to.
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

// Session is one of the last sessions, with hits of it.
type Session struct {
	ID, File               string     // File is its transcript, "" without a hit of its turns
	Newest, First, Archive search.Hit // its last record, the oldest prompt among the hits or else the last record, its last section in the archive
}

// Sessions are those of hits, in the order in which these name them. Blocks belong to
// their session, and the turns of a subagent to none.
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

// recentSessions are the last sessions that pass the filters of a query, newest first. One
// may have more records than are listed at first.
func (v *View) recentSessions(ctx context.Context, q search.Query, limit int) ([]*Session, error) {
	q.Terms, q.Text, q.Phrases, q.Required = []search.QueryTerm{}, "", nil, nil
	q.Layers = []string{cite.LayerSummaries, cite.LayerTranscripts}
	for q.Limit = 1000; ; q.Limit *= 20 {
		res, err := search.Run(ctx, v.Snaps, q)
		if err != nil {
			return nil, err
		}
		found := Sessions(res.Hits)
		if len(found) >= limit || len(res.Hits) < q.Limit || q.Limit > 100_000 {
			return found[:min(len(found), limit)], nil
		}
	}
}

// mostPattern is the longest text that is looked for letter by letter.
const mostPattern = 1000

// Grep looks for a text in the transcripts' files, in any case, newest first. It reads no
// index.
func (rd *Reader) Grep(ctx context.Context, pattern string, f Filter) (Results, error) {
	if n := utf8.RuneCountInString(pattern); strings.TrimSpace(pattern) == "" || n > mostPattern {
		return Results{}, fmt.Errorf("%w: the text to look for has %d characters: expected 1 to %d, not only spaces", messages.ErrUsage, n, mostPattern)
	}
	q, err := rd.Query(ctx, f)
	if err != nil {
		return Results{}, err
	}
	q.Except = f.Except
	return rd.unindexed(ctx, q, pattern, []string{pattern}, cmp.Or(f.Limit, 20), false)
}

// unindexed is what transcripts hold, and with all also what the other sources do, read without any index.
func (rd *Reader) unindexed(
	ctx context.Context, q search.Query, text string, texts []string, limit int, all bool,
) (Results, error) {
	v, err := rd.Begin(ctx, q.Projects)
	if err != nil {
		return Results{}, err
	}
	v.Unsearched = []string{cite.LayerTranscripts}
	rd.ws.MarkIncomplete("")
	back := fallback{v: v, q: q}
	out := Results{Query: text, Strategies: []answer.Strategy{}, Suggestions: []string{}}
	w := v.writer(q, search.Result{}, false)
	var hits []Hit
	if all {
		for _, t := range index.QueryTerms(q.Text) {
			w.terms[t] = true
		}
		found, late := v.scan(ctx, q, limit)
		for _, src := range found {
			hits = append(hits, w.hit(src, search.Hit{}))
		}
		if late {
			rd.ws.Caveat("Not all of history and memory could be read within %v.", grepTime)
		}
	}
	said, g := back.grepHits(ctx, w, texts, limit, limit)
	hits = append(hits[:min(len(hits), max(limit-len(said), (limit+1)/2))], said...)
	hits = hits[:min(len(hits), limit)]
	if g.late {
		rd.ws.Caveat("%s", g.report())
	}
	out.Hits = messages.Filled(hits)
	out.Fallbacks, out.Used, out.Caveats, out.State = messages.Filled(back.steps), back.used, messages.Filled(rd.ws.Caveats), rd.State()
	out.Confidence = confidence(out.Hits, nil)
	return out, ctx.Err()
}

// Instead searches without any index where none could be read, which why says.
func (rd *Reader) Instead(ctx context.Context, text string, f Filter, why error) (Results, error) {
	refused := (*messages.Refusal)(nil)
	if f.NoFallbacks || f.AsOf != "" || errors.Is(why, messages.ErrUsage) || errors.As(why, &refused) || ctx.Err() != nil {
		return Results{}, why
	}
	read, err := rd.readQuery(ctx, search.ParseQuery(text), f)
	if err != nil {
		return Results{}, why
	}
	read.searched(rd.ws.Now())
	read.query.Except = f.Except
	limit := cmp.Or(f.Limit, 20)
	out, err := rd.unindexed(ctx, read.query, text, literals(read.query.Text, read.query.Phrases), limit, true)
	if err != nil || len(out.Hits) == 0 {
		return Results{}, why
	}
	out.Caveats = append(out.Caveats, fmt.Sprintf("No index could be read, so the sources were read through for the words as they are: %v. "+
		"In a sandbox, let it write to a folder for temporary files, or run gitmem index outside of it.", plain.Text(why)))
	return out, nil
}

// Unverified is a lead that is no evidence.
func Unverified(excerpt, id string) string {
	return fmt.Sprintf("Not verified, found letter by letter only: %s (%s)", excerpt, id)
}

// noteLacking reports the strategies that were asked for and had nothing to go by.
func (v *View) noteLacking() {
	lacking := map[string]string{
		"semantic":  "search by meaning is off; see gitmem help search",
		"expanded":  "no word of the query has an expansion",
		"summaries": "no session is archived yet",
	}
	if v.Reader.src.Semantic() != nil {
		lacking["semantic"] = "the query has no word to look for"
	}
	for _, name := range v.only {
		if why := lacking[name]; why != "" && !slices.ContainsFunc(v.strategies, func(s answer.Strategy) bool { return s.Name == name }) {
			v.strategies = append(v.strategies, answer.Strategy{Name: name, Error: why})
		}
	}
}

// confidence says how far hits carry, by the share of the query that the best one holds
// itself. What only resembles the query, or was found by a fallback, carries little.
func confidence(hits []Hit, found []sourced) answer.Confidence {
	switch {
	case len(hits) == 0:
		return answer.None
	case len(found) == 0:
		return answer.Low
	}
	const nearlyAll = 0.95
	switch best := found[0].hit; {
	case best.Exact || best.Coverage >= nearlyAll:
		return answer.High
	case best.Coverage >= 0.5:
		return answer.Medium
	}
	return answer.Low
}

var hashtag = lazy.Pattern(`(?:^|[\s(])(#\pL[\pL\d_/-]*)`)

// hashtags are the topics that a text names, as #tech/relay, each once. A line that begins
// with the sign is a heading, a comment or a directive of a program.
func hashtags(text string) []string {
	out := []string{}
	if !strings.Contains(text, "#") { // as in most texts
		return out
	}
	tag := hashtag()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, m := range tag.FindAllStringSubmatch(line, -1) {
			if topic := strings.TrimRight(m[1], "/-"); !slices.Contains(out, topic) && len(out) < mostNamed {
				out = append(out, topic)
			}
		}
	}
	return out
}
