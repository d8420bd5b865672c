package query

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

const (
	fewHits      = 3               // with fewer hits, similarly spelled words are tried
	nearestTime  = time.Second     // time limit for reading the vocabulary
	clarifyTime  = 2 * time.Second // time limit for counting without each filter
	nearestWords = 3               // for each unknown word
	leads        = 3               // messages and sessions listed for a question without an answer
	countedHits  = 100
	mostNamed    = 10 // unknown words
	mostRecorded = 5  // known words
	mostWord     = 60 // runes of one of them
)

// The names of fallbacks.
const (
	fallbackSessions      = "recent_sessions"
	fallbackGrep          = "grep"
	fallbackNearest       = "nearest_words"
	fallbackClarification = "clarification"
)

// fallback is the state of the fallbacks for a query with few or no hits.
type fallback struct {
	v     *View
	q     search.Query // as searched
	read  parsedQuery
	terms []search.Term // of the query, as found

	named       map[string]bool // unknown terms for which other words were suggested
	steps       []string        // the steps taken, as text
	used        []string        // the names of steps with results
	leads       []Hit           // the suggested sessions
	suggestions []string
}

func (f *fallback) note(format string, args ...any) {
	f.steps = append(f.steps, fmt.Sprintf(format, args...))
}

func (f *fallback) suggest(format string, args ...any) {
	f.suggestions = append(f.suggestions, fmt.Sprintf(format, args...))
}

func (f *fallback) noteGrep(g grepped) {
	if len(g.found) > 0 {
		f.used = append(f.used, fallbackGrep)
	}
	if len(g.found) > 0 || g.late {
		f.note("%s", g.report())
	}
}

// unknown returns the typed terms that no document contains.
func (f *fallback) unknown() []string {
	var out []string
	for _, t := range f.terms {
		if t.Docs == 0 {
			out = append(out, t.Text)
		}
	}
	return out
}

// wordOf returns the word of a text from which a term was derived.
func wordOf(text, term string) string {
	for _, t := range index.Words(text) {
		if t.Term == term {
			return text[t.Start:t.End]
		}
	}
	return term
}

// nearest finds words spelled similarly to unknown ones, and returns the query with them added; ok is false if there
// are none.
func (f *fallback) nearest(ctx context.Context) (search.Query, map[string][]string, bool) {
	ctx, cancel := deadline.After(ctx, f.v.Reader.ws.Options.Now, nearestTime)
	defer cancel()
	q := f.q
	q.Terms = slices.Clone(search.PlainTerms(termTexts(f.terms)))
	near := map[string][]string{}
	for i, t := range f.terms {
		if t.Docs > 0 {
			continue
		}
		found, err := search.Nearest(ctx, f.v.Snaps, t.Text, nearestWords)
		if err != nil {
			f.note("nearest words: not looked for to the end, since reading the vocabulary took longer than %v", nearestTime)
			break
		}
		for _, n := range found {
			near[t.Text] = append(near[t.Text], n.Term)
			q.Terms = append(q.Terms, search.QueryTerm{Text: n.Term, Weight: 0.5, For: i})
		}
	}
	return q, near, len(near) > 0
}

// HasNear reports whether the indexes contain a term spelled similarly to another one.
func (v *View) HasNear(ctx context.Context, term string) bool {
	ctx, cancel := deadline.After(ctx, v.Reader.ws.Options.Now, nearestTime)
	defer cancel()
	near, err := search.Nearest(ctx, v.Snaps, term, 1)
	return len(near) > 0 || err != nil
}

// WordForms returns for each term the other names of the entity that it names and, with inflected, the terms of the
// indexes of the same word family, within a time limit.
func (v *View) WordForms(ctx context.Context, terms []string, inflected bool) [][]search.QueryTerm {
	ctx, cancel := deadline.After(ctx, v.Reader.ws.Options.Now, nearestTime)
	defer cancel()
	out := make([][]search.QueryTerm, len(terms))
	for i, t := range terms {
		if inflected {
			out[i], _ = search.WordForms(ctx, v.Snaps, t)
		}
	}
	plain := search.PlainTerms(terms)
	for _, t := range v.Reader.aliases().Expand(plain, search.ExpandMinimal) {
		if t.For >= 0 && t.Weight == search.AcronymWeight { // less, because it is one of several words
			t.Weight = 1 // the user lists them as equal
			out[t.For] = append(out[t.For], t)
		}
	}
	return out
}

