package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// scorer ranks the rows of one shard for one query. It reads the postings of all terms,
// which scores the sessions; then it scores the rows by session, in descending order of the
// bound of their scores, until no other can reach the top.
type scorer struct {
	q         Query
	snap      *index.Snapshot
	cols      index.Columns
	terms     []termPostings
	totalGain float64 // the score of a row that contains every term infinitely often

	field, merged postings // used while postings are read

	groups            groups
	reach             [6]float64 // see Weights.reaches
	sessionScore      []float64
	sessionTF         []float64 // of the current term
	holders           []int32   // sessions that contain the current term
	sessionsWithWords int       // number of sessions with words
	meanSessionLen    float64   // their mean number of words
	bestSession       float64

	rowTF      []float64 // per row: frequency of the current term with the share of its neighbours
	rowsWithTF []int32   // rows where it is not 0
	sum        []float64 // per row: score of the terms so far
	scored     []int32   // rows where it is not 0
	queue      []reachable

	lineTF, lineSum []float64 // the same for the rows of a line
}

// termPostings are a term's rows and its weights in the shard.
type termPostings struct {
	postings
	// docs is the number of rows with the term in prose, so that its idf does not change with the diff terms; if there are
	// none, the number of all rows with it.
	docs int
	idf  float64
	gain float64 // the gain of a row that contains it infinitely often
}

// reachable is a group with an upper bound of its rows' scores.
type reachable struct {
	group int32
	bound float64
}

func (s *scorer) start(q Query, snap *index.Snapshot) {
	s.q, s.snap, s.cols = q, snap, snap.Columns()
	rows, sessions := snap.Rows(), snap.Sessions()
	s.groups.start(sessions, rows)
	s.reach = q.Weights.reaches()
	s.rowTF, s.sum = sized(s.rowTF, rows), sized(s.sum, rows)
	s.sessionScore, s.sessionTF = sized(s.sessionScore, sessions), sized(s.sessionTF, sessions)
	s.terms = sized(s.terms, len(q.Terms))
	total := 0
	s.sessionsWithWords, s.meanSessionLen = 0, 0
	for i := range sessions {
		if n := snap.SessionTokens(int32(i)); n > 0 {
			total += n
			s.sessionsWithWords++
		}
	}
	if total > 0 {
		s.meanSessionLen = float64(total) / float64(s.sessionsWithWords)
	}
}

// clear resets the scorer for another query and drops the shard.
func (s *scorer) clear() {
	s.q, s.snap, s.cols = Query{}, nil, index.Columns{}
	for i := range s.terms {
		s.terms[i].clear()
	}
	for _, g := range s.groups.used {
		if s.groups.isSession(g) {
			s.sessionScore[g] = 0
		}
	}
	s.groups.clear()
}

// rank returns the best hits, in no order. Terms that no shard contains are ignored.
func (s *scorer) rank(ctx context.Context, terms []Term) ([]Hit, error) {
	f, err := NewFilter(ctx, s.q, s.snap)
	if err != nil {
		return nil, err
	}
	s.totalGain, s.bestSession = 0, 0
	for i, t := range terms {
		if t.Docs > 0 {
			s.totalGain += s.terms[i].gain
		}
	}
	for _, v := range s.sessionScore {
		s.bestSession = max(s.bestSession, v)
	}
	best, err := s.best(ctx, f)
	hits := make([]Hit, len(best))
	s.releasePages(0, 1)
	for i, c := range best {
		hits[i] = s.hitOf(c)
		s.releasePages(i, frugalRows)
	}
	return hits, err
}

// Number of reads after which a frugal query releases memory: a term is looked up in each field by binary search, and a
// row has a value in every column.
const (
	frugalTerms = 2
	frugalRows  = 4
)

// releasePages releases memory after every few reads of a frugal query.
func (s *scorer) releasePages(i, every int) {
	if s.q.Frugal && i%every == 0 {
		s.snap.ReleasePages()
	}
}

