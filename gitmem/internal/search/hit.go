package search

import "github.com/gitmem/gitmem/gitmem/internal/index"

// Hit is one ranked document.
type Hit struct {
	Shard int // position of its snapshot in the call to Run
	Row   int
	Doc   index.Row
	// Score is in 0..about 2 and comparable between shards: 1 is what a document
	// reaches that holds every term of the query endlessly often, before its session adds.
	Score float64
	// Fused is what hits are ordered by: of one leg alone Score as the rules weigh it,
	// of several the sum of their reciprocal ranks as a share of the best.
	Fused float64
	// Exact says that the query names the hit, or something in it, by an id, a path or
	// a symbol.
	Exact bool
	// Rules are what the rules of the ranking say of it, in words.
	Rules []string
	// Found says at which place the legs found it, in their order.
	Found []Found
	// Coverage is the share, by idf, of the query's terms that the document
	// itself holds in any field: 1 when it holds them all.
	Coverage float64
	// Matched are the query's terms that the document itself holds.
	Matched []string
	// Words, Neighbours and Session are the parts of the score, for explanations.
	Words, Neighbours, Session float64

	guess  bool // only legs that guess found it
	ranked bool // Fused is made of ranks
	lead   bool // it leads to the hits of its session and is none itself
}

// Found is a hit's place in what one leg found, 1 for the best.
type Found struct {
	Leg  string
	Rank int
}

// hitOf explains a candidate.
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
