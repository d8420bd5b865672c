package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
)

// Filter restricts a question or a search. Empty fields do not restrict.
type Filter struct {
	Since, Until string   // 3d, 1w, yesterday, last month, 2024-Q4, 2024-03-15
	Author       []string // parts of names; any may match
	Type         string   // one of [Types]; several with commas
	Path         []string // globs or parts of paths; any may match
	Layer        string   // rules, memory, summaries, transcripts or team; several with commas
	Project      string   // name or id; "all" for every project
	Session      string   // session id or a prefix of it
	Agent        string   // names of coding agents, comma-separated
	Limit        int      // maximum of results; 0 means 5 for Ask and 20 for Search
	// none, minimal or full; "" means the configured value, or else full for Ask and minimal for Search
	Expand    string
	BySession bool   // Search keeps only the best hit of each session
	Explain   bool   // report how the query was parsed and why each hit matches
	Trace     bool   // Ask returns the steps of its research
	Detailed  bool   // SearchAll adds what a reader would look up next: see [Hit]
	Except    string // excluded session ids, comma-separated; Ask also excludes the client's own sessions
	OwnToo    bool   // Ask does not exclude the client's own sessions, which may have ended since the process began
	// Strategies are the search strategies to use, none means all. A requested strategy without input is listed in the
	// result with the reason.
	Strategies []string
	// Passage generates a hypothetical answer to a question without hits, and Ask searches for that too, if hyde is on;
	// nil disables it.
	Passage func(ctx context.Context, question string) (string, error) `json:"-"`
	// Follow receives each step of the research of Ask, and of building indexes, as it happens: steps of level 0 and steps
	// of a strategy are not in the trail. Several goroutines may call it, one after the other, and it must return quickly.
	// It may be nil.
	Follow func(answer.Step) `json:"-"`

	NoFallbacks bool // Search uses no fallbacks if it finds little or nothing
	Typing      bool // Search only completes words if it finds little or nothing
	// AsOf asks about a past state: a date in the forms of Since, where a span means its end, or a revision of the current
	// repository or else of the store. Newer data affect neither the answer nor the ranking.
	AsOf string
}

// Tell passes a step to Follow.
func (f Filter) Tell(s answer.Step) {
	if f.Follow != nil {
		f.Follow(s)
	}
}

// Hit is one search result: a citation with the parts of its score.
type Hit struct {
	answer.Citation
	// Why explains the hit, if requested.
	Why []string `json:"why,omitempty"`
	// Sentences are the sentences of the source most relevant to the query, in source order, and Body is its whole text
	// below the title.
	Sentences []string `json:"-"`
	Body      string   `json:"-"`
	// Topics are the hashtags of the source's text.
	Topics []string `json:"-"`
	// Release is the first release that contains a commit, and Changed are lines that it changed, with + or -, in which
	// the query occurs; set if details were requested.
	Release string   `json:"release,omitempty"`
	Changed []string `json:"changed,omitempty"`

	first bool // first hit of one of several queries
}

// Results are the results of a search. The JSON form is a public contract.
type Results struct {
	Query      string            `json:"query"`
	Strategies []answer.Strategy `json:"strategies"`
	Hits       []Hit             `json:"hits"`
	// Missing are the words of the query that no document contains.
	Missing []string `json:"-"`
	// Confidence is the confidence in the hits.
	Confidence answer.Confidence `json:"-"`
	// Used are the names of the fallbacks with results: recent_sessions, grep, nearest_words, clarification. Leads are the
	// sessions from the first one.
	Used  []string `json:"-"`
	Leads []Hit    `json:"-"`
	// Caveats describe what could not be searched.
	Caveats []string `json:"caveats"`
	// Fallbacks describe the steps taken when little or nothing was found.
	Fallbacks []string `json:"fallbacks"`
	// Suggestions describe how to change the query.
	Suggestions []string `json:"suggestions"`
	answer.State
	// Explain describes how the query was parsed, if requested.
	Explain *answer.Explanation `json:"explain,omitempty"`
}

