package search

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Neighbour is a term of the index that is spelled similarly to another one.
type Neighbour struct {
	Term  string
	Edits int // characters to insert, delete, replace or swap with the next; 0: the other is its prefix
	Docs  int // documents with it in the text, plus those with it in the title
}

// longestNear is the length in characters from which a word is not considered a misspelling.
const longestNear = 40

// Nearest finds at most n terms of the shards that are spelled most similarly to a missing one, best first: those that
// have it as a prefix and are at most twice as long, and those within one edit, or two for a term of eight characters
// or more. Terms with digits are ids, which have no neighbours, stop words are omitted, and the first character must be
// the same.
func Nearest(ctx context.Context, snaps []*index.Snapshot, term string, n int) ([]Neighbour, error) {
	length := utf8.RuneCountInString(term)
	if length < 4 || length > longestNear || strings.ContainsFunc(term, func(r rune) bool {
		return !unicode.IsLetter(r)
	}) {
		return nil, nil
	}
	_, first := utf8.DecodeRuneInString(term)
	edits := map[string]int{}
	err := eachTerm(ctx, snaps, begin(term), func(t string) {
		if len(t) > len(term) && len(t) <= 2*len(term) && !index.IsStopword(t) {
			edits[t] = 0
		}
	})
	for d := 1; d <= min(2, 1+length/8) && err == nil; d++ {
		near := func(s *index.Snapshot, f index.Field) iter.Seq2[string, error] {
			return s.Near(f, term, d, term[:first])
		}
		err = eachTerm(ctx, snaps, near, func(t string) {
			if _, nearer := edits[t]; !nearer && t != term && !index.IsStopword(t) {
				edits[t] = d
			}
		})
	}
	if err != nil {
		return nil, err
	}
	return byFrequency(ctx, snaps, edits, n)
}

// termSource yields terms of a field of a shard.
type termSource func(*index.Snapshot, index.Field) iter.Seq2[string, error]

// begin yields the terms with a prefix.
func begin(prefix string) termSource {
	return func(s *index.Snapshot, f index.Field) iter.Seq2[string, error] { return s.Terms(f, prefix) }
}

// eachTerm calls visit for terms of the shards, some twice.
func eachTerm(ctx context.Context, snaps []*index.Snapshot, of termSource, visit func(term string)) error {
	for _, snap := range snaps {
		if snap == nil {
			continue
		}
		for _, field := range []index.Field{index.Text, index.Title} {
			for t, err := range of(snap, field) {
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

// Conditions for two words to belong to one family, and the maximum weight of one for the other.
const (
	leastKin = 4   // characters of their common prefix
	kinShare = 0.7 // of the longer one
	ofKin    = 0.8
	ofPair   = 0.2 // the weight of a character of a pair that no document contains
	mostKin  = 8   // terms
)

// WordForms finds the terms of the shards in the family of a word, such as inflected forms, the nearest first; Weight
// is their similarity. It is for German and Russian. For a pair of Chinese characters that no document contains it
// returns both: words of similar meaning share one.
func WordForms(ctx context.Context, snaps []*index.Snapshot, term string) ([]QueryTerm, error) {
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
		err := eachTerm(ctx, snaps, begin(prefix), func(t string) {
			if w := similarity(root, []rune(rootOf(t))); w > 0 && t != term {
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
	slices.SortFunc(out, func(a, b QueryTerm) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Text, b.Text))
	})
	return out[:min(len(out), mostKin)], nil
}

// similarity returns the similarity of the roots of two words, 0 for those of different families.
func similarity(a, b []rune) float64 {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	if share := float64(same) / float64(max(len(a), len(b))); same >= leastKin && share >= kinShare {
		return ofKin * share
	}
	return 0
}

// rootOf returns a German word without the infix of its participles and infinitives: abgelöst and abzulösen belong to
// ablösen.
func rootOf(term string) string {
	verb := term
	for _, p := range [...]string{"zuruck", "ab", "an", "auf", "aus", "bei", "durch", "ein", "fest", "frei", "her", "hin",
		"hoch", "los", "mit", "nach", "um", "vor", "weg", "zu"} {
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

// mostNeighbours limits the number of terms that are counted.
const mostNeighbours = 50

// byFrequency looks up how many documents contain the terms, and sorts by it.
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
	// Terms that only deleted documents contain do not count.
	out = slices.DeleteFunc(out, func(n Neighbour) bool { return n.Docs == 0 })
	slices.SortFunc(out, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(a.Edits, b.Edits), cmp.Compare(b.Docs, a.Docs), cmp.Compare(a.Term, b.Term))
	})
	return out[:min(len(out), n)], nil
}
