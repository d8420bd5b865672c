package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/claim"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/providers"
)

const (
	candidates   = 60  // hits whose sources are read for one answer
	excerptRunes = 280 // maximum length of an excerpt
	quoted       = 0.8 // minimum support, relative to the best, of quoted evidence
)

// evidence is a source with its scores for a question. Shares are of the question's content weighted by inverse
// document frequency, 0 to 1.
type evidence struct {
	src       cite.Source
	hit       search.Hit
	quote     cite.Quote
	cited     answer.Citation
	texts     []string // title and the passages that cover most of the question
	shown     bool     // there is something to show of it
	titled    float64  // share that the title covers
	single    float64  // share that the title or a single passage covers
	near      float64  // share that the title and the quoted passages cover
	all       float64  // share that the whole text covers
	pairs     float64  // share of the question's word pairs that are adjacent there too
	terms     int      // number of the question's terms that it contains
	reason    bool     // the quoted passage gives a reason
	begins    bool     // it describes the start of something
	rank      float64
	via       []string // sources that led here, with their relation to it
	of        string   // citation id of the source to whose work it belongs
	direct    bool     // it has the requested kind, such as an order, and contains all words
	stated    string   // statedLast or statedBefore, if several sources state the same fact
	undoes    string   // citation id of what it reverts
	asked     string   // the prompt that it answers in its conversation
	also      []string // citation ids of the same statement elsewhere
	since     string   // the first release that contains it, as text
	withdrawn bool     // another commit reverted it
}

// evidence answers from the passages that cover most of the question.
func (e *Engine) evidence(ctx context.Context, q Question, o Options, a *draft) error {
	query := o.Query
	query.Limit, query.Meaning = max(candidates, 3*o.Limit), q.Text
	res, err := e.Evidence.Find(ctx, query)
	if err != nil {
		return err
	}
	if len(res.Hits) == 0 && q.Range.Package != "" {
		q.Range.Package, query.Range.Package, o.Query.Range.Package = "", "", ""
		if res, err = e.Evidence.Find(ctx, query); err != nil {
			return err
		}
	}
	empty := q.Range
	if len(res.Hits) == 0 && !q.Range.IsZero() { // dates in questions may be wrong
		q.Range, query.Range, o.Query.Range = search.Range{}, search.Range{}, search.Range{}
		if res, err = e.Evidence.Find(ctx, query); err != nil {
			return err
		}
	}
	w := newWeigher(q, res.Terms, e.Vocabulary.Synonyms())
	r, err := e.research(ctx, q, o, w, e.weigh(q, query, w, res))
	if err != nil {
		return err
	}
	found := r.found
	if w.first && len(found) > 0 {
		earliestFirst(q, found)
		e.withdrawnLast(ctx, found[:min(len(found), o.Limit)])
		w.takeBegun(found)
	}
	a.Trail = append(a.Trail, trail(q, res.Terms, found)...)
	found = e.withSuccessors(ctx, mergeStatements(joinChanges(found)), o.Limit, o.filtered())
	found, a.Citations = e.cited(ctx, found, o.Limit)
	if q.Kind == answer.KindWhen {
		e.date(ctx, q, found[:len(a.Citations)])
	}
	r.addClaims(found, a.judge(q, w, found, e.untraced(ctx, q, w, found)))
	if o.Trace {
		a.Research = r.steps
	}
	if q.In.To != "" && len(a.Citations) > 0 {
		e.inRelease(ctx, q, found[:len(a.Citations)], a)
	}
	if q.Range != empty && a.Confidence != answer.None {
		a.Caveats = nil
		a.setClosest("Nothing is recorded of " + empty.String() + ". Of other times:\n" +
			compose(answer.KindGeneral, found[:len(a.Citations)]))
	}
	e.declared(ctx, q, o, a)
	if caveat := r.unreadCaveat(); caveat != "" {
		a.Caveats = append(a.Caveats, caveat)
	}
	return nil
}

// date sets the first release that contains each piece of evidence.
func (e *Engine) date(ctx context.Context, q Question, found []evidence) {
	names := map[string]string{}
	var hashes []string
	for _, ev := range found {
		if hash, ok := strings.CutPrefix(ev.src.ID, string(cite.KindCommit)+":"); ok {
			hashes = append(hashes, hash)
		} else if ev.hit.Doc.Release != "" {
			names[ev.src.ID] = ev.hit.Doc.Release
		}
	}
	for hash, name := range e.Releases.FirstIn(ctx, q.Package, hashes) {
		names[string(cite.KindCommit)+":"+hash] = name
	}
	for i, ev := range found {
		switch name, known := names[ev.src.ID]; {
		case known && (name == "" || ev.src.State == unreleased):
			found[i].since = "in no release yet"
		case known:
			found[i].since = "first in " + name
		}
	}
}

