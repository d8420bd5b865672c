package transcript

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

// outcomes finds the outcome of a session: the last message of the assistant that states something about the session's
// subject. Polite phrases do not count.
type outcomes struct {
	last  [stating + 1]Quote // the last quote of each score
	wrote bool               // files were written since the assistant's last text
}

// stating is the score of a statement that can be an outcome regardless of earlier ones.
const stating = 2

// take processes a message of the session; heard contains its words.
func (o *outcomes) take(m Message, heard *Heard) {
	if m.Role == RoleAssistant && !m.Synthetic() && m.Text != "" {
		if q, n := outcomeOf(m, func(s markdown.Sentence) int { return o.states(s.Text, heard) }); n > 0 {
			o.last[n] = q
		}
		o.wrote = false
	}
	for _, t := range m.Tools {
		o.wrote = o.wrote || t.Writes
	}
}

// best returns the last quote with the highest score.
func (o *outcomes) best() Quote {
	for n := stating; n > 0; n-- {
		if o.last[n].Text != "" {
			return o.last[n]
		}
	}
	return Quote{}
}

// states returns the score of a sentence, from 0 to stating: whether it is about the session's subject, long enough to
// state something, and follows written files. Questions, announcements, suppositions and wishes score lower.
func (o *outcomes) states(sentence string, heard *Heard) (n int) {
	if strings.HasSuffix(sentence, "?") || strings.HasSuffix(sentence, ":") {
		return 0
	}
	const words, letters = 4, 12 // for scripts without blanks
	if len(Words(sentence)) >= words || nonASCII(sentence) >= letters {
		n++
	}
	figures, named := names(sentence)
	if !figures && !named && !heard.shares(sentence) {
		return min(n, 1) * min(1, contentWords(sentence))
	}
	if n++; o.wrote {
		n++
	}
	clause, _, _ := strings.Cut(sentence, ",")
	if AssertionOf(clause, nil) > Denied || strings.HasSuffix(sentence, "!") && !figures {
		return 1
	}
	return min(n, stating)
}

// names reports whether a sentence contains code, a number or a path, and whether it contains a proper name, shown by a
// capital letter that is not at its beginning.
func names(sentence string) (figures, named bool) {
	figures = strings.ContainsAny(sentence, "`0123456789")
	for i, word := range strings.Fields(sentence) {
		first, _ := utf8.DecodeRuneInString(word)
		named = named || i > 0 && unicode.IsUpper(first) && len(word) > 1
		figures = figures || strings.ContainsAny(strings.Trim(word, ".,;:!?()/"), "./_")
	}
	return figures, named
}

// shares reports whether a sentence has a subject word that another message of the session has too.
func (h *Heard) shares(sentence string) bool {
	for stem := range Stems(sentence) {
		if h.of[stem] > 1 && !known().common[stem] && !known().agreements[stem] {
			return true
		}
	}
	return false
}

// contentWords returns the number of words in a sentence other than agreement and words common to all sessions.
func contentWords(sentence string) int {
	return slice.Count(plainWords(sentence), func(w string) bool { return saysMore(w) && !isCommon(w) })
}

func nonASCII(s string) int {
	return slice.Count([]rune(s), func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) })
}

// outcomeOf returns the first sentence of a message with the highest score, with that score, and the next such sentence
// if it follows immediately.
func outcomeOf(m Message, states func(markdown.Sentence) int) (Quote, int) {
	var text string
	most, follows := 0, false
	for s := range sentences(m.Text) {
		n := 0
		if s.Kind != markdown.LineHeading {
			n = states(s)
		}
		switch {
		case n > most:
			text, most, follows = s.Text, n, true
		case follows:
			follows = false
			both, whole := text+" "+s.Text, strings.Join(strings.Fields(m.Text), " ")
			if !strings.HasSuffix(both, "?") && len(both) <= maxOutcome && strings.Contains(whole, both) {
				text = both
			}
		}
		if most == stating && !follows {
			break
		}
	}
	return Quote{Line: m.Line, Time: m.Time, Text: cut(text, 2*maxOutcome)}, most
}
