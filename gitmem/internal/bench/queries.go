package bench

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Query is one query, as each side is asked. Stop words are taken out of both.
type Query struct {
	Typed string // for gitmem: words, identifiers and paths as a person types them
	Words string // for FTS5: the words of these, as its tokeniser cuts them
}

// DrawQueries draws n queries of one to six words from documents. A word that
// stands more often is drawn more often; half of the words are the rarest-looking
// of three, as people search for what is particular. Every third query holds
// neighbouring words in their order.
func DrawQueries(docs iter.Seq2[index.Doc, error], n int, seed uint64) ([]Query, error) {
	r := rand.New(rand.NewPCG(seed, 2))
	kept, err := reservoir(docs, 4*n, r)
	if err != nil {
		return nil, err
	}
	var out []Query
	seen := map[string]bool{}
	for i, text := range kept {
		q := draw(r, text, 1+len(out)%6, i%3 == 0)
		if q.Words == "" || seen[q.Words] {
			continue
		}
		seen[q.Words] = true
		if out = append(out, q); len(out) == n {
			break
		}
	}
	return out, nil
}

// reservoir keeps the texts of n documents, each with the same chance.
func reservoir(docs iter.Seq2[index.Doc, error], n int, r *rand.Rand) ([]string, error) {
	var kept []string
	seen := 0
	for d, err := range docs {
		if err != nil {
			return nil, err
		}
		seen++
		if len(kept) < n {
			kept = append(kept, strings.Clone(d.Text))
		} else if at := r.IntN(seen); at < n {
			kept[at] = strings.Clone(d.Text)
		}
	}
	shuffle(r, kept)
	return kept, nil
}

func draw(r *rand.Rand, text string, n int, phrase bool) Query {
	words := typed(text)
	if len(words) == 0 {
		return Query{}
	}
	var chosen []string
	if phrase {
		at := r.IntN(len(words))
		chosen = append(chosen, words[at:min(at+n, len(words))]...)
	} else {
		for i := range n {
			w := words[r.IntN(len(words))]
			if i%2 == 1 {
				for range 2 {
					w = rarer(w, words[r.IntN(len(words))])
				}
			}
			chosen = append(chosen, w)
		}
	}
	chosen = once(chosen)
	return Query{Typed: strings.Join(chosen, " "), Words: strings.Join(cut(chosen), " ")}
}

// once leaves repetitions out.
func once(words []string) []string {
	var out []string
	for _, w := range words {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// typed are the words of a text that somebody might type: no stop words, nothing
// but letters, digits and what joins them, and no numbers alone.
func typed(text string) []string {
	var out []string
	for w := range strings.FieldsSeq(text) {
		w = strings.Trim(w, ".,;:!?()[]{}\"'`=<>%&*+-_\\/|$@^~")
		if len(w) < 2 || len(w) > 60 || strings.ContainsFunc(w, strange) || !strings.ContainsFunc(w, unicode.IsLetter) && w[0] != '#' {
			continue
		}
		if len(cut([]string{w})) > 0 {
			out = append(out, w)
		}
	}
	return out
}

// strange tells what does not belong to a word or what search would take for its
// own signs.
func strange(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_./-#", r)
}

// rarer guesses which of two words is rarer: names with signs and capitals are,
// and long ones.
func rarer(a, b string) string {
	weight := func(w string) int {
		n := len(w)
		if strings.ContainsAny(w, "_./#-") || strings.ToLower(w[1:]) != w[1:] {
			n += 10
		}
		return n
	}
	if weight(b) > weight(a) {
		return b
	}
	return a
}

// cut takes words apart at everything but letters and digits, without stop words
// and repetitions.
func cut(words []string) []string {
	var out []string
	for _, w := range words {
		for part := range strings.FieldsFuncSeq(strings.ToLower(w), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if !index.IsStopword(part) && !slices.Contains(out, part) {
				out = append(out, part)
			}
		}
	}
	return out
}
