package ask

import (
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

const (
	leastEcho = 3 // words that a question has of which a text may be an echo
	leastAdds = 3 // content words beside the question with which a text may answer it
)

// echoes reports whether a text is no more than the question itself: asked before, in these words or
// with no other content, or quoted as an example.
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

// adds counts the content words of a text that the question does not have.
func (w *weigher) adds(text string) (n int) {
	_, terms := contentTerms(text, w.kind)
	for _, t := range terms {
		if _, asked := w.weight[t]; !asked && !index.IsStopword(t) {
			n++
		}
	}
	return n
}

// lastRune is the last character of a text.
func lastRune(text string) rune {
	r := []rune(text)
	return r[len(r)-1]
}
