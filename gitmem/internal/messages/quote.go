package messages

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote is text as it may stand in what a model is told: on one line, between
// quotation marks that it can't close, of so many characters at most.
func Quote(text string, limit int) string {
	return "“" + Quotable(OneLine(text, limit)) + "”"
}

// Quotable takes out of a line what could end a quotation or stand for a mark of the
// client, and what no reader sees.
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

// Visible is a text as anybody may be shown it, a person or a model: without
// characters that nobody sees, in which words for a model could be hidden, and
// without the tag by which the client marks its own words to the model. Joiners and
// variation selectors stay where scripts and pictures need them: once behind a
// character that is no ASCII.
func Visible(s string) string {
	if isPlainASCII(s) {
		return defuse(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	joinable := false // the character before takes a joiner or a variation selector
	for i, r := range s {
		switch {
		case r == utf8.RuneError:
			_, size := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+size]) // as it is: what is no text hides nothing
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

func isPlainASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// hidden tells whether a character has no shape of its own: marks of direction and
// format, tags, variation selectors, fillers. Some Arabic signs are of that category
// and seen all the same.
func hidden(r rune) bool {
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) ||
		unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// defuse replaces the bracket of the client's tag, so that no text ends its words or
// passes for them.
func defuse(s string) string {
	if !strings.Contains(strings.ToLower(s), "system-reminder") { // most text, which is not worth an expression
		return s
	}
	return regexp.MustCompile(`(?i)<([\s/]*system-reminder)`).ReplaceAllString(s, "‹$1")
}

// PlainLine makes one line of any text that can't end what quotes it: no control
// or invisible characters, no quotation marks, no backticks, no brackets of tags.
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
			return -1 // private use, and what is not yet a character
		}
		return r
	}, Visible(s))
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	rs := []rune(s)[:limit-1]
	return strings.TrimRight(string(rs), " ") + "…"
}
