package transcript

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/markdown"
)

// TypedSentences are the sentences of a message that a person typed.
func TypedSentences(m Message) (list []string) {
	if !m.Prompt || m.Plan {
		return nil
	}
	for s := range markdown.Sentences(m.Text) {
		list = append(list, s.Text)
	}
	return list
}

// Typed reports whether a text is a part of a sentence of the message that a person typed.
func (m Message) Typed(text string) bool { return holds(TypedSentences(m), text) }

// TakesBack reports whether a word of a sentence denies what the rest says, or leaves it open.
func TakesBack(word string) bool {
	return slices.ContainsFunc(known().cues[word], func(c cue) bool { return c.intent == "not" && len(c.words) == 1 })
}

// holds reports whether a text is a part of one of some sentences.
func holds(sentences []string, text string) bool {
	return slices.ContainsFunc(sentences, func(s string) bool { return strings.Contains(s, text) })
}