// best scores the groups from the highest bound to the lowest.
func (s *scorer) best(ctx context.Context, f *Filter) ([]candidate, error) {
	best := top{limit: s.q.Limit}
	s.queue = s.queue[:0]
	for _, g := range s.groups.used {
		s.queue = append(s.queue, reachable{g, s.bound(g)})
	}
	slices.SortFunc(s.queue, func(a, b reachable) int { return cmp.Compare(b.bound, a.bound) })
	for _, next := range s.queue {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if next.bound < best.floor() {
			break
		}
		o := offer{scorer: s, filter: f, best: &best, share: s.share(next.group)}
		o.scale = (1 + o.share) / s.totalGain
		if lo, hi, ok := s.line(next.group); ok {
			s.scoreLine(next.group, lo, hi, o)
		} else {
			s.scoreGroup(next.group, o)
		}
	}
	return best.items, nil
}

// scoreGroup scores the rows of a group, in any order.
func (s *scorer) scoreGroup(group int32, o offer) {
	isSession := s.groups.isSession(group)
	for n := s.groups.first[group]; n != 0; {
		term := s.groups.stretches[n-1].term
		t := &s.terms[term]
		for ; n != 0 && s.groups.stretches[n-1].term == term; n = s.groups.stretches[n-1].next {
			at := &s.groups.stretches[n-1]
			for i := at.from; i < at.to; i++ {
				s.addTF(t.rows[i], t.tf[i])
				if isSession {
					s.spread(t.rows[i], t.tf[i])
				}
			}
		}
		s.saturate(t.gain)
	}
	for _, row := range s.scored {
		o.row(row, s.sum[row])
		s.sum[row] = 0
	}
	s.scored = s.scored[:0]
}

// addTF adds to a row's frequency of the current term.
func (s *scorer) addTF(row int32, tf float64) {
	if s.rowTF[row] == 0 {
		s.rowsWithTF = append(s.rowsWithTF, row)
	}
	s.rowTF[row] += tf
}

// spread adds a row's words to those of its neighbours. An invalid row number means that
// there is none.
func (s *scorer) spread(row int32, tf float64) {
	w, rows := &s.q.Weights, uint32(len(s.rowTF))
	if next := s.cols.Next[row]; uint32(next) < rows {
		s.addTF(next, w.Before*tf)
		if next = s.cols.Next[next]; uint32(next) < rows {
			s.addTF(next, w.TwoAway*tf)
		}
	}
	if prev := s.cols.Prev[row]; uint32(prev) < rows {
		s.addTF(prev, w.After*tf)
		if prev = s.cols.Prev[prev]; uint32(prev) < rows {
			s.addTF(prev, w.TwoAway*tf)
		}
	}
}

// saturate adds the current term to the rows that have it and clears it.
func (s *scorer) saturate(gain float64) {
	k1 := s.q.Weights.K1
	for _, row := range s.rowsWithTF {
		tf := s.rowTF[row]
		s.rowTF[row] = 0
		if tf == 0 {
			continue // it is a duplicate, or its neighbours add nothing
		}
		if s.sum[row] == 0 {
			s.scored = append(s.scored, row)
		}
		s.sum[row] += gain * tf / (k1 + tf)
	}
	s.rowsWithTF = s.rowsWithTF[:0]
}

// offer passes the rows of one group to best.
type offer struct {
	*scorer
	filter       *Filter
	best         *top
	share, scale float64 // the group's addition, and the factor of a sum
}

func (o offer) row(row int32, sum float64) {
	if sum == 0 || sum*o.scale < o.best.floor() {
		return
	}
	score := rounded(sum * o.scale)
	if score >= o.best.least() && score > 0 && o.filter.Pass(row) {
		o.best.add(candidate{row: row, id: o.snap.ID(int(row)), score: score, raw: sum, share: o.share})
	}
}

// rounded removes the last bits of a score, which depend on the order of summation: the
// order of hits must be the same however the index was built.
func rounded(score float64) float64 { return math.Round(score*1e9) / 1e9 }
