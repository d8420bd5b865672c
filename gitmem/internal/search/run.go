package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Result is what a search found.
type Result struct {
	Hits  []Hit
	Terms []Term // the query's terms as typed, in its order
	Added []Term // the terms that stand for others
}

// Term is a query term with its weight over all shards that were searched.
type Term struct {
	Text   string
	Docs   int     // live documents that hold it
	Rarity float64 // inverse document frequency over all shards
}

// Run ranks the documents of all snapshots for the query and returns the best,
// best first; equal scores are ordered by citation id, so that an index built
// another way gives the same order. A query without terms returns the documents
// that pass its filters, newest first.
func Run(ctx context.Context, snaps []*index.Snapshot, q Query) (Result, error) {
	q = q.prepared()
	var hits []Hit
	terms := make([]Term, len(q.Terms))
	docs := 0
	for i, snap := range snaps {
		if snap == nil {
			continue
		}
		var found []Hit
		var err error
		if len(q.Terms) == 0 {
			found, err = newest(ctx, snap, q)
		} else {
			found, err = ranked(ctx, snap, q, terms)
			docs += snap.Live()
		}
		if err != nil {
			return Result{}, err
		}
		for j := range found {
			found[j].Shard = i
		}
		hits = append(hits, found...)
	}
	slices.SortFunc(hits, q.order())
	res := Result{Hits: hits[:min(len(hits), q.Limit)]}
	for i, t := range q.Terms {
		terms[i].Text = t.Text
		terms[i].Rarity = rarity(docs, terms[i].Docs)
		if q.typed(i) == i {
			res.Terms = append(res.Terms, terms[i])
		} else {
			res.Added = append(res.Added, terms[i])
		}
	}
	return res, nil
}

func (q Query) order() func(a, b Hit) int {
	if len(q.Terms) == 0 {
		return func(a, b Hit) int {
			return cmp.Or(b.Doc.Time.Compare(a.Doc.Time), cmp.Compare(b.Doc.Order, a.Doc.Order), cmp.Compare(a.Doc.ID, b.Doc.ID))
		}
	}
	return func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc.ID, b.Doc.ID))
	}
}

func ranked(ctx context.Context, snap *index.Snapshot, q Query, terms []Term) ([]Hit, error) {
	s := newScorer(q, snap)
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	for i, n := range s.docs {
		terms[i].Docs += n
	}
	f, err := NewFilter(ctx, q, snap)
	if err != nil {
		return nil, err
	}
	best := s.bestSession()
	type scored struct {
		row            int32
		score, session float64
	}
	var top []scored
	for _, row := range s.hit {
		if !f.Pass(row) {
			continue
		}
		score, session := s.final(row, best)
		top = append(top, scored{row, score, session})
	}
	slices.SortFunc(top, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	top = top[:cut(len(top), q.Limit, func(i int) float64 { return top[i].score })]
	hits := make([]Hit, len(top))
	for i, t := range top {
		hits[i] = s.hitOf(t.row, t.score, t.session)
	}
	return hits, nil
}

// cut keeps limit hits and all that tie with the last, so that the order by id
// among equals does not depend on the order of rows.
func cut(n, limit int, score func(int) float64) int {
	if n <= limit {
		return n
	}
	end := limit
	for end < n && score(end) == score(limit-1) {
		end++
	}
	return end
}

func (s *scorer) hitOf(row int32, score, session float64) Hit {
	h := Hit{Row: int(row), Doc: s.snap.Row(int(row)), Score: score, Session: session, Words: s.own[row] / s.mass}
	h.Neighbours = s.score[row]/s.mass - h.Words
	h.Coverage = s.cover[row] / s.typedMass
	for i, t := range s.q.Terms {
		if i < 64 && s.terms[row]&(1<<i) != 0 {
			h.Matched = append(h.Matched, t.Text)
		}
	}
	return h
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
	slices.SortFunc(rows, func(a, b int32) int { return cmp.Compare(snap.Unix(int(b)), snap.Unix(int(a))) })
	rows = rows[:cut(len(rows), q.Limit, func(i int) float64 { return float64(snap.Unix(int(rows[i]))) })]
	hits := make([]Hit, len(rows))
	for i, r := range rows {
		hits[i] = Hit{Row: int(r), Doc: snap.Row(int(r))}
	}
	return hits, nil
}
