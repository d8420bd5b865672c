package transcript

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

// outcomes finds how a session ended: the last message of the assistant that states something of
// the session's matter. What is only polite states nothing.
type outcomes struct {
	last  [stating + 1]Quote // by how much a sentence states, the last of each
	wrote bool               // files were written since the assistant said something
}

// stating is how much a sentence states that can be an outcome whatever was said before it.
const stating = 2

// take goes on with a message of the session, of which heard knows the words.
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

// best is the last quote of those that state most.
func (o *outcomes) best() Quote {
	for n := stating; n > 0; n-- {
		if o.last[n].Text != "" {
			return o.last[n]
		}
	}
	return Quote{}
}

// states is how much a sentence states, from 0 to stating: whether it is of the session's matter,
// long enough to say something of it, and behind files that were written. What is asked, announced,
// supposed or wished states less.
func (o *outcomes) states(sentence string, heard *Heard) (n int) {
	if strings.HasSuffix(sentence, "?") || strings.HasSuffix(sentence, ":") {
		return 0
	}
	const words, letters = 4, 12 // of a script without blanks
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

// names reports whether a sentence has code, a number or a path, and whether it names a thing by a
// capital letter that does not begin it.
func names(sentence string) (figures, named bool) {
	figures = strings.ContainsAny(sentence, "`0123456789")
	for i, word := range strings.Fields(sentence) {
		first, _ := utf8.DecodeRuneInString(word)
		named = named || i > 0 && unicode.IsUpper(first) && len(word) > 1
		figures = figures || strings.ContainsAny(strings.Trim(word, ".,;:!?()/"), "./_")
	}
	return figures, named
}

// shares reports whether a sentence has a word of its session's matter that another message has too.
func (h *Heard) shares(sentence string) bool {
	for stem := range Stems(sentence) {
		if h.of[stem] > 1 && !known().common[stem] && !known().agreements[stem] {
			return true
		}
	}
	return false
}

// contentWords is how many words a sentence has beside agreement and those that sessions about anything
// have.
func contentWords(sentence string) int {
	return slice.Count(plainWords(sentence), func(w string) bool { return saysMore(w) && !isCommon(w) })
}

func nonASCII(s string) int {
	return slice.Count([]rune(s), func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) })
}

// outcomeOf returns the first sentence of a message that states most, with how much that is, and the
// next one if it follows at once.
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
