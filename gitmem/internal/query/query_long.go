package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

const (
	// mostWords is how many words of a query are searched for at most. A pasted log
	// has thousands, each of which costs time and memory by its frequency.
	mostWords = 200
	// mostCounted is how many of them are looked up, to choose by.
	mostCounted = 10_000
)

// rarest are the terms of a very long query with the highest idf: those that the fewest
// documents hold, in the order of the query.
func (v *View) rarest(ctx context.Context, terms []search.QueryTerm) ([]search.QueryTerm, error) {
	isExpansion := func(t search.QueryTerm) bool { return t.For >= 0 }
	if len(terms) <= mostWords || slices.ContainsFunc(terms, isExpansion) {
		return terms, nil
	}
	type counted struct{ at, docs int }
	var known []counted
	for i, t := range terms[:min(len(terms), mostCounted)] {
		docs, err := v.docFreq(ctx, t.Text)
		if err != nil {
			return nil, err
		}
		if docs > 0 {
			known = append(known, counted{i, docs})
		}
	}
	slices.SortStableFunc(known, func(a, b counted) int { return cmp.Compare(a.docs, b.docs) })
	known = known[:min(len(known), mostWords)]
	slices.SortFunc(known, func(a, b counted) int { return cmp.Compare(a.at, b.at) })
	out := make([]search.QueryTerm, len(known))
	for i, k := range known {
		out[i] = terms[k.at]
	}
	if len(out) == 0 { // the report of unknown words needs some
		out = terms[:mostWords]
	}
	v.shortened = fmt.Sprintf("The query has %d words, of which the %d that say most were searched for.",
		len(terms), len(out))
	return out, nil
}

// docFreq counts the documents that hold a term in their text.
func (v *View) docFreq(ctx context.Context, term string) (int, error) {
	docs := 0
	for _, s := range v.Snaps {
		if s == nil {
			continue
		}
		n, err := s.DocFreq(ctx, index.Text, term)
		if err != nil {
			return 0, err
		}
		docs += n
	}
	return docs, nil
}
