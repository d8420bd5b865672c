package search

import (
	"context"
	"math"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Hit is one ranked document.
type Hit struct {
	Shard int // position of its snapshot in the call to Run
	Row   int
	Doc   index.Row
	// Score is in 0..about 2 and comparable between shards: 1 is what a document
	// reaches that holds every term of the query endlessly often, before its session adds.
	Score float64
	// Fused orders the hits of several legs, 1 at most; of one leg alone it is Score.
	Fused float64
	// Found says at which place the legs found it, in their order.
	Found []Found
	// Coverage is the share, by rarity, of the query's terms that the document
	// itself holds in any field: 1 when it holds them all.
	Coverage float64
	// Matched are the query's terms that the document itself holds.
	Matched []string
	// Words, Neighbours and Session are the parts of the score, for explanations.
	Words, Neighbours, Session float64
}

// Found is a hit's place in what one leg found, 1 for the best.
type Found struct {
	Leg  string
	Rank int
}

// scorer holds the dense accumulators of one shard.
type scorer struct {
	q     Query
	snap  *index.Snapshot
	score []float64 // per row, neighbours included
	own   []float64 // per row, the row's own words only
	cover []float64 // per row, rarity of the terms it holds
	terms []uint64  // per row, bit per term (of the first 64)
	hit   []int32   // rows with any score
	inHit []bool

	tf      []float64 // per row for the current term: weighted, length-normalised frequency
	touched []int32
	visited []int32 // per row, 1 + the last term that reached it through a neighbour

	sessionScore []float64
	sessionTF    []float64
	sessionLen   float64 // mean tokens a session

	mass      float64 // sum of the terms' rarities, each with its weight
	typedMass float64 // sum of the rarities of the terms as typed
	rarity    []float64
	docs      []int // per term, live documents that hold it
}

func newScorer(q Query, snap *index.Snapshot) *scorer {
	n, s := snap.Rows(), snap.Sessions()
	sc := &scorer{
		q: q, snap: snap,
		score: make([]float64, n), own: make([]float64, n), cover: make([]float64, n), terms: make([]uint64, n),
		inHit: make([]bool, n), tf: make([]float64, n), visited: make([]int32, n),
		sessionScore: make([]float64, s), sessionTF: make([]float64, s),
	}
	for i := range s {
		sc.sessionLen += float64(snap.SessionTokens(int32(i))) / float64(s)
	}
	return sc
}

// run scores every document of the shard, term at a time.
func (s *scorer) run(ctx context.Context) error {
	for i, term := range s.q.Terms {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.gather(ctx, term.Text); err != nil {
			return err
		}
		s.addTerm(i)
		s.addSessions(i)
		for _, row := range s.touched {
			s.tf[row] = 0
		}
		s.touched = s.touched[:0]
	}
	return nil
}

type fieldWeight struct {
	field  index.Field
	weight float64
}

func (w Weights) fields() []fieldWeight {
	return []fieldWeight{{index.Text, w.Text}, {index.Title, w.Title}, {index.Tool, w.Tool}, {index.Paths, w.Paths}}
}

// gather collects the term's frequency over all fields, each divided by its own
// length normalisation, as BM25F does before saturation.
func (s *scorer) gather(ctx context.Context, term string) error {
	for _, f := range s.q.Weights.fields() {
		if f.weight == 0 {
			continue
		}
		mean := s.snap.AverageLength(f.field)
		if mean == 0 {
			continue
		}
		b := s.q.Weights.B
		err := s.snap.Postings(ctx, f.field, term, func(row int32, freq, length int) {
			if s.tf[row] == 0 {
				s.touched = append(s.touched, row)
			}
			s.tf[row] += f.weight * float64(freq) / (1 - b + b*float64(length)/mean)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rarity is the inverse document frequency of BM25 in the form that is never
// negative: ln(1 + (N - df + 0.5) / (df + 0.5)).
func rarity(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}

// addTerm saturates the current term and adds it to the rows that hold it and to
// their neighbours.
func (s *scorer) addTerm(i int) {
	s.rarity = append(s.rarity, rarity(s.snap.Live(), len(s.touched)))
	s.docs = append(s.docs, len(s.touched))
	idf := s.q.Terms[i].Weight * s.rarity[i]
	s.mass += idf
	if s.q.typed(i) == i {
		s.typedMass += s.rarity[i]
	}
	w := s.q.Weights
	for _, row := range s.touched {
		s.mark(row)
		s.own[row] += idf * s.tf[row] / (w.K1 + s.tf[row])
		s.covered(row, i)
	}
	if w.NoNeighbours || s.snap.Sessions() == 0 {
		for _, row := range s.touched {
			s.score[row] += idf * s.tf[row] / (w.K1 + s.tf[row])
		}
		return
	}
	s.spread(int32(i)+1, idf)
}

// covered notes that a row holds term i; several terms that stand for the same
// one cover it once.
func (s *scorer) covered(row int32, i int) {
	typed, before := s.q.typed(i), uint64(0)
	for k := range min(i, 64) {
		if s.q.typed(k) == typed {
			before |= 1 << k
		}
	}
	if s.terms[row]&before == 0 && typed <= i {
		s.cover[row] += s.rarity[typed]
	}
	if i < 64 {
		s.terms[row] |= 1 << i
	}
}

// spread adds the term to every row within two turns of one that holds it. A row
// near several holders is visited once: by the first holder in row order that
// reaches it.
func (s *scorer) spread(stamp int32, idf float64) {
	w := s.q.Weights
	for _, row := range s.touched {
		for _, r := range s.around(row) {
			if r < 0 || s.visited[r] == stamp {
				continue
			}
			s.visited[r] = stamp
			tf := s.tf[r] + s.borrowed(r)
			s.mark(r)
			s.score[r] += idf * tf / (w.K1 + tf)
		}
	}
}

// around lists a row and its neighbours up to two turns away, -1 where there is none.
func (s *scorer) around(row int32) [5]int32 {
	prev, next := s.step(row, false), s.step(row, true)
	return [5]int32{row, prev, next, s.step(prev, false), s.step(next, true)}
}

func (s *scorer) step(row int32, forward bool) int32 {
	if row < 0 {
		return -1
	}
	if forward {
		return s.snap.Next(int(row))
	}
	return s.snap.Prev(int(row))
}

// borrowed is what the neighbours' frequencies of the current term add to a row.
func (s *scorer) borrowed(row int32) float64 {
	w, n := s.q.Weights, s.around(row)
	at := func(r int32) float64 {
		if r < 0 {
			return 0
		}
		return s.tf[r]
	}
	return w.Before*at(n[1]) + w.After*at(n[2]) + w.TwoAway*(at(n[3])+at(n[4]))
}

func (s *scorer) mark(row int32) {
	if !s.inHit[row] {
		s.inHit[row] = true
		s.hit = append(s.hit, row)
	}
}

// addSessions scores sessions as if each were one document.
func (s *scorer) addSessions(i int) {
	if len(s.sessionScore) == 0 || s.q.Weights.NoCoherence {
		return
	}
	var with []int32
	for _, row := range s.touched {
		id := s.snap.SessionOf(int(row))
		if id < 0 {
			continue
		}
		if s.sessionTF[id] == 0 {
			with = append(with, id)
		}
		s.sessionTF[id] += s.tf[row]
	}
	idf := s.q.Terms[i].Weight * rarity(len(s.sessionScore), len(with))
	w := s.q.Weights
	for _, id := range with {
		norm := 1 - w.B + w.B*float64(s.snap.SessionTokens(id))/s.sessionLen
		tf := s.sessionTF[id] / norm
		s.sessionScore[id] += idf * tf / (w.K1 + tf)
		s.sessionTF[id] = 0
	}
}

// final is the row's score with its session's share, divided by the best reachable.
func (s *scorer) final(row int32, bestSession float64) (score, session float64) {
	if s.mass == 0 {
		return 0, 0
	}
	score = s.score[row] / s.mass
	if id := s.snap.SessionOf(int(row)); id >= 0 && bestSession > 0 {
		session = s.q.Weights.Session * s.sessionScore[id] / bestSession
	}
	// Sums over a session depend on the order of its rows in the last bits; rounding
	// keeps the order of hits the same however the index was built.
	return math.Round(score*(1+session)*1e9) / 1e9, session
}

func (s *scorer) bestSession() float64 {
	best := 0.0
	for _, v := range s.sessionScore {
		best = max(best, v)
	}
	return best
}
