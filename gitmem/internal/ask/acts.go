package ask

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// acts are the terms of the words of a question that name what somebody does by a
// noun: that a mitigation was added is told by who mitigates.
func acts(words []string) (out []string) {
	for _, w := range words {
		w = strings.TrimSuffix(plainWord(w), "s")
		for _, ending := range []string{"ation", "ition", "ution", "ction", "ption", "sion", "ment", "ance", "ence", "ing"} {
			if len(w) > len(ending)+3 && strings.HasSuffix(w, ending) {
				out = append(out, index.Terms(w)...)
				break
			}
		}
	}
	return out
}

// titleVerb is the term of the word with which a title says what is done, behind the
// area where that is.
func titleVerb(title string) string {
	words := strings.Fields(withoutArea(title))
	if len(words) == 0 {
		return ""
	}
	terms := index.Terms(words[0])
	if len(terms) != 1 {
		return ""
	}
	return terms[0]
}

// begun tells whether a title does what the question says was added.
func (w *weigher) begun(title string) bool {
	verb := titleVerb(title)
	return verb != "" && slices.Contains(w.acts, verb) && !w.asked[verb]
}
