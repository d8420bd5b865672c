package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Neighbour is a term of the index that is spelled nearly like another one.
type Neighbour struct {
	Term  string
	Edits int // characters to insert, delete, replace or swap; 0: it begins with the other
	Docs  int // documents that hold it in the text, and those that do in the title
}

// Nearest finds the terms of the shards that are spelled most like one that they do
// not have, best first, n at most: those that begin with it, and those within one
// edit, or two for a term of eight characters or more, and so on. Terms with figures
// are ids, which have no neighbours, stop words are nobody's, and the first character
// must be the same.
func Nearest(ctx context.Context, snaps []*index.Snapshot, term string, n int) ([]Neighbour, error) {
	length := utf8.RuneCountInString(term)
	if length < 4 || strings.ContainsFunc(term, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return nil, nil
	}
	_, first := utf8.DecodeRuneInString(term)
	edits := map[string]int{}
	for _, snap := range snaps {
		if snap == nil {
			continue
		}
		for _, field := range []index.Field{index.Text, index.Title} {
			for t, err := range snap.Terms(field, term[:first]) {
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					return nil, err
				}
				if d, ok := near(term, t, 1+length/8); ok && !index.IsStopword(t) {
					edits[t] = d
				}
			}
		}
	}
	return byFrequency(ctx, snaps, edits, n)
}

// near tells how far a term of the index is from one that was asked for.
func near(asked, have string, limit int) (edits int, ok bool) {
	if strings.HasPrefix(have, asked) && len(have) > len(asked) && len(have) <= 2*len(asked) {
		return 0, true
	}
	if d := utf8.RuneCountInString(have) - utf8.RuneCountInString(asked); d > limit || -d > limit {
		return 0, false
	}
	edits = Edits(asked, have)
	return edits, edits > 0 && edits <= limit
}

// Edits is how many characters must be inserted, deleted, replaced, or swapped with
// the next one to make one word of another (optimal string alignment).
func Edits(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			same := 1
			if x[i-1] == y[j-1] {
				same = 0
			}
			row[j] = min(row[j-1]+1, last[j]+1, last[j-1]+same)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}

// mostNeighbours bounds how many terms are counted.
const mostNeighbours = 50

// byFrequency looks up how many documents hold the terms, and orders them.
func byFrequency(ctx context.Context, snaps []*index.Snapshot, edits map[string]int, n int) ([]Neighbour, error) {
	var out []Neighbour
	for t, d := range edits {
		out = append(out, Neighbour{Term: t, Edits: d})
	}
	slices.SortFunc(out, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(a.Edits, b.Edits), cmp.Compare(len(a.Term), len(b.Term)), cmp.Compare(a.Term, b.Term))
	})
	out = out[:min(len(out), mostNeighbours)]
	for i := range out {
		for _, snap := range snaps {
			if snap == nil {
				continue
			}
			for _, field := range []index.Field{index.Text, index.Title} {
				if err := snap.Postings(ctx, field, out[i].Term, func(int32, int, int) { out[i].Docs++ }); err != nil {
					return nil, err
				}
			}
		}
	}
	// A term that only deleted documents have is none.
	out = slices.DeleteFunc(out, func(n Neighbour) bool { return n.Docs == 0 })
	slices.SortFunc(out, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(a.Edits, b.Edits), cmp.Compare(b.Docs, a.Docs), cmp.Compare(a.Term, b.Term))
	})
	return out[:min(len(out), n)], nil
}