// Query converts a filter to a search query.
func (rd *Reader) Query(ctx context.Context, f Filter) (search.Query, error) {
	rd.src.StartListing() // concurrently with the following
	q := search.Query{Session: f.Session, Limit: f.Limit, Now: rd.ws.Options.Now()}
	var err error
	if q.Range, err = rd.TimeRange(f); err != nil {
		return q, err
	}
	q.Projects, err = rd.ws.ScopeOf(ctx, f.Project)
	return q, err
}

// Types returns the types of sources that a filter can select: those of team sources, the marks of ideas in the session
// archive, and the parts of transcripts.
func Types() []string {
	types := []string{"decision", "discussion", "feature", "fix", "refactor", "docs", "test", "chore", "incident", "idea"}
	for _, intent := range markdown.Intents() {
		if t := markdown.TypeOf(intent); !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return append(types, "tool", "result", "thinking", "plan", "summary", "prompt")
}

// TimeRange parses --since and --until: the beginning of the one, the end of the other. If both are equal, the range is
// the named span.
func (rd *Reader) TimeRange(f Filter) (search.Range, error) {
	var r search.Range
	if f.Since != "" && f.Since == f.Until {
		r, err := search.ParseSpan(f.Since, rd.ws.Now(), rd.ReferenceTime)
		if err != nil {
			return r, fmt.Errorf("%w: --since: %w", messages.ErrUsage, err)
		}
		return r, nil
	}
	if f.Since != "" {
		s, err := search.ParseNamed(f.Since, rd.ws.Now(), rd.ReferenceTime)
		if err != nil {
			return r, fmt.Errorf("%w: --since: %w", messages.ErrUsage, err)
		}
		r = r.Begin(s)
	}
	if f.Until != "" {
		u, err := search.ParseNamed(f.Until, rd.ws.Now(), rd.ReferenceTime)
		if err != nil {
			return r, fmt.Errorf("%w: --until: %w", messages.ErrUsage, err)
		}
		r = r.End(u)
		if r.Until.IsZero() { // "3d" is a point: the range ends there
			r.Until = u.Since
		}
	}
	if !r.Since.IsZero() && !r.Until.IsZero() && !r.Since.Before(r.Until) && (r.From == "" || r.To == "") {
		return r, fmt.Errorf("%w: --since %s is not before --until %s", messages.ErrUsage, f.Since, f.Until)
	}
	return r, nil
}

// start opens the view of the requested time for a query. end closes everything.
func (rd *Reader) start(
	ctx context.Context, text string, parsed search.Parsed, f Filter, usual search.Expansion, damaged *bool,
) (v *View, end func(), err error) {
	rd, leave, err := rd.asOf(ctx, f.AsOf)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			leave()
		}
	}()
	read, err := rd.readQuery(ctx, parsed, f)
	if err != nil {
		return nil, nil, err
	}
	expand, err := rd.expansion(f, usual)
	if err != nil {
		return nil, nil, err
	}
	place, err := rd.ws.Place(ctx)
	if err != nil {
		return nil, nil, err
	}
	rd.src.LookThrough(ctx, place, parsed.Words())
	if v, err = rd.View(ctx, read.query.Projects); err != nil {
		return nil, nil, err
	}
	rd.src.AddWaiting(ctx, place, &v.Opened, parsed.Words())
	v.text, v.expand, v.Damaged, v.read, v.filter = text, expand, damaged, read, f
	if !f.NoFallbacks && !f.Typing {
		v.readUnindexed(ctx, read.query, read.parsed.Words())
	}
	return v, func() { v.Close(); leave() }, nil
}

// Open opens the view of the moment in f for a question. parsed is the parsed question, damaged is set if an index
// turns out to be damaged, and leave closes everything.
func (rd *Reader) Open(
	ctx context.Context, question string, parsed search.Parsed, f Filter, damaged *bool,
) (v *View, leave func(), err error) {
	v, leave, err = rd.start(ctx, question, parsed, f, search.ExpandFull, damaged)
	if err == nil && !v.read.namesSession() {
		v.read.query.Except = rd.Excepted(f)
	}
	return v, leave, err
}

// Excepted returns the sessions that are excluded from answers, comma-separated.
func (rd *Reader) Excepted(f Filter) string {
	if f.OwnToo {
		return f.Except
	}
	return f.Except + "," + rd.ws.OwnSessions()
}

