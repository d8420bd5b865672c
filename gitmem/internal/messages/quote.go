package messages

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/internal/clip"
	"github.com/gitmem/gitmem/internal/lazy"
)

// Quote returns text in the form shown to a model: on one line, between quotation marks that it can't close, of at most
// limit characters.
func Quote(text string, limit int) string {
	return "“" + Quotable(OneLine(text, limit)) + "”"
}

// Quotable removes from a line characters that could end a quotation or look like a tag of the client, and invisible
// ones.
func Quotable(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '<':
			return '‹' // no tag begins in a record
		case r == '“' || r == '”':
			return '"'
		case unicode.IsControl(r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, Visible(line))
}

// Visible returns a text that may be shown to a person or a model: without invisible characters, in which instructions
// to a model could be hidden, and without the tag by which the client marks its own messages to the model. It keeps
// joiners and variation selectors where scripts and emoji need them: one after a non-ASCII character.
func Visible(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return defuse(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	joinable := false // the previous character may take a joiner or a variation selector
	for i, r := range s {
		switch {
		case r == utf8.RuneError:
			_, size := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+size]) // unchanged: invalid bytes hide nothing
			joinable = false
		case r == 0x200c || r == 0x200d || r == 0xfe0e || r == 0xfe0f:
			if joinable {
				b.WriteRune(r)
			}
			joinable = joinable && r == 0xfe0f // a joiner may follow, as in a burning heart
		case hidden(r):
		default:
			b.WriteRune(r)
			joinable = r > unicode.MaxASCII
		}
	}
	return defuse(b.String())
}

// hidden reports whether a character has no glyph of its own: marks of direction and
// format, tags, variation selectors, fillers. Some Arabic signs are in that category and
// visible nevertheless.
func hidden(r rune) bool {
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) ||
		unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

var reminderTag = lazy.Pattern(`(?i)<([\s/]*system-reminder)`)

// defuse replaces the bracket of the client's tag, so that no text can end or imitate the
// client's messages.
func defuse(s string) string {
	if !strings.Contains(strings.ToLower(s), "system-reminder") { // most texts have none, and the expression is slow
		return s
	}
	return reminderTag().ReplaceAllString(s, "‹$1")
}

// PlainLine converts any text to one line that cannot end a quotation: no control or invisible characters, no quotation
// marks, no backticks, no tag brackets.
func PlainLine(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '"' || r == '`' || r == '“' || r == '”' || r == '„':
			return '\''
		case r == '<' || r == '＜':
			return '‹'
		case r == '>' || r == '＞':
			return '›'
		case unicode.IsSpace(r) || r == utf8.RuneError || unicode.IsControl(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1 // private use and unassigned characters
		}
		return r
	}, Visible(s))
	return clip.Within(strings.Join(strings.Fields(s), " "), limit)
}
