package search

// sized returns s with n values, all of them zero as those that it had must be.
// New ones that nobody writes to cost nothing: the system has zeroed them.
func sized[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n, max(n, 2*cap(s)))
}

// scoreSessions scores the sessions for a term as if each were one document.
func (s *scorer) scoreSessions(term int) {
	t := &s.terms[term]
	s.holders = s.holders[:0]
	for i, row := range t.rows {
		if session := s.cols.Session[row]; s.isSession(session) {
			s.hold(session, t.tf[i])
		}
	}
	s.addSessions(s.q.Terms[term].Weight)
}

// isSession tells whether a number is that of a session.
func (s *scorer) isSession(session int32) bool { return uint32(session) < uint32(len(s.sessionScore)) }

// hold adds to a session's frequency of the current term.
func (s *scorer) hold(session int32, tf float64) {
	if s.sessionTF[session] == 0 {
		s.holders = append(s.holders, session)
	}
	s.sessionTF[session] += tf
}

// addSessions scores the sessions for the current term as if each were one document.
func (s *scorer) addSessions(weight float64) {
	w := s.q.Weights
	gain := weight * IDF(max(s.speaking, len(s.holders)), len(s.holders))
	for _, id := range s.holders {
		norm := 1 - w.B
		if s.sessionLen > 0 {
			norm += w.B * float64(s.snap.SessionTokens(id)) / s.sessionLen
		}
		tf := s.sessionTF[id] / norm
		s.sessionScore[id] += gain * tf / (w.K1 + tf)
		s.sessionTF[id] = 0
	}
}

// share is what the rows of a session gain from it: 0 to Weights.Session.
func (s *scorer) share(session int32) float64 {
	if s.q.Weights.NoCoherence || s.bestSession == 0 || !s.isSession(session) {
		return 0
	}
	return s.q.Weights.Session * s.sessionScore[session] / s.bestSession
}
