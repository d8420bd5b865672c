package search

import (
	"context"
	"math"
	"runtime"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// scorer ranks the rows of one shard for one query. It reads the postings of all
// terms, which scores the sessions, and then scores the rows.
type scorer struct {
	q     Query
	snap  *index.Snapshot
	cols  index.Columns
	terms []termPostings
	mass  float64 // what a row gets that holds every term endlessly often

	field, merged postings // while postings are read

	sessionScore []float64
	sessionTF    []float64 // of the current term
	holders      []int32   // sessions that hold the current term
	speaking     int       // sessions that have words
	sessionLen   float64   // how many on average
	bestSession  float64

	heard   []float64 // per row: frequency of the current term with what neighbours lend
	hearing []int32   // rows where it is not 0
	sum     []float64 // per row: score of the terms so far
	scored  []int32   // rows where it is not 0
}

// termPostings are a term's rows and its weights in the shard.
type termPostings struct {
	postings
	// docs is how many rows hold it in what people wrote, so that a word stays as rare
	// as it was when the substance comes; where none does, how many hold it at all.
	docs   int
	rarity float64
	gain   float64 // what a row gets that holds it endlessly often
}

func (s *scorer) start(q Query, snap *index.Snapshot) {
	s.q, s.snap, s.cols = q, snap, snap.Columns()
	rows, sessions := snap.Rows(), snap.Sessions()
	s.heard, s.sum = sized(s.heard, rows), sized(s.sum, rows)
	s.sessionScore, s.sessionTF = sized(s.sessionScore, sessions), sized(s.sessionTF, sessions)
	s.terms = sized(s.terms, len(q.Terms))
	total := 0
	s.speaking, s.sessionLen = 0, 0
	for i := range sessions {
		if n := snap.SessionTokens(int32(i)); n > 0 {
			total += n
			s.speaking++
		}
	}
	if total > 0 {
		s.sessionLen = float64(total) / float64(s.speaking)
	}
}

// clear makes the scorer ready for another query and lets go of the shard.
func (s *scorer) clear() {
	s.q, s.snap, s.cols = Query{}, nil, index.Columns{}
	for i := range s.terms {
		s.terms[i].clear()
	}
	clear(s.sessionScore)
}

// rank returns the best hits, in no order. Terms that no shard holds don't count.
func (s *scorer) rank(ctx context.Context, terms []Term) ([]Hit, error) {
	defer runtime.KeepAlive(s.snap) // for the columns
	f, err := NewFilter(ctx, s.q, s.snap)
	if err != nil {
		return nil, err
	}
	s.mass, s.bestSession = 0, 0
	for i, t := range terms {
		if t.Docs > 0 {
			s.mass += s.terms[i].gain
		}
	}
	for _, v := range s.sessionScore {
		s.bestSession = max(s.bestSession, v)
	}
	best, err := s.best(ctx, f)
	hits := make([]Hit, len(best))
	s.letGo(0, 1)
	for i, c := range best {
		hits[i] = s.hitOf(c)
		s.letGo(i, frugalRows)
	}
	return hits, err
}

// How much a frugal query reads before it gives memory back: a term is looked for
// in each field by halves, and a row has a place in every column.
const (
	frugalTerms = 2
	frugalRows  = 4
)

// letGo gives memory back after every few of what a frugal query reads.
func (s *scorer) letGo(i, every int) {
	if s.q.Frugal && i%every == 0 {
		s.snap.ReleasePages()
	}
}

// best scores the rows that hold a term or whose neighbours do.
func (s *scorer) best(ctx context.Context, f *Filter) ([]candidate, error) {
	for i := range s.terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t := &s.terms[i]
		for k, row := range t.rows {
			s.hear(row, t.tf[k])
			if !s.q.Weights.NoNeighbours && s.isSession(s.cols.Session[row]) {
				s.lend(row, t.tf[k])
			}
		}
		s.saturate(t.gain)
	}
	best := top{limit: s.q.Limit}
	for _, row := range s.scored {
		sum, share := s.sum[row], s.share(s.cols.Session[row])
		s.sum[row] = 0
		score := rounded(sum / s.mass * (1 + share))
		if score > 0 && score >= best.least && f.Pass(row) {
			best.add(candidate{row: row, id: s.snap.ID(int(row)), score: score, raw: sum, share: share})
		}
	}
	s.scored = s.scored[:0]
	best.cut()
	return best.items, nil
}

// hear adds to a row's frequency of the current term.
func (s *scorer) hear(row int32, tf float64) {
	if s.heard[row] == 0 {
		s.hearing = append(s.hearing, row)
	}
	s.heard[row] += tf
}

// lend adds a row's words to those of its neighbours. What is no row's number
// means that there is none.
func (s *scorer) lend(row int32, tf float64) {
	w, rows := &s.q.Weights, uint32(len(s.heard))
	if next := s.cols.Next[row]; uint32(next) < rows {
		s.hear(next, w.Before*tf)
		if next = s.cols.Next[next]; uint32(next) < rows {
			s.hear(next, w.TwoAway*tf)
		}
	}
	if prev := s.cols.Prev[row]; uint32(prev) < rows {
		s.hear(prev, w.After*tf)
		if prev = s.cols.Prev[prev]; uint32(prev) < rows {
			s.hear(prev, w.TwoAway*tf)
		}
	}
}

// saturate adds the current term to the rows that heard it and forgets it.
func (s *scorer) saturate(gain float64) {
	k1 := s.q.Weights.K1
	for _, row := range s.hearing {
		tf := s.heard[row]
		s.heard[row] = 0
		if tf == 0 {
			continue // it is in the list twice, or its neighbours lend nothing
		}
		if s.sum[row] == 0 {
			s.scored = append(s.scored, row)
		}
		s.sum[row] += gain * tf / (k1 + tf)
	}
	s.hearing = s.hearing[:0]
}

// rounded takes off the last bits of a score, which depend on the order in which
// it was added up: the order of hits must be the same however the index was built.
func rounded(score float64) float64 { return math.Round(score*1e9) / 1e9 }
