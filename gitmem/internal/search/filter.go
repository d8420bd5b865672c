package search

import (
	"context"
	"math/bits"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Filter decides for one shard which rows a query accepts. Decisions by interned string are cached; rows with a
// required or an excluded word are looked up once, so that no row is decoded for them. It is not safe for concurrent
// use.
type Filter struct {
	q       Query
	snap    *index.Snapshot
	conds   []cached
	allowed bitmap // rows accepted by their words and tools; nil: all
}

// cached is a condition with its results by reference; the number of a session also counts as a reference.
type cached struct {
	Condition
	of func(i int) uint32 // the reference of a row's value; for a path that of its file
	is func(ref uint32) bool
}

// memo caches the results of is. It is fast for the last key, since adjacent rows mostly have the same key.
func memo[K comparable](is func(K) bool) func(K) bool {
	known := map[K]bool{}
	var last K
	ok, asked := false, false
	return func(k K) bool {
		if asked && k == last {
			return ok
		}
		var seen bool
		if ok, seen = known[k]; !seen {
			ok = is(k)
			known[k] = ok
		}
		last, asked = k, true
		return ok
	}
}

// NewFilter prepares a query's filters for a shard. It reads the postings of the required and excluded words.
func NewFilter(ctx context.Context, q Query, snap *index.Snapshot) (*Filter, error) {
	f := &Filter{q: q, snap: snap}
	refs := [...]func(int) uint32{
		OnLayer: snap.LayerOf, OnType: snap.TypeOf, OnRole: snap.RoleOf, OnProject: snap.ProjectOf, OnAuthor: snap.AuthorOf,
		OnPath:    snap.FileOf,
		OnSession: func(i int) uint32 { return uint32(snap.SessionOf(i)) }, // -1 for none, a number that no session has
	}
	for _, c := range q.conditions() {
		if c.On != OnTool {
			value := snap.String
			if c.On == OnSession {
				value = func(session uint32) string { return snap.SessionName(int32(session)) }
			}
			f.conds = append(f.conds, cached{c, refs[c.On], memo(func(ref uint32) bool { return c.Match(value(ref)) })})
			continue
		}
		rows, err := f.toolRows(ctx, c.Words)
		if err != nil {
			return nil, err
		}
		f.add(rows, c.Not)
	}
	for _, w := range q.required() {
		if err := f.addWords(ctx, w, false); err != nil {
			return nil, err
		}
	}
	for _, w := range q.Excluded {
		if err := f.addWords(ctx, w, true); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// required returns the groups of words that a document must contain, including those of phrases.
func (q Query) required() []Words {
	out := slices.Clone(q.Required)
	for _, p := range q.Phrases {
		if terms := p.Terms(); !p.Not && len(terms) > 0 {
			out = append(out, Words{Text: p.Text, Terms: terms})
		}
	}
	return out
}

// addWords searches the fields with a document's words. The tool field is not included: for commits it contains the
// authors.
func (f *Filter) addWords(ctx context.Context, w Words, not bool) error {
	rows, err := f.rowsOf(ctx, []index.Field{index.Text, index.Title, index.Paths}, w.Terms)
	if err == nil {
		f.add(rows, not)
	}
	return err
}

// add accepts only some rows, or with not only the others.
func (f *Filter) add(rows bitmap, not bool) {
	for i := range rows {
		if not {
			rows[i] = ^rows[i]
		}
		if f.allowed != nil {
			rows[i] &= f.allowed[i]
		}
	}
	f.allowed = rows
}

// Pass reports whether a row is accepted. Only rows that pass the columns are decoded.
func (f *Filter) Pass(row int32) bool {
	i := int(row)
	if f.snap.Dead(i) || !f.inRange(i) {
		return false
	}
	if f.allowed != nil && !f.allowed.has(i) {
		return false
	}
	for n := range f.conds {
		if f.holds(&f.conds[n], i) == f.conds[n].Not {
			return false
		}
	}
	return true
}

func (f *Filter) inRange(i int) bool {
	if f.q.Range.IsZero() {
		return true
	}
	if f.q.Range.From != "" || f.q.Range.To != "" {
		row := f.snap.Row(i)
		return f.q.InRange(row.ID, row.Release, row.Time)
	}
	sec := f.snap.Unix(i)
	if sec == 0 {
		return false
	}
	return f.q.Range.containsUnix(sec)
}

func (f *Filter) holds(c *cached, i int) bool {
	if c.is(c.of(i)) {
		return true
	}
	if c.On == OnPath {
		for ref := range f.snap.PathRefs(i) {
			if c.is(ref) {
				return true
			}
		}
	}
	return false
}

// bitmap is a set of rows.
type bitmap []uint64

func newBitmap(rows int) bitmap { return make(bitmap, (rows+63)/64) }

func (b bitmap) set(i int) { b[i/64] |= 1 << (i % 64) }

func (b bitmap) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

func (b bitmap) and(o bitmap) {
	for i := range b {
		b[i] &= o[i]
	}
}

// rowsOf returns the rows that contain all terms, each in any of the fields.
func (f *Filter) rowsOf(ctx context.Context, fields []index.Field, terms []string) (bitmap, error) {
	out := newBitmap(f.snap.Rows())
	for i, term := range terms {
		rows := newBitmap(f.snap.Rows())
		for _, field := range fields {
			if err := f.snap.Postings(ctx, field, term, func(row int32, _, _ int) { rows.set(int(row)) }); err != nil {
				return nil, err
			}
		}
		if i > 0 {
			rows.and(out)
		}
		out = rows
	}
	return out, nil
}

// toolRows returns the rows of the transcripts whose tool field contains all words of one of the names.
func (f *Filter) toolRows(ctx context.Context, names []string) (bitmap, error) {
	out := newBitmap(f.snap.Rows())
	for _, name := range names {
		rows, err := f.rowsOf(ctx, []index.Field{index.Tool}, index.Terms(strings.ToLower(name)))
		if err != nil {
			return nil, err
		}
		for i, w := range rows {
			out[i] |= w
		}
	}
	f.dropCommits(out)
	return out, nil
}

// dropCommits removes the rows of commits, whose tool field contains an author's name.
func (f *Filter) dropCommits(rows bitmap) {
	team, ok := f.snap.StringRef("team")
	for n, w := range rows {
		for ; ok && w != 0; w &= w - 1 {
			if i := n*64 + bits.TrailingZeros64(w); f.snap.LayerOf(i) == team {
				rows[n] &^= 1 << (i % 64)
			}
		}
	}
}
