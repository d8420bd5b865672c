package search_test

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// reference ranks documents by the documented formulas: it counts words in the raw texts for each term again, and
// caches nothing between terms.
type reference struct {
	docs   []index.Doc // by session, order and id
	fields [5]referenceField
	ranker search.Ranker // the ranker under test, reused so that its memory is dirty
}

type referenceField struct {
	words [][]string // terms of each document
	mean  float64    // mean number of terms of the documents that have any
}

func newReference(docs []index.Doc) *reference {
	r := &reference{docs: slices.Clone(docs)}
	slices.SortFunc(r.docs, func(a, b index.Doc) int {
		return cmp.Or(cmp.Compare(a.Session, b.Session), cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID))
	})
	for f := range r.fields {
		total, with := 0, 0
		for _, d := range r.docs {
			words := referenceTerms([]string{d.Text, d.Title, d.Tool, strings.Join(d.Paths, "\n"), d.DiffTerms}[f], false)
			r.fields[f].words = append(r.fields[f].words, words)
			total += len(words)
			if len(words) > 0 {
				with++
			}
		}
		r.fields[f].mean = float64(total) / float64(max(with, 1))
	}
	return r
}

func referenceIDF(n, df int) float64 {
	return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

// frequency returns how often a document has a term: the sum over its fields, each weighted and normalised by length.
func (r *reference) frequency(doc int, term string, w search.Weights) float64 {
	tf := 0.0
	for f, weight := range []float64{w.Text, w.Title, w.Tool, w.Paths, w.DiffTerms} {
		n := 0
		for _, word := range r.fields[f].words[doc] {
			if word == term {
				n++
			}
		}
		if f == substanceField {
			n = min(n, 1)
		}
		if n > 0 && weight > 0 {
			tf += weight * float64(n) / (1 - w.B + w.B*float64(len(r.fields[f].words[doc]))/r.fields[f].mean)
		}
	}
	return tf
}

// substanceField is the field of the diff terms: a word counts once there, and a document that has it only there does
// not count in df.
const substanceField = 4

// frequencies returns those of all documents, and the number of documents with the term.
func (r *reference) frequencies(term string, w search.Weights) (tf []float64, df int) {
	written, all := 0, 0
	alone := w
	alone.DiffTerms = 0
	for i := range r.docs {
		tf = append(tf, r.frequency(i, term, w))
		if tf[i] > 0 {
			all++
		}
		if r.frequency(i, term, alone) > 0 {
			written++
		}
	}
	if written == 0 {
		return tf, all
	}
	return tf, written
}

// heard returns a document's frequency including the share of its neighbours in the session.
func (r *reference) heard(tf []float64, doc int, w search.Weights) float64 {
	sum := tf[doc]
	if r.docs[doc].Session == "" {
		return sum
	}
	for distance, share := range map[int]float64{-2: w.TwoAway, -1: w.Before, 1: w.After, 2: w.TwoAway} {
		i := doc + distance
		if i >= 0 && i < len(tf) && r.docs[i].Session == r.docs[doc].Session {
			sum += share * tf[i]
		}
	}
	return sum
}

// sessions scores each session as if it were one document of its texts.
func (r *reference) sessions(terms []search.QueryTerm, w search.Weights) map[string]float64 {
	words, scores, total := map[string]int{}, map[string]float64{}, 0
	for i, d := range r.docs {
		if d.Session != "" {
			words[d.Session] += len(r.fields[0].words[i])
			total += len(r.fields[0].words[i])
		}
	}
	speaking := 0
	for _, n := range words {
		if n > 0 {
			speaking++
		}
	}
	for _, term := range terms {
		tf, _ := r.frequencies(term.Text, w)
		sums := map[string]float64{}
		for i, d := range r.docs {
			if d.Session != "" && tf[i] > 0 {
				sums[d.Session] += tf[i]
			}
		}
		idf := term.Weight * referenceIDF(max(speaking, len(sums)), len(sums))
		for s, v := range sums {
			v /= 1 - w.B + w.B*float64(words[s])*float64(speaking)/float64(max(total, 1))
			scores[s] += idf * v / (w.K1 + v)
		}
	}
	return scores
}

// ranked is a document and its score.
type ranked struct {
	ID    string
	Score float64
}

// rank returns the best documents that pass. known reports which terms some shard contains; nil: those that this one
// contains.
func (r *reference) rank(terms []search.QueryTerm, w search.Weights, pass func(index.Doc) bool, limit int,
	known map[string]bool) []ranked {
	scores, mass := make([]float64, len(r.docs)), 0.0
	for _, term := range terms {
		tf, df := r.frequencies(term.Text, w)
		if df == 0 && !known[term.Text] {
			continue
		}
		idf := term.Weight * referenceIDF(len(r.docs), df)
		mass += idf
		for i := range r.docs {
			v := r.heard(tf, i, w)
			scores[i] += idf * v / (w.K1 + v)
		}
	}
	sessions, best := r.sessions(terms, w), 0.0
	for _, s := range sessions {
		best = max(best, s)
	}
	out := []ranked{}
	for i, d := range r.docs {
		if scores[i] == 0 || !pass(d) {
			continue
		}
		score := scores[i] / mass
		if best > 0 && d.Session != "" {
			score *= 1 + w.Session*sessions[d.Session]/best
		}
		out = append(out, ranked{d.ID, math.Round(score*1e9) / 1e9})
	}
	slices.SortFunc(out, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	return out[:min(len(out), limit)]
}
