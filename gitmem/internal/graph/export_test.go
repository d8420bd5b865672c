package graph

import "github.com/gitmem/gitmem/gitmem/internal/transcript"

// Candidate is for tests an open question or task with the sentence likest to it.
type Candidate struct {
	ID       string
	Said     transcript.Quote
	Score    float64
	Features []string
}

// Candidates gives tests what closing is decided on.
func (k *Known) Candidates(session string, said []transcript.Quote) (list []Candidate) {
	for _, c := range k.candidates(session, said) {
		list = append(list, Candidate{c.open.ID, c.said, c.score, c.features})
	}
	return list
}
