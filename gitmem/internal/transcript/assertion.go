package transcript

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
)

// Assertion is the degree to which a sentence asserts something. The greatest one in a sentence applies.
type Assertion int

// The assertions.
const (
	Asserted Assertion = iota
	Denied
	Intended // planned
	Open     // still to do, unknown, or conditional
	Hearsay  // attributed to somebody or something else
)

// assertions are the names of the assertions in the list of cues.
var assertions = [...]string{"asserted", "denied", "intended", "open", "hearsay"}

// AssertionOf returns the degree to which a sentence asserts what it states about a subject, given by its stems. Only
// cues in the same clause as one of these stems, or near one, count. If the sentence has none of the stems, all cues
// count.
func AssertionOf(sentence string, about map[string]bool) Assertion {
	switch {
	case strings.HasSuffix(strings.TrimRight(sentence, "\"'”»)* "), "?"):
		return Open
	case isQuotation(sentence):
		return Hearsay
	}
	var words []string
	var clause, named []int // by word: its clause; the positions of the subject's words
	sentence = strings.ReplaceAll(quotation().ReplaceAllString(sentence, ""), "’", "'")
	for n, part := range strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune(",;:()–—", r) }) {
		for _, w := range Words(part) {
			if stem := stemsOf([]string{w})[0]; about[stem] && !known().common[stem] {
				named = append(named, len(words))
			}
			words, clause = append(words, w), append(clause, n)
		}
	}
	found := Asserted
	for i := 0; i < len(words); i++ {
		of, n := known().assertionAt(words[i:])
		counts := len(named) == 0 || slices.ContainsFunc(named, func(at int) bool {
			return clause[at] == clause[i] || max(at-i, i-at) <= beside
		})
		if of == Hearsay { // hearsay counts in the first clause, and at the beginning of any other
			counts = clause[i] == 0 || clause[i] != clause[i-1]
		}
		switch {
		case n == 0 || !counts:
		case of == Asserted && found == Denied: // "no longer"
			found = Asserted
		default:
			found = max(found, of)
		}
		i += max(0, n-1)
	}
	return found
}

// beside is the distance in words at which a cue in another clause counts, as in "inrush current: not measured".
const beside = 2

var quotation = lazy.Pattern(`["“„«][^"“”„«» ]+ [^"“”„«»]+["“”»]`)

// isQuotation reports whether more than half of a sentence is in quotation marks.
func isQuotation(sentence string) bool {
	return 2*len(strings.Join(quotation().FindAllString(sentence, -1), "")) > len(sentence)
}

// assertionAt returns the assertion of the phrase at the start of words, and its length in words, 0 if there is none.
func (v *vocabulary) assertionAt(words []string) (of Assertion, n int) {
	for _, t := range v.assertions[words[0]] {
		if len(t.words) > n && begins(words, t.words) {
			of, n = t.as, len(t.words)
		}
	}
	if n > 0 {
		return of, n
	}
	for ending, of := range map[string]Assertion{"n't": Denied, "'ll": Intended, "'d": Open} {
		if strings.HasSuffix(words[0], ending) {
			return of, 1
		}
	}
	return Asserted, 0
}
