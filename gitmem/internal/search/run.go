package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/internal/freelist"
	"github.com/gitmem/gitmem/internal/slice"
)

// Result is the outcome of a search.
type Result struct {
	Hits  []Hit
	Terms []Term // the query's terms as typed, in its order
	Added []Term // the terms that expand others
}

// Term is a query term with its weight over all searched shards.
type Term struct {
	Text   string
	Docs   int     // live documents that contain it
	Rarity float64 // inverse document frequency over all shards
}

// Ranker ranks documents. It reuses its working memory between queries; the zero value is ready, and it is safe for
// concurrent use.
type Ranker struct {
	unused freelist.List[*scorer]
}

// Run ranks with the query's ranker, see [Ranker.Run].
func Run(ctx context.Context, snaps []*index.Snapshot, q Query) (Result, error) {
	r := q.Ranker
	if r == nil {
		r = new(Ranker)
	}
	return r.Run(ctx, snaps, q)
}

// Run ranks the documents of all snapshots for the query and returns the best, best first; equal scores are ordered by
// citation id, so that an index built another way gives the same order. A query without terms returns the documents
// that pass its filters, newest first.
func (r *Ranker) Run(ctx context.Context, snaps []*index.Snapshot, q Query) (Result, error) {
	q = q.prepared()
	if len(q.Terms) == 0 {
		return listed(ctx, snaps, q)
	}
	shards := make([]*scorer, len(snaps))
	for i, snap := range snaps {
		if snap == nil {
			continue
		}
		shards[i] = r.take(q, snap)
		if err := shards[i].gather(ctx); err != nil {
			return Result{}, err
		}
	}
	terms := counted(q, shards)
	hits, err := EachShard(snaps, func(i int) ([]Hit, error) {
		hits, err := shards[i].rank(ctx, terms)
		if err == nil {
			shards[i].clear()
			r.unused.Put(shards[i])
		}
		return hits, err
	})
	if err != nil {
		return Result{}, err
	}
	res := Result{Hits: hits}
	res.Terms, res.Added = q.parted(terms)
	return res.best(q, byScore), nil
}

// EachShard concatenates the hits that find returns for each open shard, given its index.
func EachShard(snaps []*index.Snapshot, find func(i int) ([]Hit, error)) (out []Hit, err error) {
	for i, snap := range snaps {
		if snap == nil {
			continue
		}
		hits, err := find(i)
		if err != nil {
			return nil, err
		}
		for j := range hits {
			hits[j].Shard = i
		}
		out = append(out, hits...)
	}
	return out, nil
}

// take returns a scorer for a shard. [Ranker.Run] returns it to the pool, unless it failed halfway.
func (r *Ranker) take(q Query, snap *index.Snapshot) *scorer {
	s, ok := r.unused.Get()
	if !ok {
		s = new(scorer)
	}
	s.start(q, snap)
	return s
}

// counted sums over all shards how many documents contain each term.
func counted(q Query, shards []*scorer) []Term {
	terms, docs := make([]Term, len(q.Terms)), 0
	for _, s := range shards {
		if s == nil {
			continue
		}
		docs += s.snap.Live()
		for i := range s.terms {
			terms[i].Docs += s.terms[i].docs
		}
	}
	for i, t := range q.Terms {
		terms[i].Text, terms[i].Rarity = t.Text, IDF(docs, terms[i].Docs)
	}
	return terms
}

// parted separates the terms as typed from those that expand others.
func (q Query) parted(terms []Term) (typed, added []Term) {
	for i, t := range terms {
		if q.typed(i) == i {
			typed = append(typed, t)
		} else {
			added = append(added, t)
		}
	}
	return typed, added
}

// best sorts the hits and truncates them to the query's limit.
func (res Result) best(q Query, order func(a, b Hit) int) Result {
	slices.SortFunc(res.Hits, order)
	res.Hits = res.Hits[:min(len(res.Hits), q.Limit)]
	return res
}

func byScore(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc.ID, b.Doc.ID))
}

// ByTime orders hits, newest first.
func (q Query) ByTime(a, b Hit) int {
	return cmp.Or(
		cmp.Compare(q.Age(a.Doc.Time.Unix()), q.Age(b.Doc.Time.Unix())), b.Doc.Time.Compare(a.Doc.Time),
		cmp.Compare(b.Doc.Order, a.Doc.Order), cmp.Compare(a.Doc.ID, b.Doc.ID),
	)
}

// Age returns the age of a time in seconds. A time more than a day in the future, for example from a wrong clock, is
// older than all others.
func (q Query) Age(unix int64) int64 {
	if now := q.Now.Unix(); q.Now.IsZero() || unix <= now+int64((24*time.Hour).Seconds()) {
		return -unix
	}
	return math.MaxInt64
}

// listed returns the documents that pass the filters, newest first.
func listed(ctx context.Context, snaps []*index.Snapshot, q Query) (Result, error) {
	hits, err := EachShard(snaps, func(i int) ([]Hit, error) { return newest(ctx, snaps[i], q) })
	if err != nil {
		return Result{}, err
	}
	return Result{Hits: hits}.best(q, q.ByTime), nil
}

func newest(ctx context.Context, snap *index.Snapshot, q Query) ([]Hit, error) {
	f, err := NewFilter(ctx, q, snap)
	if err != nil {
		return nil, err
	}
	var rows []int32
	for i := range snap.Rows() {
		if f.Pass(int32(i)) {
			rows = append(rows, int32(i))
		}
	}
	slices.SortFunc(rows, func(a, b int32) int { return cmp.Compare(q.Age(snap.Unix(int(a))), q.Age(snap.Unix(int(b)))) })
	rows = rows[:cut(len(rows), q.Limit, func(i int) int64 { return q.Age(snap.Unix(int(rows[i]))) })]
	return slice.Map(rows, func(r int32) Hit { return Hit{Row: int(r), Doc: snap.Row(int(r))} }), nil
}

// cut keeps limit rows and all that tie with the last, so that the order among equals does not depend on the order of
// rows.
func cut(n, limit int, key func(int) int64) int {
	if n <= limit {
		return n
	}
	end := limit
	for end < n && key(end) == key(limit-1) {
		end++
	}
	return end
}
