package transcript

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
)

// pastedBlock is a text that was pasted into a prompt, as newer clients mark it; a tag within it is
// escaped.
var pastedBlock = lazy.Pattern(`(?s)<pasted_content\b[^>]*>.*?(?:</pasted_content\b[^>]*>|$)`)

// Typed is a prompt without what the client marks as pasted, and without lines that read so.
func Typed(prompt string) string {
	if strings.Contains(prompt, "<pasted_content") { // few prompts, and an expression is dear
		prompt = pastedBlock().ReplaceAllString(prompt, "\n")
	}
	return withoutPasted(prompt)
}

// TypedSentences are the sentences of a message that a person typed.
func TypedSentences(m Message) (list []string) {
	if !m.Prompt || m.Speaker != Person {
		return nil
	}
	for s := range markdown.Sentences(Typed(m.Text)) {
		list = append(list, s.Text)
	}
	return list
}

// SpeakerOf is Person for a passage that is part of a sentence that they typed, Program, Model or
// Agent for one of a prompt that one of these sent, Agent for what one reports, and "" for any other.
func (m Message) SpeakerOf(passage string) Speaker { return m.by(holds(TypedSentences(m), passage)) }

// by is SpeakerOf, where it is known whether a person typed the passage.
func (m Message) by(typed bool) Speaker {
	switch {
	case typed:
		return Person
	case m.Prompt && m.Speaker != Person, m.Speaker == Agent:
		return m.Speaker
	}
	return ""
}

// TakesBack reports whether a word of a sentence denies what the rest says, or leaves it open.
func TakesBack(word string) bool {
	return slices.ContainsFunc(known().cues[word], func(c cue) bool { return c.intent == "not" && len(c.words) == 1 })
}

// holds reports whether a text is a part of one of some sentences.
func holds(sentences []string, text string) bool {
	return text != "" && slices.ContainsFunc(sentences, func(s string) bool { return strings.Contains(s, text) })
}
