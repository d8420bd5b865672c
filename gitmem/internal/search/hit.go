package search

import "github.com/gitmem/gitmem/gitmem/internal/index"

// Hit is one ranked document.
type Hit struct {
	Shard int // index of its snapshot in the call to Run
	Row   int
	Doc   index.Row
	// Score is in 0..about 2 and comparable between shards: 1 is the score, before its session adds, of a document that
	// contains every term of the query infinitely often.
	Score float64
	// Fused is the sort key of the hits: for one leg the Score with the rules' factors, for several the sum of their
	// reciprocal ranks as a share of the best.
	Fused float64
	// Exact means that the query names the hit, or something in it, by an id, a path or a symbol.
	Exact bool
	// Rules are the reasons given by the ranking's rules, as text.
	Rules []string
	// Found contains the rank of the hit in each leg, in their order.
	Found []Found
	// Coverage is the share, by idf, of the query's terms that the document itself contains in any field: 1 if it contains
	// them all.
	Coverage float64
	// Matched are the query's terms that the document itself contains.
	Matched []string
	// Cosine is the cosine of its vector with the query's, 0 if unknown, and Far means that its vector was compared and is
	// not near.
	Cosine float64
	Far    bool
	// Item is the number of the nearest part of its text, 1-based; 0 if it was embedded as a whole.
	Item int
	// Words, Neighbours and Session are the parts of the score, for explanations.
	Words, Neighbours, Session float64

	guess  bool // found by guessing legs only
	ranked bool // Fused is a sum of ranks
	lead   bool // it only leads to the hits of its session and is not shown
}

// Found is a hit's rank in one leg, 1 for the best.
type Found struct {
	Leg  string
	Rank int
}

// hitOf returns the hit of a candidate with its explanation.
func (s *scorer) hitOf(c candidate) Hit {
	h := Hit{Row: int(c.row), Doc: s.snap.Row(int(c.row)), Score: c.score, Session: c.share}
	covered := make([]bool, len(s.terms))
	for i := range s.terms {
		tf := s.terms[i].find(c.row)
		if tf == 0 {
			continue
		}
		h.Words += s.terms[i].gain * tf / (s.q.Weights.K1 + tf) / s.totalGain
		h.Matched = append(h.Matched, s.q.Terms[i].Text)
		covered[s.q.typed(i)] = true
	}
	h.Neighbours = c.raw/s.totalGain - h.Words
	all := 0.0
	for i := range s.terms {
		if s.q.typed(i) != i {
			continue
		}
		all += s.terms[i].idf
		if covered[i] {
			h.Coverage += s.terms[i].idf
		}
	}
	if all > 0 {
		h.Coverage /= all
	}
	return h
}
