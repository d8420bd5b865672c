package ask

import (
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

const (
	leastEcho = 3 // minimum number of words in a question that a text may echo
	leastAdds = 3 // minimum number of content words that a text must add to answer it
)

// echoes reports whether a text only repeats the question: it contains the same words or adds no content, or quotes the
// question as an example.
func (w *weigher) echoes(text string) bool {
	if len(w.terms) == 0 || len(strings.Fields(w.question)) < leastEcho {
		return false
	}
	lower := strings.ToLower(text)
	at := strings.Index(lower, w.question)
	switch {
	case at < 0:
		return isAsking(text) && w.adds(text) == 0
	case at > 0 && strings.ContainsRune("\"'`“‘«„", lastRune(lower[:at])):
		return true
	}
	return w.adds(lower[:at]+" "+lower[at+len(w.question):]) < leastAdds
}

// adds counts the content words of a text that the question lacks.
func (w *weigher) adds(text string) (n int) {
	_, terms := contentTerms(text, w.kind)
	for _, t := range terms {
		if _, asked := w.weight[t]; !asked && !index.IsStopword(t) {
			n++
		}
	}
	return n
}

// lastRune returns the last character of a text.
func lastRune(text string) rune {
	r := []rune(text)
	return r[len(r)-1]
}