// unreleased marks the notes of the upcoming release.
const unreleased = "unreleased"

// cited makes verified citations of the best evidence. It drops evidence whose source was deleted in the meantime.
func (e *Engine) cited(ctx context.Context, found []evidence, limit int) (kept []evidence, cited []answer.Citation) {
	for _, ev := range found {
		if len(cited) < limit {
			c := ev.src.Citation(ev.rank)
			if err := e.verify(ctx, &c, ev.quote); err != nil {
				e.lost.add(err)
				continue
			}
			c.Asked, c.Also = firstWords(ev.asked), ev.also
			cited = append(cited, c)
		}
		kept = append(kept, ev)
	}
	e.setWriters(ctx, cited, kept)
	for i, c := range cited {
		kept[i].cited = c
	}
	return kept, cited
}

// setWriters sets the author and time of document quotes to those of the commit that wrote the quoted lines. The
// document's own author is its last editor.
func (e *Engine) setWriters(ctx context.Context, cited []answer.Citation, of []evidence) {
	var at []int
	var places []query.Lines
	for i, c := range cited {
		ev := of[i]
		if !isPage(ev.src, ev.hit) || ev.hit.Doc.Release != "" || c.Line < ev.src.Line {
			continue
		}
		n := 0
		for _, line := range strings.Split(ev.src.Text, "\n")[c.Line-ev.src.Line:] {
			if strings.TrimSpace(line) == "" {
				break
			}
			n++
		}
		at, places = append(at, i), append(places, query.Lines{Path: c.Path, From: c.Line, To: c.Line + max(n-1, 0)})
	}
	for n, id := range e.Commits.WrittenBy(ctx, places) {
		c := &cited[at[n]]
		if by, err := e.Evidence.Resolve(ctx, id); id != "" && err == nil {
			c.Author, c.Time = by.Author, by.Citation(1).Time
			if !slices.Contains(c.Also, id) {
				c.Also = append(slices.Clip(c.Also), id)
			}
		}
	}
}

// settles reports whether a link points to the successor or the answer of an item.
func settles(l providers.Link) bool {
	return l.Rel == providers.SupersededBy || l.Rel == providers.AnsweredBy
}

// withSuccessors inserts the successors and answers of the first n ideas directly before them, recursively. A successor
// need not contain words of the question, unless filters may exclude it.
func (e *Engine) withSuccessors(ctx context.Context, found []evidence, n int, filtered bool) (out []evidence) {
	placed := map[string]bool{}
	var place func(ev evidence)
	place = func(ev evidence) {
		if placed[ev.src.ID] {
			return // also guards against mutual links
		}
		placed[ev.src.ID] = true
		if len(out) < n && ev.src.Source == string(cite.KindIdea) {
			for _, l := range e.Leads.Linked(ctx, ev.src.ID) {
				next, is := e.successor(ctx, ev, l, found)
				if !is {
					continue
				}
				ev.src.Links = append(ev.src.Links, l)
				if next.rank > 0 || !filtered {
					next.stated, ev.stated, ev.of = cmp.Or(next.stated, statedLast), statedBefore, next.src.ID
					place(next)
				}
			}
		}
		out = append(out, ev)
	}
	for _, ev := range found {
		place(ev)
	}
	return out
}

// successor returns the evidence at the target of a link that settles an idea. It answers as much as the idea does. Its
// rank is 0 if it was not among the results.
func (e *Engine) successor(ctx context.Context, old evidence, l providers.Link,
	found []evidence) (next evidence, is bool) {
	if !settles(l) || l.ID == old.src.ID {
		return next, false
	}
	next = old
	if at := slices.IndexFunc(found, func(ev evidence) bool {
		return ev.src.ID == l.ID || slices.Contains(ev.also, l.ID)
	}); at >= 0 {
		of := found[at]
		next.src, next.hit, next.quote, next.asked, next.also, next.reason = of.src, of.hit, of.quote, of.asked,
			of.also, of.reason
		return next, !of.src.Time.Before(old.src.Time)
	}
	src, err := e.Evidence.Resolve(ctx, l.ID)
	e.lost.add(err)
	next.src, next.quote, next.asked, next.also, next.reason, next.rank = src, whole(src), "", nil,
		GivesReason(src.Text), 0
	return next, err == nil && !src.Time.Before(old.src.Time)
}

// byPassage reports whether a hit was found with a passage of a model: it may contain no word of the question.
func byPassage(f search.Found) bool { return f.Leg == "hyde" }

