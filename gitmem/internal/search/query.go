package search

import (
	"path"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Query says what to look for. The zero value of a filter lets everything through.
type Query struct {
	Text   string   // free text; its stop words don't count
	Terms  []string // analysed terms; filled from Text when nil
	Range  Range
	Author string // part of a name, any case
	Type   string // decision, feature, fix …
	Path   string // glob or part of a path
	Layers []string
	// Projects tells whether a document's project is in scope; nil lets all in.
	Projects func(project string) bool
	Session  string // session id or its beginning
	// Except is a session that is left out: the one that asks, which would quote
	// its own question. Its subagents' turns go with it.
	Except  string
	Limit   int // hits returned; 0 means 20
	Weights Weights
}

// Weights are the constants of the ranking, see [DefaultWeights].
type Weights struct {
	K1, B                     float64 // saturation and length normalisation of BM25F
	Text, Title, Tool, Paths  float64 // field weights
	Before, After, TwoAway    float64 // share of a neighbouring turn's words that counts for a turn
	Session                   float64 // 1: the best session doubles its documents' scores
	NoNeighbours, NoCoherence bool    // switch a pass off, for explanations and ablation
}

// DefaultWeights are set by reasoning: a word in a title says twice as much about
// a document as in its text, a file name or a tool's name says less. A turn
// mostly answers the one before it, so the words before weigh more than those after.
func DefaultWeights() Weights {
	return Weights{
		K1: 1.0, B: 0.5,
		Text: 1, Title: 2, Tool: 0.1, Paths: 0.5,
		Before: 0.35, After: 0.25, TwoAway: 0.1,
		Session: 1,
	}
}

func (q Query) prepared() Query {
	if q.Terms == nil {
		q.Terms = index.QueryTerms(q.Text)
	}
	if q.Limit <= 0 {
		q.Limit = 20
	}
	if q.Weights == (Weights{}) {
		q.Weights = DefaultWeights()
	}
	return q
}

// filter decides per row; what depends on an interned string is decided once a string.
type filter struct {
	q        Query
	snap     *index.Snapshot
	projects map[uint32]bool
	authors  map[uint32]bool
	sessions map[int32]bool
}

func newFilter(q Query, snap *index.Snapshot) *filter {
	return &filter{q: q, snap: snap, projects: map[uint32]bool{}, authors: map[uint32]bool{}, sessions: map[int32]bool{}}
}

// cheap filters from the columns; row decodes a document and is only reached by
// rows that passed the columns.
func (f *filter) pass(row int32) bool {
	i := int(row)
	if f.snap.Dead(i) || !f.inRange(i) || !f.inScope(i) || !f.byAuthor(i) || f.excepted(i) {
		return false
	}
	if f.q.Type == "" && f.q.Path == "" && f.q.Session == "" && len(f.q.Layers) == 0 {
		return true
	}
	r := f.snap.Row(i)
	return f.layer(r.Layer) && (f.q.Type == "" || r.Type == f.q.Type) &&
		strings.HasPrefix(r.Session, f.q.Session) && (f.q.Path == "" || matchesPath(f.q.Path, r))
}

func (f *filter) inRange(i int) bool {
	if f.q.Range.IsZero() {
		return true
	}
	sec := f.snap.Unix(i)
	if sec == 0 {
		return false
	}
	return (f.q.Range.Since.IsZero() || sec >= f.q.Range.Since.Unix()) &&
		(f.q.Range.Until.IsZero() || sec < f.q.Range.Until.Unix())
}

func (f *filter) inScope(i int) bool {
	if f.q.Projects == nil {
		return true
	}
	ref := f.snap.ProjectOf(i)
	ok, known := f.projects[ref]
	if !known {
		ok = f.q.Projects(f.snap.Row(i).Project)
		f.projects[ref] = ok
	}
	return ok
}

func (f *filter) byAuthor(i int) bool {
	if f.q.Author == "" {
		return true
	}
	ref := f.snap.AuthorOf(i)
	ok, known := f.authors[ref]
	if !known {
		ok = strings.Contains(strings.ToLower(f.snap.Row(i).Author), strings.ToLower(f.q.Author))
		f.authors[ref] = ok
	}
	return ok
}

func (f *filter) excepted(i int) bool {
	id := f.snap.SessionOf(i)
	if f.q.Except == "" || id < 0 {
		return false
	}
	out, known := f.sessions[id]
	if !known {
		s := f.snap.Row(i).Session
		out = s == f.q.Except || strings.HasPrefix(s, f.q.Except+"/")
		f.sessions[id] = out
	}
	return out
}

func (f *filter) layer(layer string) bool {
	if len(f.q.Layers) == 0 {
		return true
	}
	for _, l := range f.q.Layers {
		if l == layer {
			return true
		}
	}
	return false
}

func matchesPath(pattern string, r index.Row) bool {
	for _, p := range append([]string{r.File}, r.Paths...) {
		if ok, err := path.Match(pattern, p); err == nil && ok {
			return true
		}
		if ok, err := path.Match(pattern, path.Base(p)); err == nil && ok {
			return true
		}
		if !strings.ContainsAny(pattern, "*?[") && strings.Contains(p, pattern) {
			return true
		}
	}
	return false
}
