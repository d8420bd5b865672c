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

// Filter narrows a question or a search. Empty fields let everything through.
type Filter struct {
	Since, Until string   // 3d, 1w, yesterday, last month, 2024-Q4, 2024-03-15
	Author       []string // parts of names, of which any
	Type         string   // one of [Types]; several with commas
	Path         []string // globs or parts of paths, of which any
	Layer        string   // rules, memory, summaries, transcripts or team; several with commas
	Project      string   // name or id; "all" for every project
	Session      string   // session id or its beginning
	Agent        string   // names of coding agents whose sessions it is from; several with commas
	Limit        int      // results at most; 0 means 5 for Ask and 20 for Search
	// none, minimal or full; "" is what the configuration says, or else full for Ask and minimal for Search
	Expand    string
	BySession bool   // Search keeps the best hit of each session only
	Explain   bool   // say how the query was read and why each hit is there
	Trace     bool   // Ask returns the steps of its research
	Detailed  bool   // SearchAll adds what a reader would look up next: see [Hit]
	Except    string // sessions that are no source, their ids with commas; in Ask the client's own besides
	OwnToo    bool   // Ask leaves out no session but Except: the client's own may have ended since the process began
	// Strategies are those by which Search looks, all for none. One of them that has nothing
	// to go by is among the strategies of the result, with the reason.
	Strategies []string
	// Passage guesses what would answer a question that nothing found holds, and Ask looks
	// for that too, if hyde is on; nil does not.
	Passage func(ctx context.Context, question string) (string, error) `json:"-"`
	// Follow is told each step of the research of Ask as it happens, and of the building of indexes: those of
	// level 0, and those by a strategy, are not in the trail. Several goroutines may call it, one after the
	// other, and it must return at once. nil is told nothing.
	Follow func(answer.Step) `json:"-"`

	NoFallbacks bool // Search does nothing more where it finds little or nothing
	Typing      bool // Search completes words where it finds little or nothing, and does nothing more
	// AsOf asks what was recorded at a moment instead of now: a date in the forms of
	// Since, of a span its end, or a revision of the current repository or else of the
	// store's own. What is newer has no part in the answer, nor in the ranking.
	AsOf string
}

// Tell tells who follows of a step.
func (f Filter) Tell(s answer.Step) {
	if f.Follow != nil {
		f.Follow(s)
	}
}

// Hit is one search result: a citation, and how its score came about.
type Hit struct {
	answer.Citation
	// Why says in words why the hit is there, where that was asked for.
	Why []string `json:"why,omitempty"`
	// Sentences are those of the source that say most about the query, in its order, and
	// Body is all of its text below the title.
	Sentences []string `json:"-"`
	Body      string   `json:"-"`
	// Topics are the hashtags of the source's text.
	Topics []string `json:"-"`
	// Release is the first release that holds a commit, and Changed are lines that it
	// changed, with + or -, in which the query occurs: where details were asked for.
	Release string   `json:"release,omitempty"`
	Changed []string `json:"changed,omitempty"`

	first bool // of one of several queries
}

// Results are what a search found. The JSON form is a public contract.
type Results struct {
	Query      string            `json:"query"`
	Strategies []answer.Strategy `json:"strategies"`
	Hits       []Hit             `json:"hits"`
	// Missing are the words of the query that nothing recorded holds.
	Missing []string `json:"-"`
	// Confidence says how far the hits carry.
	Confidence answer.Confidence `json:"-"`
	// Used are the names of the fallbacks that gave something: recent_sessions, grep,
	// nearest_words, clarification. Leads are the sessions that the first one named.
	Used  []string `json:"-"`
	Leads []Hit    `json:"-"`
	// Caveats say what could not be searched.
	Caveats []string `json:"caveats"`
	// Fallbacks say what was done when little or nothing was found.
	Fallbacks []string `json:"fallbacks"`
	// Suggestions say how to ask otherwise.
	Suggestions []string `json:"suggestions"`
	answer.State
	// Explain says how the query was read, where that was asked for.
	Explain *answer.Explanation `json:"explain,omitempty"`
}