// weigh reads the hits' sources and sorts them by how well they answer.
func (e *Engine) weigh(q Question, query search.Query, w *weigher, res search.Result) (found []evidence) {
	seen := map[string]bool{}
	for i, hit := range res.Hits {
		t, err := e.turn(q, query, hit)
		if err != nil {
			e.lost.add(err)
			continue
		}
		ev := w.evidence(t.src, t.hit, t.heading)
		ev.rank, ev.asked = w.rank(ev, i+1), t.heading
		key := strings.ToLower(t.src.Title + "\x00" + ev.quote.Text)
		if !ev.shown || ev.all == 0 && hit.Cosine == 0 && !slices.ContainsFunc(hit.Found, byPassage) || seen[key] {
			continue // nothing to quote, or a duplicate such as a cherry-picked commit
		}
		seen[key] = statement(ev) == "" // statements are merged later
		found = append(found, ev)
	}
	slices.SortStableFunc(found, func(a, b evidence) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.src.ID, b.src.ID))
	})
	return found
}

// find weighs the results of a query in some layers.
func (e *Engine) find(ctx context.Context, q Question, query search.Query,
	layers ...string) (w *weigher, found []evidence, err error) {
	query.Layers, query.Limit = layers, candidates
	res, err := e.Evidence.Find(ctx, query)
	if err != nil {
		return nil, nil, err
	}
	w = newWeigher(q, res.Terms, e.Vocabulary.Synonyms())
	return w, e.weigh(q, query, w, res), nil
}

// asksForFirst reports whether a question asks for the start of something.
func (w *weigher) asksForFirst(q Question) bool {
	return q.Kind == answer.KindWhen && !w.asked.Ends() &&
		(w.asked.Begins() || slices.ContainsFunc(plainWords(q.Text), func(word string) bool {
			return isOneOf(" first since originally come came get got appear appeared appears available land landed ", word)
		}))
}

// earliestFirst sorts the dated evidence that is about as good as the best by time. Evidence with the compound words of
// the question as typed comes first, then evidence for the start of exactly the subject.
func earliestFirst(q Question, found []evidence) {
	n := 0
	for n < len(found) && found[n].rank >= 0.8*found[0].rank && !found[n].src.Time.IsZero() {
		n++
	}
	slices.SortStableFunc(found[:n], func(a, b evidence) int {
		return cmp.Or(cmp.Compare(q.compoundsIn(b), q.compoundsIn(a)), cmp.Compare(number(b.begins), number(a.begins)),
			cmp.Compare(number(b.begins && q.isSubjectOf(b)), number(a.begins && q.isSubjectOf(a))),
			a.src.Time.Compare(b.src.Time))
	})
}

// compoundsIn counts the compound words of the question that a source contains as typed.
func (q Question) compoundsIn(ev evidence) (n int) {
	for _, w := range q.Words {
		w = trimMarks(w)
		n += number(strings.ContainsAny(w, "-_.:/") && strings.Contains(ev.src.Text, w))
	}
	return n
}

// withdrawnLast moves reverted commits behind all other evidence.
func (e *Engine) withdrawnLast(ctx context.Context, found []evidence) {
	for i, ev := range found {
		found[i].withdrawn = ofCommit(ev.src.ID) && e.Commits.RevertedBy(ctx, ev.src.ID) != ""
	}
	slices.SortStableFunc(found, func(a, b evidence) int {
		return cmp.Compare(number(a.withdrawn), number(b.withdrawn))
	})
}

// isSubjectOf reports whether the evidence is mainly about the subject of the question: two thirds of the words of its
// title or of a passage, excluding verbs of change.
func (q Question) isSubjectOf(ev evidence) bool {
	return slices.ContainsFunc(ev.texts, func(text string) bool {
		if _, said, scoped := strings.Cut(text, ": "); scoped {
			text = said
		}
		words, held := 0, 0
		for word := range strings.FieldsSeq(ownNumbers().ReplaceAllString(text, "")) {
			terms := index.QueryTerms(word)
			if len(terms) > 0 && claim.ChangeOf(terms[0]) == "" && !allStop(word) {
				words++
				held += number(!slices.ContainsFunc(terms, func(t string) bool { return !slices.Contains(q.Terms, t) }))
			}
		}
		return held > 0 && (3*held >= 2*words || words == 2)
	})
}

// trail returns a readable report of how the evidence was weighed.
func trail(q Question, terms []search.Term, found []evidence) []string {
	lines := []string{fmt.Sprintf("kind %s, time %s", q.Kind, q.Range)}
	for _, t := range terms {
		lines = append(lines, fmt.Sprintf("term %s: in %d documents, weight %.2f", t.Text, t.Docs, t.Rarity))
	}
	for _, ev := range found[:min(len(found), 10)] {
		lines = append(lines, fmt.Sprintf("%s: says %.0f %% of the question, its title %.0f %%, its whole text %.0f %%, "+
			"pairs %.0f %%, score %.3f, meaning %.2f, authority %.2f, rank %.3f",
			ev.src.ID, 100*ev.near, 100*ev.titled, 100*ev.all, 100*ev.pairs, ev.hit.Score, ev.hit.Cosine,
			authority(q.Kind, ev.src), ev.rank))
	}
	return lines
}
