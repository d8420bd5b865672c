package search

import (
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/internal/slice"
)

// Query is a search. The zero value of a filter accepts everything.
type Query struct {
	Text  string      // free text; its stop words are ignored
	Terms []QueryTerm // analysed terms; filled from Text if nil
	// Meaning is the text for searching by meaning; filled from Text if empty.
	Meaning string
	// Expanded are the terms with those that an expansion added, nil for none; used by the leg of that name, see
	// [Thesaurus].
	Expanded []QueryTerm
	Range    Range
	// Now is the time of the query; zero if irrelevant.
	Now time.Time
	// History contains the commits of ranges bounded by releases; nil for none.
	History *History
	// Near is a time that the query names without being restricted to it: the leg [During] prefers documents of that time.
	Near Range
	// Docs is the number of searched documents, 0 if unknown.
	Docs int
	// Features are the input of the ranking's rules, see [ReadFeatures].
	Features Features
	Layers   []string
	// Projects reports whether a document's project is in scope; nil accepts all.
	Projects func(project string) bool
	Session  string // session id or a prefix of it
	// Except is an excluded session: the asking one, which would find its own question. Its subagents' turns are excluded
	// too.
	Except string
	// Conditions must all hold, in addition to the filters above.
	Conditions []Condition
	// Required are words that a document must contain, and Excluded those that it must not, in its text, title or paths;
	// of a group all of them.
	Required, Excluded []Words
	// Phrases are checked in the texts of hits, by [Verify]; Run accepts hits with all words of each.
	Phrases []Phrase
	Limit   int // maximum number of hits; 0 means 20
	// Frugal releases the memory of the indexes' files during reading, at the cost of some time, see
	// [index.Snapshot.ReleasePages].
	Frugal  bool
	Weights Weights
	// Ranker reuses its working memory between queries; it may be nil.
	Ranker *Ranker
}

// Words are terms that a document must contain together.
type Words struct {
	Text  string   // as typed
	Terms []string // analysed
}

// QueryTerm is an analysed term to search for.
type QueryTerm struct {
	Text   string
	Weight float64 // factor of its idf: 1 as typed, less for an added term
	// For is the index in Query.Terms of the term that this one expands, -1 for a term as typed. A document that contains
	// it covers the expanded term.
	For int
}

// PlainTerms returns terms as typed; nil for nil.
func PlainTerms(terms []string) []QueryTerm {
	if terms == nil {
		return nil
	}
	return slice.Map(terms, func(t string) QueryTerm { return QueryTerm{Text: t, Weight: 1, For: -1} })
}

// typed returns the index of the typed term to which term i counts.
func (q Query) typed(i int) int {
	if f := q.Terms[i].For; f >= 0 && f < len(q.Terms) {
		return f
	}
	return i
}

// Weights are the constants of the ranking, see [DefaultWeights].
type Weights struct {
	K1, B                    float64 // saturation and length normalisation of BM25F
	Text, Title, Tool, Paths float64 // field weights
	DiffTerms                float64 // the same, of terms read from a change's diff
	Before, After, TwoAway   float64 // factor of the words of neighbouring turns
	Session                  float64 // 1: the best session doubles its documents' scores
}

// DefaultWeights returns weights chosen by reasoning: a word in a title counts twice as much as one in the text, a file
// name or a tool's name less, and so do the identifiers of a change, which has hundreds that its author did not
// mention. A turn mostly answers the previous one, so the words before weigh more than those after.
func DefaultWeights() Weights {
	return Weights{
		K1: 1.0, B: 0.5,
		Text: 1, Title: 2, Tool: 0.1, Paths: 0.5, DiffTerms: 0.25,
		Before: 0.35, After: 0.25, TwoAway: 0.1,
		Session: 1,
	}
}

// InRange reports whether a document with a time is in the range.
func (q Query) InRange(id, release string, at time.Time) bool {
	held, known := q.History.Holds(q.Range, id, release)
	if !known {
		return q.Range.Contains(at)
	}
	dates := q.Range
	if dates.From != "" {
		dates = dates.Begin(Range{})
	}
	if dates.To != "" {
		dates = dates.End(Range{})
	}
	return held && dates.Contains(at)
}

func (q Query) prepared() Query {
	if q.Terms == nil {
		q.Terms = PlainTerms(index.QueryTerms(q.Text))
	}
	if q.Limit <= 0 {
		q.Limit = 20
	}
	if q.Weights == (Weights{}) {
		q.Weights = DefaultWeights()
	}
	return q
}