// Query turns a filter into the search's own form.
func (rd *Reader) Query(ctx context.Context, f Filter) (search.Query, error) {
	rd.src.StartListing() // beside what follows
	q := search.Query{Session: f.Session, Limit: f.Limit, Now: rd.ws.Options.Now()}
	var err error
	if q.Range, err = rd.TimeRange(f); err != nil {
		return q, err
	}
	q.Projects, err = rd.ws.ScopeOf(ctx, f.Project)
	return q, err
}

// Types are the types of sources that can be asked for: those of team sources, the
// marks of ideas in the session archive, and the parts of transcripts.
func Types() []string {
	types := []string{"decision", "discussion", "feature", "fix", "refactor", "docs", "test", "chore", "incident", "idea"}
	for _, intent := range markdown.Intents() {
		if t := markdown.TypeOf(intent); !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return append(types, "tool", "result", "thinking", "plan", "summary", "prompt")
}

// TimeRange reads --since and --until: the beginning of the one, the end of the other. The
// same for both is the span that it names.
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
		if r.Until.IsZero() { // "3d" names a point: up to then
			r.Until = u.Since
		}
	}
	if !r.Since.IsZero() && !r.Until.IsZero() && !r.Since.Before(r.Until) && (r.From == "" || r.To == "") {
		return r, fmt.Errorf("%w: --since %s is not before --until %s", messages.ErrUsage, f.Since, f.Until)
	}
	return r, nil
}

// start opens what a query is answered from: the view of the time that is asked about.
// end releases all.
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

// Open opens what a question is answered from: the view of the moment that f names. parsed is what a
// person wrote of the question, damaged is set where an index turns out to be damaged, and leave
// releases everything.
func (rd *Reader) Open(
	ctx context.Context, question string, parsed search.Parsed, f Filter, damaged *bool,
) (v *View, leave func(), err error) {
	v, leave, err = rd.start(ctx, question, parsed, f, search.ExpandFull, damaged)
	if err == nil && !v.read.namesSession() {
		v.read.query.Except = rd.Excepted(f)
	}
	return v, leave, err
}

// Excepted are the sessions that are no source of an answer, their ids with commas.
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
	if f.BySession { // grouped before the limit, or one long session would fill it
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

// bySession keeps the best hit of each session; hits outside any stay as they are.
func bySession[T any](hits []T, of func(T) string) []T {
	seen := map[string]bool{}
	return slices.DeleteFunc(hits, func(h T) bool {
		session, _, _ := strings.Cut(of(h), "/") // a subagent's turns belong to its session
		again := session != "" && seen[session]
		seen[session] = true
		return again
	})
}

// LookUp finds what a citation id, or the path of a page, names at a moment, whatever is
// excluded.
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
	// the id that was given may be short for it
	if err == nil && (rd.src.Hides(src.ID) || rd.src.HidesRecord(src.ID, src.UUID)) {
		err = fmt.Errorf("%s was forgotten: %w", id, messages.ErrNotFound)
	}
	if err == nil {
		err = rd.ws.CheckReach(ctx, id, src.Project)
	}
	if err != nil {
		return cite.Source{}, err
	}
	if src.Layer == cite.LayerTeam { // the pull request of a commit is known to that one alone
		src.Links = rd.src.Linked(p, src.ID)
	}
	if r.TakenBack(src.ID) {
		src.State = cite.StateTakenBack
	}
	return src, nil
}

// Holding keeps out what was said on a branch of a conversation that was taken back.
func Holding() search.Condition {
	return search.Condition{On: search.OnRole, Match: func(role string) bool {
		return role == cite.StateTakenBack
	}, Not: true}
}

// mostTurns is how many turns the answer to a prompt is looked for in.
const mostTurns = 60

// Exchange are the turns that belong to a hit in a conversation: what the user said
// before it, or itself, and the assistant's last one before the user spoke again.
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

// userMessageBetween finds the first message of the user between two turns, which is not
// indexed: a picture, or one that was forgotten or is withheld. Where not both turns may
// be shown it reports one.
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

// turnBefore is the row of the turn that a transcript block follows, -1 where there is
// none.
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
