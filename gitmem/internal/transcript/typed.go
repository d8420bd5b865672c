package transcript

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
)

// pastedBlock matches a text that was pasted into a prompt, as newer clients mark it; a tag within it is escaped.
var pastedBlock = lazy.Pattern(`(?s)<pasted_content\b[^>]*>.*?(?:</pasted_content\b[^>]*>|$)`)

// Typed returns a prompt without text that the client marks as pasted, and without lines that look pasted.
func Typed(prompt string) string {
	if strings.Contains(prompt, "<pasted_content") { // fast path: few prompts have one
		prompt = pastedBlock().ReplaceAllString(prompt, "\n")
	}
	return withoutPasted(prompt)
}

// TypedSentences returns the sentences of a message that a person typed.
func TypedSentences(m Message) (list []string) {
	if !m.Prompt || m.Speaker != Person {
		return nil
	}
	for s := range markdown.Sentences(Typed(m.Text)) {
		list = append(list, s.Text)
	}
	return list
}

// SpeakerOf returns Person for a passage that is part of a sentence that they typed, Program, Model or Agent for a
// passage of a prompt from one of these, Agent for a passage of an agent's report, and "" for any other.
func (m Message) SpeakerOf(passage string) Speaker { return m.by(holds(TypedSentences(m), passage)) }

// by is SpeakerOf if it is known whether a person typed the passage.
func (m Message) by(typed bool) Speaker {
	switch {
	case typed:
		return Person
	case m.Prompt && m.Speaker != Person, m.Speaker == Agent:
		return m.Speaker
	}
	return ""
}

// TakesBack reports whether a word negates the rest of a sentence, or leaves it open.
func TakesBack(word string) bool {
	return slices.ContainsFunc(known().cues[word], func(c cue) bool { return c.intent == "not" && len(c.words) == 1 })
}

// holds reports whether a text is part of one of the sentences.
func holds(sentences []string, text string) bool {
	return text != "" && slices.ContainsFunc(sentences, func(s string) bool { return strings.Contains(s, text) })
}
