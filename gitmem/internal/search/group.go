package search

import (
	"cmp"
	"slices"
)

// A group is the unit of scoring: the rows of a session, which share their words with each other, or up to loneRows
// rows outside any session. Postings are in the order of rows, and a session's rows are mostly consecutive, so that a
// group's part of a list is one stretch or a few.
const loneRows = 256

// stretch is a run of a term's postings within one group.
type stretch struct {
	term     int32
	from, to int32
	peak     float64 // highest frequency
	next     int32   // another stretch of the group; 0: none, else its number plus 1
}

// groups finds stretches by group. Sessions come first, by number.
type groups struct {
	sessions  int32
	stretches []stretch
	first     []int32 // per group: 0: none, else a stretch's number plus 1
	used      []int32 // groups with stretches
}

func (g *groups) start(sessions, rows int) {
	g.sessions = int32(sessions)
	g.first = sized(g.first, sessions+rows/loneRows+1)
}

func (g *groups) clear() {
	for _, n := range g.used {
		g.first[n] = 0
	}
	g.used, g.stretches = g.used[:0], g.stretches[:0]
}

func (g *groups) add(group int32, s stretch) {
	s.next = g.first[group]
	if s.next == 0 {
		g.used = append(g.used, group)
	}
	if len(g.stretches) == cap(g.stretches) {
		g.stretches = slices.Grow(g.stretches, max(1024, len(g.stretches))) // doubles the capacity
	}
	g.stretches = append(g.stretches, s)
	g.first[group] = int32(len(g.stretches))
}

// isSession reports whether a group is a session.
func (g *groups) isSession(group int32) bool { return group < g.sessions }

// groupOf returns the group of a row by its session, -1 for none. An invalid number of a
// session counts as none.
func (g *groups) groupOf(row, session int32) int32 {
	if uint32(session) < uint32(g.sessions) {
		return session
	}
	return g.sessions + row/loneRows
}

// sized returns s with n zero values; existing ones must be zero. New values that nobody writes to cost nothing: the
// system has zeroed them.
func sized[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n, max(n, 2*cap(s)))
}

// divide splits a term's postings by group and scores the sessions for it.
func (s *scorer) divide(term int32) {
	t := &s.terms[term]
	session := s.cols.Session
	s.holders = s.holders[:0]
	for from := 0; from < len(t.rows); {
		group := s.groups.groupOf(t.rows[from], session[t.rows[from]])
		to, sum, peak := from, 0.0, 0.0
		for to < len(t.rows) && s.groups.groupOf(t.rows[to], session[t.rows[to]]) == group {
			sum, peak = sum+t.tf[to], max(peak, t.tf[to])
			to++
		}
		s.groups.add(group, stretch{term: term, from: int32(from), to: int32(to), peak: peak})
		if s.groups.isSession(group) {
			s.addSessionTF(group, sum)
		}
		from = to
	}
	s.addSessions(s.q.Terms[term].Weight)
}

// addSessionTF adds to a session's frequency of the current term.
func (s *scorer) addSessionTF(session int32, tf float64) {
	if s.sessionTF[session] == 0 {
		s.holders = append(s.holders, session)
	}
	s.sessionTF[session] += tf
}

// addSessions scores the sessions for the current term as if each were one document.
func (s *scorer) addSessions(weight float64) {
	w := s.q.Weights
	gain := weight * IDF(max(s.sessionsWithWords, len(s.holders)), len(s.holders))
	for _, id := range s.holders {
		norm := 1 - w.B
		if s.meanSessionLen > 0 {
			norm += w.B * float64(s.snap.SessionTokens(id)) / s.meanSessionLen
		}
		tf := s.sessionTF[id] / norm
		s.sessionScore[id] += gain * tf / (w.K1 + tf)
		s.sessionTF[id] = 0
	}
}

// share returns what a group's rows gain from it: 0 to Weights.Session.
func (s *scorer) share(group int32) float64 {
	if s.bestSession == 0 || !s.groups.isSession(group) {
		return 0
	}
	return s.q.Weights.Session * s.sessionScore[group] / s.bestSession
}

// bound returns an upper bound of the scores of a group's rows: the score of a row that contains each term as often as
// the row that contains it most, with such rows around it.
func (s *scorer) bound(group int32) float64 {
	sum := 0.0
	for n := s.groups.first[group]; n != 0; {
		term, peak, held := s.groups.stretches[n-1].term, 0.0, int32(0)
		for ; n != 0 && s.groups.stretches[n-1].term == term; n = s.groups.stretches[n-1].next {
			at := &s.groups.stretches[n-1]
			peak, held = max(peak, at.peak), held+at.to-at.from
		}
		if s.groups.isSession(group) {
			peak *= s.reach[min(held, 5)]
		}
		sum += s.terms[term].gain * peak / (s.q.Weights.K1 + peak)
	}
	return sum / s.totalGain * (1 + s.share(group))
}

// reaches returns the maximum frequencies of a row, relative to the highest one, by the number of rows in a session
// that contain a term: a row gets its own words and those of four others, the nearest ones first.
func (w Weights) reaches() [6]float64 {
	shares := []float64{w.Before, w.After, w.TwoAway, w.TwoAway}
	slices.SortFunc(shares, func(a, b float64) int { return cmp.Compare(b, a) })
	out := [6]float64{1, max(1, shares[0])}
	for i, share := range shares {
		out[i+2] = out[i+1] + max(share, 0)
	}
	return out
}