// Search returns ranked hits without composing an answer.
func (rd *Reader) Search(ctx context.Context, text string, f Filter) (Results, error) {
	out, err := ingest.RetryDamaged(ctx, func(damaged *bool) (Results, error) { return rd.search(ctx, text, f, damaged) })
	if err != nil {
		return rd.Instead(ctx, text, f, err)
	}
	return out, nil
}

func (rd *Reader) search(ctx context.Context, text string, f Filter, damaged *bool) (Results, error) {
	view, end, err := rd.start(ctx, text, search.ParseQuery(text), f, search.ExpandMinimal, damaged)
	if err != nil {
		return Results{}, err
	}
	defer end()
	rd = view.Reader
	read := view.read
	read.searched(rd.ws.Now())
	q := read.query
	q.Except, view.only = f.Except, f.Strategies
	limit := cmp.Or(q.Limit, 20)
	if f.BySession { // grouped before the limit, so that one long session does not fill it
		q.Limit = min(50*limit, 5000)
	}
	find := view.Find
	if strings.HasSuffix(strings.TrimSpace(text), "?") {
		find = view.prefer
	}
	res, err := find(ctx, q)
	if err != nil {
		return Results{}, err
	}
	if f.BySession {
		res.Hits = bySession(res.Hits, func(h search.Hit) string { return h.Doc.Session })
	}
	found, gone, err := view.sources(res.Hits[:min(len(res.Hits), max(limit, reread))], q)
	if err != nil {
		return Results{}, err
	}
	w := view.writer(q, res, f.Explain)
	out := Results{Query: text, Hits: make([]Hit, min(len(found), limit))}
	inParallel(len(out.Hits), 2, func(i int) { out.Hits[i] = w.hit(found[i].src, found[i].hit) })
	if gone > 0 {
		rd.ws.Caveat("%d hits are no longer in their source and were left out.", gone)
	}
	back := fallback{v: view, q: q, read: read, terms: res.Terms}
	if view.shortened != "" {
		back.q.Terms = search.PlainTerms(termTexts(res.Terms))
	}
	switch {
	case f.Typing && len(out.Hits) < min(fewHits, limit):
		err = back.searchNearest(ctx, &out, w, limit)
	case !f.NoFallbacks && !f.Typing:
		err = back.searchAgain(ctx, &out, w, limit)
	}
	if err != nil {
		return Results{}, err
	}
	out.Confidence, out.Used, out.Leads = confidence(out.Hits, found), back.used, back.leads
	out.Fallbacks, out.Suggestions, out.Explain = messages.Filled(back.steps), messages.Filled(back.suggestions),
		w.explanation(read)
	out.Caveats, out.State = append(view.Lost(), rd.ws.Caveats...), rd.State()
	view.noteLacking()
	out.Strategies, out.Missing = view.strategies, back.missing()
	return out, nil
}

// bySession keeps the best hit of each session; hits outside of sessions are unchanged.
func bySession[T any](hits []T, of func(T) string) []T {
	seen := map[string]bool{}
	return slices.DeleteFunc(hits, func(h T) bool {
		session, _, _ := strings.Cut(of(h), "/") // a subagent's turns belong to its session
		again := session != "" && seen[session]
		seen[session] = true
		return again
	})
}

// LookUp finds the source of a citation id or page path at a moment, even if it is excluded.
func (rd *Reader) LookUp(ctx context.Context, id, asOf string) (cite.Source, error) {
	rd, leave, err := rd.asOf(ctx, asOf)
	if err != nil {
		return cite.Source{}, err
	}
	defer leave()
	p, err := rd.ws.Place(ctx)
	if err != nil {
		return cite.Source{}, err
	}
	r, err := rd.src.Resolver(p, false)
	if err != nil {
		return cite.Source{}, err
	}
	if strings.HasPrefix(id, "/") {
		if id, err = r.IDOfPage(id); err != nil {
			return cite.Source{}, err
		}
	}
	if _, err := cite.Parse(id); err != nil {
		return cite.Source{}, fmt.Errorf("%w: %w", messages.ErrUsage, err)
	}
	if rd.src.Hides(id) {
		return cite.Source{}, fmt.Errorf("%s was forgotten: %w", id, messages.ErrNotFound)
	}
	if asOf != "" {
		rd.ws.WarnOfCaveats(0)
	}
	src, err := rd.resolve(ctx, r, id)
	// the given id may be an abbreviation
	if err == nil && (rd.src.Hides(src.ID) || rd.src.HidesRecord(src.ID, src.UUID)) {
		err = fmt.Errorf("%s was forgotten: %w", id, messages.ErrNotFound)
	}
	if err == nil {
		err = rd.ws.CheckReach(ctx, id, src.Project)
	}
	if err != nil {
		return cite.Source{}, err
	}
	if src.Layer == cite.LayerTeam { // only this item knows the pull request of a commit
		src.Links = rd.src.Linked(p, src.ID)
	}
	if r.TakenBack(src.ID) {
		src.State = cite.StateTakenBack
	}
	return src, nil
}

