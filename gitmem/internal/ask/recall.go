package ask

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/internal/lazy"
)

// Limits on the work for one prompt, and thresholds for passages.
const (
	recallHits   = 12   // hits by words, and as many by meaning alone, whose sources are read
	shortSource  = 1200 // maximum bytes of a source that is judged as a whole; longer ones by one passage
	leastHeld    = 0.65 // see [relevance.held]
	unknownName  = 2    // weight of an unknown name: the prompt is about something else
	fewDocuments = 20   // maximum documents with a word that indicates the subject, plus 1 for each 1000 documents
	recallMargin = 0.75 // minimum score of a passage relative to the best one

	// Maximum number of documents for the search terms, or a fiftieth of all documents: more are slow and add little.
	mostPostings = 200

	// The weight of a source's cosine with the prompt, and the threshold above which it counts in favor of the source.
	ofCosine, nearPrompt = 2.5, 0.42

	// The weight of a term in another turn of the session, and the maximum distance in lines.
	nearbySaid, nearbyLines = 0.5, 20
)

// Known describes the terms in memory.
type Known struct {
	Docs  func(term string) int // number of documents that contain a term
	Total int                   // number of documents
}

// Recall returns passages about the subject of a prompt, best first. A prompt is usually not a question, so passages
// need not answer it; they are ranked by how much of its subject they name.
func (e *Engine) Recall(ctx context.Context, p Prompt, known Known, q search.Query) ([]answer.Citation, error) {
	var forms []search.QueryTerm
	if p.script != dense { // single characters occur everywhere
		forms = e.formsOf(ctx, p.script, p.Terms())
	}
	j, searched := newRelevance(p, known, forms)
	if len(searched) > 0 && !j.tells() {
		return nil, nil
	}
	q.Terms, q.Limit, q.Meaning = search.PlainTerms(searched), recallHits, p.Text
	for _, k := range forms {
		if k.For = slices.Index(searched, j.terms[k.For]); k.For >= 0 {
			q.Terms = append(q.Terms, k)
		}
	}
	res, err := e.Evidence.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(res.Hits, func(a, b search.Hit) int {
		return cmp.Or(cmp.Compare(b.Coverage, a.Coverage), cmp.Compare(b.Score, a.Score), cmp.Compare(b.Cosine, a.Cosine))
	})
	var found []passage
	for _, hit := range res.Hits[:min(len(res.Hits), 2*recallHits)] {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if src, err := e.Evidence.Fetch(hit); err == nil { // otherwise deleted; the indexer reports it
			found = append(found, j.passage(src, hit))
		}
	}
	return j.best(found), nil
}

// tells reports whether some word of the prompt occurs in few documents. If all words are common, as in "run the
// tests", the prompt has no particular subject.
func (j relevance) tells() bool {
	return slices.ContainsFunc(j.terms, func(t string) bool { return j.heldBy[t] > 0 && j.heldBy[t] <= j.few })
}

// passage is the relevant passage of a hit.
type passage struct {
	hit    search.Hit
	src    cite.Source
	quote  cite.Quote // empty if it adds nothing to the prompt
	covers coverage
}

// relevance judges passages for one prompt.
type relevance struct {
	*weigher
	parts  [][]string      // the prompt's terms by sentence
	unique float64         // weight of a term in a single document
	prompt map[string]bool // all terms of the prompt
	few    int             // see fewDocuments
}

// ideaTail matches the suffix that the archive adds to an idea.
var ideaTail = lazy.Pattern(`(\s+\([0-9. ]*L\d+[^()]*\))?(\s+\^[a-z]+-[\w-]+)?\s*$`)

// newRelevance looks up the terms of a prompt and selects the search terms: the rarest ones that are in memory, as
// typed or in another form.
func newRelevance(p Prompt, known Known, forms []search.QueryTerm) (j relevance, searched []string) {
	j = relevance{weigher: &weigher{weight: map[string]float64{}, heldBy: map[string]int{},
		substitutes: map[string][]substitute{}}, parts: p.Parts, prompt: index.TermSet(p.Text)}
	j.terms, j.unique = p.Terms(), search.IDF(max(known.Total, 1), 1)
	j.few = fewDocuments + known.Total/1000
	lowIDFTerm := lowIDFTerms()
	typed := strings.Fields(p.Text)
	names := namesIn(typed, capitalsTell(typed))
	for _, k := range forms {
		j.substitutes[k.Text] = append(j.substitutes[k.Text], substitute{j.terms[k.For], k.Weight})
		j.heldBy[j.terms[k.For]] += known.Docs(k.Text)
	}
	for _, t := range j.terms {
		n := known.Docs(t) + j.heldBy[t]
		j.weight[t] = search.IDF(max(known.Total, n), n)
		switch {
		case n == 0 && slices.ContainsFunc(names, func(n name) bool { return n.term == t }):
			j.weight[t] *= unknownName
		case lowIDFTerm[t]:
			j.weight[t] *= lowIDF
		}
		j.total += j.weight[t]
		if j.heldBy[t] = n; n > 0 {
			searched = append(searched, t)
		}
	}
	slices.SortStableFunc(searched, func(a, b string) int { return cmp.Compare(j.heldBy[a], j.heldBy[b]) })
	postings := 0
	for i, t := range searched {
		if postings += j.heldBy[t]; postings > max(mostPostings, known.Total/50) {
			return j, searched[:i]
		}
	}
	return j, searched
}

