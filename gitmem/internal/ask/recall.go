package ask

import (
	"cmp"
	"context"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// Relevant is a passage of memory about what a prompt is about.
type Relevant struct {
	Citation
	Doc   index.Row // of the hit
	Share float64   // of the telling words of the prompt, or of one sentence of it, that the passage holds, by rarity
	Held  int       // how many these are
}

// Limits of what a passage must hold of a prompt to be relevant to it, and of how
// much is looked at.
const (
	recallHits   = 40  // hits that are ranked for one prompt
	recallReads  = 24  // of them, those whose sources are read
	leastHit     = 0.2 // coverage below which a hit's source is not read
	unknownWord  = 0.6 // what a word counts that memory does not know
	recallMargin = 0.6 // what the share of a passage must be of the best one's

	// What a passage gains whose source names the whole subject, and is so short that
	// this is no accident.
	wholeSubject, shortSource, elsewhereToo = 0.8, 400, 0.15
)

// Known is what memory knows of words.
type Known struct {
	Docs  func(term string) int // documents that hold a term
	Total int                   // documents
}

// Recall finds what memory holds of the subject of a prompt, best first. A prompt
// is mostly no question, so that nothing need answer it; what counts is how much of
// its subject one passage names.
func (e *Engine) Recall(ctx context.Context, p Prompt, known Known, q search.Query) ([]Relevant, error) {
	terms := p.Terms()
	var kin []search.QueryTerm
	if p.script != dense { // characters by themselves are in anything
		kin = e.kinOf(ctx, p.script, terms)
	}
	s := p.telling(known.Docs, known.Total, kin)
	if len(s.searched) == 0 {
		return nil, nil
	}
	q.Terms, q.Limit = search.PlainTerms(s.searched), recallHits
	for _, k := range kin {
		if k.For = slices.Index(s.searched, terms[k.For]); k.For >= 0 {
			q.Terms = append(q.Terms, k)
		}
	}
	res, err := e.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	j := newRelevance(s)
	var out []Relevant
	for _, hit := range promising(res.Hits) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		src, err := e.Fetch(hit)
		if err != nil {
			continue // gone since it was indexed: the indexer tells
		}
		if r, ok := j.judge(src, hit); ok {
			out = append(out, r)
		}
	}
	return best(out), nil
}

// promising are the hits whose sources are worth reading: those that hold most of
// the query themselves.
func promising(hits []search.Hit) []search.Hit {
	hits = slices.DeleteFunc(slices.Clone(hits), func(h search.Hit) bool { return h.Coverage < leastHit })
	slices.SortStableFunc(hits, func(a, b search.Hit) int {
		return cmp.Or(cmp.Compare(b.Coverage, a.Coverage), cmp.Compare(b.Score, a.Score))
	})
	return hits[:min(len(hits), recallReads)]
}

// relevance judges passages for one prompt.
type relevance struct {
	*weigher
	subject
	light map[string]bool
	said  map[string]bool // terms of the prompt
	tail  *regexp.Regexp  // what the archive writes behind an idea; compiled once, since many are weighed
}

func newRelevance(s subject) relevance {
	var terms []search.Term
	for _, t := range s.Terms() {
		terms = append(terms, search.Term{Text: t, Docs: s.docs[t], Rarity: s.rarity[t]})
	}
	everyday := lowIDFTerms()
	w := newWeigher(Question{Text: s.Text, Kind: KindGeneral}, terms, nil)
	w.verbs = changes{} // those of an order tell no event of the past
	for _, t := range terms {
		switch weight := t.Rarity; {
		case everyday[t.Text]:
			w.weight[t.Text] = weight * lowIDF
		case t.Docs == 0:
			w.weight[t.Text] = weight * unknownWord
		default:
			w.weight[t.Text] = weight
		}
	}
	for form, k := range s.kin {
		w.stands[form] = append(w.stands[form], k)
	}
	j := relevance{weigher: w, subject: s, light: everyday, said: map[string]bool{}}
	j.tail = regexp.MustCompile(`(\s+\([0-9. ]*L\d+[^()]*\))?(\s+\^[a-z]+-[\w-]+)?\s*$`)
	for _, t := range index.Terms(s.Text) {
		j.said[t] = true
	}
	return j
}