// Holding returns a condition that excludes messages on a branch of a conversation that was taken back.
func Holding() search.Condition {
	return search.Condition{On: search.OnRole, Match: func(role string) bool {
		return role == cite.StateTakenBack
	}, Not: true}
}

// mostTurns is the number of turns in which the answer to a prompt is searched.
const mostTurns = 60

// Exchange returns the turns that belong to a hit in a conversation: the user's message before it, or the hit itself,
// and the assistant's last message before the next one of the user.
func (v *View) Exchange(h search.Hit) (request, reply search.Hit) {
	snap := v.Snaps[h.Shard]
	if cite.IsBlockSession(h.Doc.Session) {
		row := turnBefore(snap, h.Doc)
		if row < 0 {
			return search.Hit{}, search.Hit{}
		}
		h = search.Hit{Shard: h.Shard, Row: row, Doc: snap.Row(row)}
	}
	at := func(row int32) search.Hit { return search.Hit{Shard: h.Shard, Row: int(row), Doc: snap.Row(int(row))} }
	request = h
	for n := 0; request.Doc.Role == string(transcript.RoleAssistant); n++ {
		row := snap.Prev(request.Row)
		if row < 0 || n == mostTurns {
			return search.Hit{}, h
		}
		request = at(row)
	}
	if found, _ := v.userMessageBetween(request.Doc, h.Doc); request.Row != h.Row && found {
		return search.Hit{}, h
	}
	for next, n := snap.Next(h.Row), 0; next >= 0 && n < mostTurns; next, n = snap.Next(int(next)), n+1 {
		turn := at(next)
		if turn.Doc.Role != string(transcript.RoleAssistant) {
			break
		}
		reply = turn
	}
	for reply.Doc.ID != "" && reply.Row != h.Row {
		found, offset := v.userMessageBetween(h.Doc, reply.Doc)
		if !found {
			return request, reply
		}
		for reply.Row != h.Row && reply.Doc.Offset >= offset {
			reply = at(snap.Prev(reply.Row))
		}
	}
	return request, search.Hit{}
}

// userMessageBetween finds the first message of the user between two turns that is not indexed: a picture, or a
// forgotten or withheld message. If one of the turns may not be shown it reports one.
func (v *View) userMessageBetween(from, to index.Row) (found bool, offset int64) {
	if v.InScope != nil && !(v.InScope(from.Project) && v.InScope(to.Project)) {
		return true, from.Offset
	}
	f, err := v.Reader.ws.Stores().Open(to.File)
	if err != nil {
		return true, from.Offset
	}
	defer f.Close()
	offset, found = transcript.FindUserMessage(f, from.Offset+from.Length, to.Offset)
	return found, offset
}

// turnBefore returns the row of the turn that a transcript block follows, -1 if there is none.
func turnBefore(snap *index.Snapshot, block index.Row) int {
	session := int32(-1)
	for n := range snap.Sessions() {
		if name := snap.SessionName(int32(n)); name != "" && cite.BlockSession(name) == block.Session {
			session = int32(n)
		}
	}
	best, order := -1, int64(-1)
	for row, of := range snap.Columns().Session {
		if session < 0 || of != session || snap.Dead(row) {
			continue
		}
		if at := snap.Row(row).Order; at > order && at <= block.Order/ingest.BlockOrders {
			best, order = row, at
		}
	}
	return best
}
