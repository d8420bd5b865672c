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
	// mostWords is the maximum number of query words to search for. A pasted log has thousands, each of which costs time
	// and memory by its frequency.
	mostWords = 200
	// mostCounted is the number of words whose frequency is looked up for the selection.
	mostCounted = 10_000
)

// rarest returns the terms of a very long query with the highest idf, in the order of the query.
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

// docFreq returns the number of documents whose text contains a term.
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