func termTexts(terms []search.Term) []string {
	out := make([]string, len(terms))
	for i, t := range terms {
		out[i] = t.Text
	}
	return out
}

// didYouMean suggests words of sources in place of unknown ones.
func (f *fallback) didYouMean(near map[string][]string, sources []cite.Source) {
	f.named = map[string]bool{}
	for _, t := range f.terms {
		if len(f.named) == mostNamed { // each requires reading the texts
			break
		}
		var words []string
		for _, term := range near[t.Text] {
			for _, src := range sources {
				if w := wordOf(src.Title+"\n"+src.Text, term); w != term || slices.Contains(index.Terms(src.Text), term) {
					words = append(words, strings.ToLower(w))
					break
				}
			}
		}
		if len(words) > 0 {
			f.named[t.Text] = true
			f.suggest("Did you mean %s? Nothing holds %q.", strings.Join(words, " or "), wordOf(f.read.parsed.Words(), t.Text))
		}
	}
}

// sessions lists the last sessions that pass the filters of a query about a time.
func (f *fallback) sessions(ctx context.Context) {
	of, q := "of the time asked about", f.q
	recent, err := f.v.recentSessions(ctx, q, leads)
	if err == nil && len(recent) == 0 && !q.Range.IsZero() { // dates are often wrong
		of, q.Range = "of any time", search.Range{}
		recent, err = f.v.recentSessions(ctx, q, leads)
	}
	if err != nil {
		return
	}
	for _, r := range recent {
		src, err := f.v.Fetch(r.First)
		if err != nil || src.Time.IsZero() { // a title has no time, and this project has no other record of the session
			continue
		}
		lead := Hit{Citation: src.Citation(0)}
		lead.Excerpt = cite.Lead(src.Text, 120).Text
		lead.Body = lead.Excerpt
		f.leads = append(f.leads, lead)
		f.suggest("Session of %s: %s (%s)", src.Time.Format(time.DateOnly), lead.Excerpt, src.ID)
	}
	if n := len(f.leads); n > 0 {
		f.used = append(f.used, fallbackSessions)
		f.note("recent sessions: the last %s %s", messages.Plural(n, "session"), of)
	}
}

// clarify suggests refinements for a query without hits: which filter excludes everything, and which words are unknown.
func (f *fallback) clarify(ctx context.Context) {
	ctx, cancel := deadline.After(ctx, f.v.Reader.ws.Options.Now, clarifyTime)
	defer cancel()
	before := len(f.suggestions)
	for _, l := range f.read.limits {
		if ctx.Err() != nil {
			break // use the counts so far
		}
		q := f.q
		l.lift(&q)
		q.Limit = countedHits
		if n := f.v.count(ctx, q); n == countedHits {
			f.suggest("%d hits or more without %s", n, l.text)
		} else if n > 0 {
			f.suggest("%s without %s", messages.Plural(n, "hit"), l.text)
		}
	}
	f.suggestUnknown()
	if len(f.suggestions) > before {
		f.used = append(f.used, fallbackClarification)
		f.note("clarification: what keeps hits out")
	}
}

// missing returns the unknown words of the query, as typed. Names of several words are omitted: a text may contain one
// in another form.
func (f *fallback) missing() []string {
	var words []string
	for _, t := range f.unknown() {
		if len(words) == mostNamed { // each is looked up in the query, which may be long
			return words
		}
		if word := wordOf(f.read.parsed.Words(), t); len(index.Words(word)) == 1 {
			words = append(words, messages.Clip(word, mostWord))
		}
	}
	return words
}

// suggestUnknown lists the unknown words if other words are known. Words with suggested replacements are omitted.
func (f *fallback) suggestUnknown() {
	var words []string
	unknown := f.unknown()
	for _, t := range unknown {
		if f.named[t] {
			continue
		}
		if len(words) == mostNamed { // each is looked up in the query, which may be long
			words = append(words, "other words of the query")
			break
		}
		words = append(words, fmt.Sprintf("%q", wordOf(f.read.parsed.Words(), t)))
	}
	if len(words) > 0 && len(unknown) < len(f.terms) {
		f.suggest("Nothing holds %s; leave it out, or say it in other words.%s", strings.Join(words, " or "), f.recorded())
	}
}