// judge weighs the passage of a source that says most of the prompt's subject, and
// something beyond it.
func (j relevance) judge(src cite.Source, hit search.Hit) (Relevant, bool) {
	worth := j.passage(src)
	quotes := cite.Quotes(quotable(src), 1, excerptRunes, func(text string) float64 {
		if !j.adds(j.unmarked(text), src.Title) {
			return 0
		}
		return worth(text)
	})
	if len(quotes) == 0 {
		return Relevant{}, false
	}
	shown := quotes[0].Text + " " + src.Title
	held, telling := map[string]bool{}, false
	for _, t := range index.Terms(shown) {
		if k, ok := j.kin[t]; ok && j.docs[t] == 0 {
			t = k.term
		}
		if j.docs[t] > 0 {
			held[t] = true
			telling = telling || j.rare(t)
		}
	}
	r := Relevant{Citation: NewCitation(src, 0), Doc: hit.Doc}
	r.Excerpt, r.Line = j.unmarked(quotes[0].Text), lineOf(src, quotes[0].Line)
	r.Share, r.Held = j.share(held)
	if hit.Coverage >= wholeSubject && hit.Doc.Tokens <= shortSource {
		r.Share = math.Min(1, r.Share+elsewhereToo)
	}
	r.Score = r.Share * authority(KindGeneral, src)
	return r, telling && j.enough(r)
}

// unmarked is a passage without the anchor and the place in the transcript that the
// archive writes behind an idea.
func (j relevance) unmarked(s string) string {
	return strings.TrimSpace(j.tail.ReplaceAllString(s, ""))
}

// share is the largest share that terms have of the whole prompt or of one of its
// sentences, and how many of the prompt's they are.
func (j relevance) share(held map[string]bool) (share float64, n int) {
	of := func(terms []string) float64 {
		all, got, count := 0.0, 0.0, 0
		for _, t := range terms {
			weight := j.weigher.weight[t]
			if j.docs[t] == 0 {
				weight *= unknownWord
			}
			all += weight
			if !j.light[t] {
				count++
			}
			if held[t] {
				got += weight
			}
		}
		if all == 0 || count < 2 && len(j.Parts) > 1 {
			return 0
		}
		return got / all
	}
	terms := j.Terms()
	for _, t := range terms {
		if held[t] && !j.light[t] {
			n++
		}
	}
	share = of(terms)
	for _, part := range j.Parts {
		share = math.Max(share, of(part))
	}
	return share, n
}

// enough decides. Few words must be nearly all that the prompt is about, since any
// two words meet somewhere in a large memory.
func (j relevance) enough(r Relevant) bool {
	switch {
	case r.Held >= 4:
		return r.Share >= 0.35
	case r.Held == 3:
		return r.Share >= 0.42
	case r.Held == 2:
		return r.Share >= 0.55
	case r.Held == 1:
		return r.Share >= 0.95 && j.Asks
	}
	return false
}

// adds tells whether a passage says anything that neither the prompt nor the title
// above it says.
func (j relevance) adds(passage, title string) bool {
	said := maps.Clone(j.said)
	for _, t := range index.Terms(title) {
		said[t] = true
	}
	n := 0
	for _, t := range index.QueryTerms(passage) {
		if !said[t] {
			n++
		}
	}
	return n >= 2
}

// best orders what is relevant and leaves out what is much less so than the best,
// and what another passage says already.
func best(found []Relevant) []Relevant {
	slices.SortStableFunc(found, func(a, b Relevant) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Time, a.Time), cmp.Compare(a.ID, b.ID))
	})
	var out []Relevant
	var said [][]string
	for _, r := range found {
		if r.Score < recallMargin*found[0].Score {
			break
		}
		terms := index.QueryTerms(r.Excerpt)
		if slices.ContainsFunc(said, func(other []string) bool { return alike(terms, other) }) {
			continue
		}
		said = append(said, terms)
		out = append(out, r)
	}
	return out
}

// alike tells whether most of the terms of the shorter of two passages are in the other.
func alike(a, b []string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	n := 0
	for _, t := range a {
		if slices.Contains(b, t) {
			n++
		}
	}
	return 4*n >= 3*len(a)
}
