package corpus

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
)

// Query is one query in the form for each side. Neither contains stop words.
type Query struct {
	Typed string // for gitmem: words, identifiers and paths as a person types them
	Words string // for FTS5: the words of these, split like in its tokeniser
}

// DrawQueries draws n queries of one to six words from texts. A frequent word is drawn more often; half of
// the words are the rarest-looking of three, because people search for specific words. Every third query has
// neighbouring words in their order.
func DrawQueries(texts iter.Seq[string], n int, seed uint64) []Query {
	r := rand.New(rand.NewPCG(seed, 2))
	stop := list("stop")
	var out []Query
	seen := map[string]bool{}
	for i, text := range reservoir(texts, 4*n, r) {
		q := draw(r, text, 1+len(out)%6, i%3 == 0, stop)
		if q.Words == "" || seen[q.Words] {
			continue
		}
		seen[q.Words] = true
		if out = append(out, q); len(out) == n {
			break
		}
	}
	return out
}

// reservoir samples n texts, each with the same probability.
func reservoir(texts iter.Seq[string], n int, r *rand.Rand) []string {
	var kept []string
	seen := 0
	for text := range texts {
		seen++
		if len(kept) < n {
			kept = append(kept, strings.Clone(text))
		} else if at := r.IntN(seen); at < n {
			kept[at] = strings.Clone(text)
		}
	}
	shuffle(r, kept)
	return kept
}

func draw(r *rand.Rand, text string, n int, phrase bool, stop []string) Query {
	words := typed(text, stop)
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
	return Query{Typed: strings.Join(chosen, " "), Words: strings.Join(cut(chosen, stop), " ")}
}

// once removes duplicates.
func once(words []string) []string {
	var out []string
	for _, w := range words {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// typed returns the words of a text that somebody might type: no stop words, only letters, digits and
// characters that join them, and no pure numbers.
func typed(text string, stop []string) []string {
	var out []string
	for w := range strings.FieldsSeq(text) {
		w = strings.Trim(w, ".,;:!?()[]{}\"'`=<>%&*+-_\\/|$@^~")
		if len(w) < 2 || len(w) > 60 || strings.ContainsFunc(w, strange) || !strings.ContainsFunc(w, unicode.IsLetter) &&
			w[0] != '#' {
			continue
		}
		if len(cut([]string{w}, stop)) > 0 {
			out = append(out, w)
		}
	}
	return out
}

// strange reports whether r does not belong to a word or is search syntax.
func strange(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_./-#", r)
}

// rarer guesses which of two words is rarer: those with punctuation and capitals, and long ones.
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

// cut splits words at everything but letters and digits, without stop words and duplicates.
func cut(words, stop []string) []string {
	var out []string
	for _, w := range words {
		for part := range strings.FieldsFuncSeq(strings.ToLower(w), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			if !slices.Contains(stop, part) && !slices.Contains(out, part) {
				out = append(out, part)
			}
		}
	}
	return out
}