// recorded lists the known words of the query, the rarest first.
func (f *fallback) recorded() string {
	known := slices.DeleteFunc(slices.Clone(f.terms), func(t search.Term) bool { return t.Docs == 0 })
	slices.SortStableFunc(known, func(a, b search.Term) int { return cmp.Compare(a.Docs, b.Docs) })
	var words []string
	for _, t := range known {
		word := fmt.Sprintf("%q", strings.TrimLeft(wordOf(f.read.parsed.Words(), t.Text), ".-"))
		if len(words) < mostRecorded && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return " Recorded are " + strings.Join(words, ", ") + "."
}

// count returns how many documents a query finds, up to its limit.
func (v *View) count(ctx context.Context, q search.Query) int {
	want := q.Limit
	if len(q.Phrases) > 0 {
		q.Limit = phraseBound
	}
	res, err := search.Run(ctx, v.Snaps, q)
	if err != nil {
		return 0 // out of time: use the counts so far
	}
	if len(q.Phrases) == 0 {
		return len(res.Hits)
	}
	checked, _ := search.Verify(res.Hits, q.Phrases, want, phraseBound, func(h search.Hit) ([]string, error) {
		texts, _ := v.texts(h) // unreadable sources do not count
		return texts, nil
	})
	return len(checked.Hits)
}

// searchAgain adds hits to a search that found few.
func (f *fallback) searchAgain(ctx context.Context, out *Results, w *hitWriter, limit int) error {
	if unread := slices.Contains(f.v.Unsearched, cite.LayerTranscripts); len(out.Hits) == 0 || unread {
		most := limit
		if f.read.bySession { // grouped before the limit, as for other hits
			most = 50 * limit
		}
		found, _ := f.grepHits(ctx, w, literals(f.q.Text, f.q.Phrases), most, limit)
		if unread && len(found) > 0 { // the unsearched layer gets a share of the hits
			found = found[:min(len(found), max(limit-len(out.Hits), (limit+1)/2))]
			out.Hits = out.Hits[:min(len(out.Hits), limit-len(found))]
		}
		out.Hits = append(out.Hits, found...)
	}
	if len(out.Hits) < min(fewHits, limit) {
		if err := f.searchNearest(ctx, out, w, limit); err != nil {
			return err
		}
	}
	if len(out.Hits) > 0 {
		f.suggestUnknown()
		return ctx.Err()
	}
	if !f.q.Range.IsZero() || !f.q.Near.IsZero() {
		if f.q.Range.IsZero() {
			f.q.Range = f.q.Near
		}
		f.sessions(ctx)
	}
	f.clarify(ctx)
	if len(f.suggestions) == 0 {
		f.used = append(f.used, fallbackClarification)
		f.suggest("Try fewer or other words; gitmem status tells what is searched.")
	}
	return ctx.Err()
}

// grepHits returns the messages of transcripts that contain texts literally: it finds at most most and shows at most
// limit of them.
func (f *fallback) grepHits(ctx context.Context, w *hitWriter, texts []string, most,
	limit int) (hits []Hit, g grepped) {
	g = f.v.grep(ctx, f.q, texts, most, grepTime)
	for _, src := range g.found {
		if len(hits) == limit || f.grouped(hits, src) {
			continue
		}
		h := w.hit(src, search.Hit{})
		h.Excerpt = excerptOf(src, texts)
		h.Sentences = []string{h.Excerpt}
		if w.explain {
			h.Why = []string{"found letter by letter in the transcripts, not by the index"}
		}
		hits = append(hits, h)
	}
	f.noteGrep(g)
	return hits, g
}

// searchNearest adds the hits of similarly spelled words.
func (f *fallback) searchNearest(ctx context.Context, out *Results, w *hitWriter, limit int) error {
	q, near, ok := f.nearest(ctx)
	if !ok {
		return nil
	}
	res, err := f.v.Find(ctx, q)
	if err != nil {
		return err
	}
	for _, list := range near {
		for _, t := range list {
			w.terms[t] = true
		}
	}
	again := f.v.writer(q, res, w.explain)
	maps.Copy(again.terms, w.terms)
	known := map[string]bool{}
	for _, h := range out.Hits {
		known[h.ID] = true
	}
	var sources []cite.Source
	for _, h := range res.Hits {
		if len(out.Hits) == limit {
			break
		}
		src, err := f.v.Fetch(h)
		if err != nil {
			continue
		}
		sources = append(sources, src)
		if !known[src.ID] && !f.grouped(out.Hits, src) {
			out.Hits = append(out.Hits, again.hit(src, h))
		}
	}
	if more := len(out.Hits) - len(known); more > 0 {
		f.used = append(f.used, fallbackNearest)
		f.note("nearest words: %s more by words that are spelled nearly like those that nothing holds",
			messages.Plural(more, "hit"))
	}
	f.didYouMean(near, sources)
	return nil
}

// grouped reports whether hits are grouped by session, and one of a source's session exists.
func (f *fallback) grouped(hits []Hit, src cite.Source) bool {
	return f.read.bySession && src.Session != "" && slices.ContainsFunc(hits, func(h Hit) bool {
		return h.Session == src.Session
	})
}

// Asked is the content of a question.
type Asked struct {
	Terms  []string     // its content words as index terms
	Words  []string     // the same words as typed
	Range  search.Range // the time in the question
	Recent bool         // it asks about recent work
}

// findLeads finds leads for a question without an answer. They are not evidence: the answer remains that nothing is
// recorded.
func (f *fallback) findLeads(ctx context.Context, asked Asked) {
	if len(asked.Terms) > 0 {
		if res, err := search.Run(ctx, f.v.Snaps, f.q); err == nil {
			f.terms = res.Terms
		}
	}
	if asked.Recent || !f.q.Range.IsZero() {
		f.sessions(ctx)
	}
	if texts := literals(strings.Join(asked.Words, " "), f.q.Phrases); len(texts) > 0 {
		g := f.v.grep(ctx, f.q, texts, leads, grepAskTime)
		for _, src := range g.found {
			f.suggest("%s", Unverified(excerptOf(src, texts), src.ID))
		}
		f.noteGrep(g)
	}
	if q, near, ok := f.nearest(ctx); ok {
		q.Limit = 20
		if res, err := search.Run(ctx, f.v.Snaps, q); err == nil {
			sources, errs := f.v.fetchAll(res.Hits)
			i := 0
			f.didYouMean(near, slices.DeleteFunc(sources, func(cite.Source) bool { i++; return errs[i-1] != nil }))
		}
		f.note("nearest words: named, and not answered from")
	}
	f.clarify(ctx)
}

// Explain adds leads to an empty answer, and with explain how the question was parsed.
func (v *View) Explain(ctx context.Context, a *answer.Answer, asked Asked, explain bool) error {
	q, read := v.read.query, v.read
	if q.Range.IsZero() {
		q.Range = asked.Range
		read.bounded(q.Range)
	}
	back := fallback{v: v, q: q, read: read}
	var err error
	if back.q.Terms, err = v.rarest(ctx, search.PlainTerms(append([]string{}, asked.Terms...))); err != nil {
		return err
	}
	if a.Confidence == answer.None {
		given := back.q.Conditions
		back.q.Conditions = append(slices.Clip(given), Holding())
		back.findLeads(ctx, asked)
		back.q.Conditions = given
		a.Fallbacks, a.Suggestions = append(a.Fallbacks, back.steps...), append(a.Suggestions, back.suggestions...)
	}
	if explain {
		if back.terms == nil && len(asked.Terms) > 0 {
			res, err := search.Run(ctx, v.Snaps, back.q)
			if err != nil {
				return err
			}
			back.terms = res.Terms
		}
		a.Explain = v.writer(back.q, search.Result{Terms: back.terms}, true).explanation(read)
		a.Explain.Steps = append(a.Explain.Steps, a.Trail...)
	}
	return ctx.Err()
}
