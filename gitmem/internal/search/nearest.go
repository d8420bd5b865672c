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
	err := eachTerm(ctx, snaps, term[:first], func(t string) {
		if d, ok := near(term, t, 1+length/8); ok && !index.IsStopword(t) {
			edits[t] = d
		}
	})
	if err != nil {
		return nil, err
	}
	return byFrequency(ctx, snaps, edits, n)
}

// eachTerm calls visit for the terms of the shards that begin with a prefix, some twice.
func eachTerm(ctx context.Context, snaps []*index.Snapshot, prefix string, visit func(term string)) error {
	for _, snap := range snaps {
		if snap == nil {
			continue
		}
		for _, field := range []index.Field{index.Text, index.Title} {
			for t, err := range snap.Terms(field, prefix) {
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					return err
				}
				visit(t)
			}
		}
	}
	return nil
}

// What tells that two words are of one family, and what one counts of the other at most.
const (
	leastKin = 4   // characters that both begin with
	kinShare = 0.7 // of the longer one
	ofKin    = 0.8
	ofPair   = 0.2 // what a character counts of a pair that nothing holds
	mostKin  = 8   // terms
)

// Kin finds the terms of the shards that are of the family of a word, such as other forms
// of it, the nearest first; Weight tells how near they are. It is for German and Russian.
// Of a pair of Chinese characters that nothing holds it gives both: words that mean about
// the same share one.
func Kin(ctx context.Context, snaps []*index.Snapshot, term string) ([]QueryTerm, error) {
	root := []rune(rootOf(term))
	if len(root) == 2 && unicode.Is(unicode.Han, root[0]) && unicode.Is(unicode.Han, root[1]) {
		held, err := byFrequency(ctx, snaps, map[string]int{term: 0}, 1)
		if len(held) > 0 || err != nil {
			return nil, err
		}
		return []QueryTerm{{Text: string(root[:1]), Weight: ofPair}, {Text: string(root[1:]), Weight: ofPair}}, nil
	}
	if len(root) < leastKin || strings.ContainsFunc(term, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return nil, nil
	}
	near := map[string]float64{}
	for _, prefix := range []string{string(root[:2]), "ge" + string(root[:2])} {
		err := eachTerm(ctx, snaps, prefix, func(t string) {
			if w := kin(root, []rune(rootOf(t))); w > 0 && t != term {
				near[t] = w
			}
		})
		if err != nil {
			return nil, err
		}
	}
	var out []QueryTerm
	for t, w := range near {
		out = append(out, QueryTerm{Text: t, Weight: w})
	}
	slices.SortFunc(out, func(a, b QueryTerm) int { return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Text, b.Text)) })
	return out[:min(len(out), mostKin)], nil
}

// kin tells how near the roots of two words are, 0 for those of two families.
func kin(a, b []rune) float64 {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	if share := float64(same) / float64(max(len(a), len(b))); same >= leastKin && share >= kinShare {
		return ofKin * share
	}
	return 0
}

// rootOf is a German word without what stands within its participles and infinitives:
// abgelöst and abzulösen are of ablösen.
func rootOf(term string) string {
	verb := term
	for _, p := range [...]string{"zuruck", "ab", "an", "auf", "aus", "bei", "durch", "ein", "fest", "frei", "her", "hin", "hoch", "los", "mit", "nach", "um", "vor", "weg", "zu"} {
		if cut, ok := strings.CutPrefix(term, p); ok {
			verb = cut
			break
		}
	}
	apart := term[:len(term)-len(verb)]
	if stem, ok := strings.CutPrefix(verb, "zu"); ok && apart != "" && len(stem) > 3 {
		return apart + stem
	}
	if stem, ok := strings.CutPrefix(verb, "ge"); ok && len(stem) > 3 {
		return apart + stem
	}
	return term
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
