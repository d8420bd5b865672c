package ingest

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// Typed returns the sentences that a person typed in a session, without secrets.
func (src *Sources) Typed(session string) (list []string) {
	if !transcript.ValidSessionID(session) {
		return nil
	}
	for m, err := range transcript.Conversation(src.TranscriptFile(session,
		transcript.Find(src.ws.ClientProjects(), session))) {
		if err != nil {
			break // the rest counts as a model's
		}
		if m.Prompt && !m.TakenBack {
			m.Text = src.ws.Clean(m.Text)
			list = append(list, transcript.TypedSentences(m)...)
		}
	}
	return list
}

// WrittenBy returns the author of texts that a command writes, "" for the user. Inside the client a model may have run
// the command, so there each text must be part of a sentence that the user typed in the session.
func (src *Sources) WrittenBy(session string, texts ...string) answer.Trust {
	if !src.ws.InClient() {
		return ""
	}
	typed := src.Typed(session)
	for _, text := range texts {
		if text != "" && !slices.ContainsFunc(typed, func(sentence string) bool { return Says(sentence, text) }) {
			return answer.Model
		}
	}
	return ""
}

// Says reports whether a sentence contains a text, ignoring case and punctuation, and no other word that denies the
// text or leaves it open.
func Says(sentence, text string) bool {
	all, part := plainWords(sentence), plainWords(text)
	asks := strings.ContainsAny(sentence, "?？")
	for at := 0; len(part) > 0 && at+len(part) <= len(all); at++ {
		if !slices.Equal(all[at:at+len(part)], part) {
			continue
		}
		rest := slices.Concat(all[:at], all[at+len(part):])
		if len(rest) == 0 || !asks && !slices.ContainsFunc(rest, func(w string) bool {
			return lint.Denies(w) || transcript.TakesBack(w)
		}) {
			return true
		}
	}
	return false
}

// plainWords returns the words of a text in lower case; marks such as + and = count as words, too.
func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '\'' && r != '#'
	})
}
