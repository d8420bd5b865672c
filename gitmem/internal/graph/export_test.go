package graph

import "github.com/gitmem/gitmem/gitmem/internal/transcript"

// Candidate is an open question or task with the sentence most similar to it.
type Candidate struct {
	ID       string
	Said     transcript.Quote
	Score    float64
	Features []string
}

// Candidates returns the candidates for closing.
func (k *Known) Candidates(session string, said []transcript.Quote) (list []Candidate) {
	for _, c := range k.candidates(session, said) {
		list = append(list, Candidate{c.open.ID, c.said, c.score, c.features})
	}
	return list
}