// passage returns the passage of a source that covers most of the prompt's subject and adds something to the prompt.
func (j relevance) passage(src cite.Source, hit search.Hit) passage {
	title := src.Title
	if src.Layer == cite.LayerTranscripts {
		title = "" // it is the speaker
	}
	p := passage{hit: hit, src: src, covers: coverage{}}
	worth := j.weigher.passage(src, hit)
	quotes := cite.Quotes(cite.Quotable(src), 1, excerptRunes, func(text string) float64 {
		if !j.adds(j.unmarked(text), title) {
			return 0
		}
		return worth(text)
	})
	if len(quotes) > 0 && (j.shareOf(quotes[0].Text) > 0 || hit.Cosine > 0) {
		p.quote = quotes[0]
	}
	// A commit without a body can only be quoted by its title.
	if p.quote.Text == "" && src.Layer == cite.LayerTeam && j.adds(title, "") {
		p.quote = cite.Quote{Text: title, Line: 1}
	}
	shown := title + "\n" + p.quote.Text
	if len(src.Text) <= shortSource {
		shown += "\n" + src.Text
	}
	j.addTerms(p.covers, index.Terms(shown))
	return p
}

// withNearby returns the coverage of a passage plus half of what nearby passages cover.
func withNearby(p passage, found []passage) coverage {
	s := maps.Clone(p.covers)
	for _, other := range found {
		away := other.hit.Doc.Order - p.hit.Doc.Order
		if p.src.Session == "" || other.src.Session != p.src.Session || max(away, -away) > nearbyLines {
			continue
		}
		for t := range other.covers {
			s[t] = max(s[t], nearbySaid)
		}
	}
	return s
}

// covered returns how much of the prompt, or of one of its sentences, is covered: the covered share times the root of
// the covered weight in units of a unique word. The root lowers the score of passages with few common words, since any
// two words meet somewhere in a large memory.
func (j relevance) covered(s coverage) (most float64) {
	for _, part := range j.parts {
		all, got := 0.0, 0.0
		for _, t := range part {
			all, got = all+j.weight[t], got+j.weight[t]*s[t]
		}
		if all > 0 {
			most = max(most, got/all*math.Sqrt(got/j.unique))
		}
	}
	return most
}

// meaning returns the contribution of a source's cosine to its score. It is negative if the source only shares words,
// and 0 if no encoder read it.
func meaning(hit search.Hit) float64 {
	switch {
	case hit.Far:
		return ofCosine * -nearPrompt
	case hit.Cosine == 0:
		return 0
	}
	return ofCosine * (hit.Cosine - nearPrompt)
}

// unmarked returns a passage without the transcript line and the block id that the archive adds to an idea.
func (j relevance) unmarked(s string) string {
	return strings.TrimSpace(ideaTail().ReplaceAllString(s, ""))
}

// adds reports whether a passage contains terms that are neither in the prompt nor in the title.
func (j relevance) adds(passage, title string) bool {
	titled, n := index.TermSet(title), 0
	for _, t := range index.QueryTerms(passage) {
		if !j.prompt[t] && !titled[t] {
			n++
		}
	}
	return n >= 2
}

// best sorts the relevant passages and drops those far below the best and those that repeat another.
func (j relevance) best(found []passage) (out []answer.Citation) {
	var cited []answer.Citation
	for _, p := range found {
		if held := j.covered(withNearby(p, found)) + meaning(p.hit); held >= leastHeld && p.quote.Text != "" {
			c := p.src.Citation(held * authority(answer.KindGeneral, p.src))
			c.Excerpt, c.Cut, c.Line = j.unmarked(p.quote.Text), p.quote.Cut, lineOf(p.src, p.quote.Line)
			c.Trust = p.src.TrustOf(p.quote)
			cited = append(cited, c)
		}
	}
	slices.SortStableFunc(cited, func(a, b answer.Citation) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Time, a.Time), cmp.Compare(a.ID, b.ID))
	})
	var kept [][]string
	for _, c := range cited {
		terms := index.QueryTerms(c.Excerpt)
		if c.Score < recallMargin*cited[0].Score || slices.ContainsFunc(kept, func(other []string) bool {
			return alike(terms, other)
		}) {
			continue
		}
		kept, out = append(kept, terms), append(out, c)
	}
	return out
}

// alike reports whether most terms of the shorter passage are in the other.
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
