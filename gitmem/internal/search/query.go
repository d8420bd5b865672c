package search

import (
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/internal/slice"
)

// Query is a search. The zero value of a filter accepts everything.
type Query struct {
	Text  string      // free text; its stop words don't count
	Terms []QueryTerm // analysed terms; filled from Text when nil
	// Meaning is the text whose meaning is searched for; filled from Text when empty.
	Meaning string
	// Expanded are the terms with those that an expansion added, nil for none; used by the
	// leg of that name, see [Thesaurus].
	Expanded []QueryTerm
	Range    Range
	// Now is when the query is asked; zero if that does not matter.
	Now time.Time
	// History holds the commits of the ranges that releases bound; nil knows none.
	History *History
	// Near is a time that the query names without bounding it: documents of that time are
	// preferred by the leg [During].
	Near Range
	// Docs is how many documents are searched, 0 if unknown.
	Docs int
	// Features are the input of the ranking's rules, see [ReadFeatures].
	Features Features
	Layers   []string
	// Projects reports whether a document's project is in scope; nil accepts all.
	Projects func(project string) bool
	Session  string // session id or its beginning
	// Except is a session that is left out: the one that asks, which would quote its own
	// question. Its subagents' turns are left out too.
	Except string
	// Conditions must all hold, beside the filters above.
	Conditions []Condition
	// Required are words that a document must hold, and Excluded those that it must
	// not, in its text, title or paths; of a group every one.
	Required, Excluded []Words
	// Phrases are checked on the texts of hits, by [Verify]; Run accepts hits with all
	// words of each.
	Phrases []Phrase
	Limit   int // hits returned; 0 means 20
	// Frugal releases the memory of the indexes' files while they are read, at the price of
	// some time, see [index.Snapshot.ReleasePages].
	Frugal  bool
	Weights Weights
	// Ranker keeps its working memory from one query to the next; nil: there is none.
	Ranker *Ranker
}

// Words are terms that a document holds together.
type Words struct {
	Text  string   // as typed
	Terms []string // analysed
}

// QueryTerm is an analysed term to look for.
type QueryTerm struct {
	Text   string
	Weight float64 // factor of its idf: 1 as typed, less for a term that was added
	// For is the position in Query.Terms of the term that this one stands for, -1 for a
	// term as typed. A document that holds it covers the term that it stands for.
	For int
}

// PlainTerms are terms as typed; nil for nil.
func PlainTerms(terms []string) []QueryTerm {
	if terms == nil {
		return nil
	}
	return slice.Map(terms, func(t string) QueryTerm { return QueryTerm{Text: t, Weight: 1, For: -1} })
}

// typed returns the position of the typed term that term i counts for.
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
	Before, After, TwoAway   float64 // share of a neighbouring turn's words that counts for a turn
	Session                  float64 // 1: the best session doubles its documents' scores
}

// DefaultWeights are set by reasoning: a word in a title says twice as much about a
// document as in its text, a file name or a tool's name less, and so do the identifiers of
// a change: it has hundreds that its author did not mention. A turn mostly answers the one
// before it, so the words before weigh more than those after.
func DefaultWeights() Weights {
	return Weights{
		K1: 1.0, B: 0.5,
		Text: 1, Title: 2, Tool: 0.1, Paths: 0.5, DiffTerms: 0.25,
		Before: 0.35, After: 0.25, TwoAway: 0.1,
		Session: 1,
	}
}

// InRange reports whether a document with a time is of the range.
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
