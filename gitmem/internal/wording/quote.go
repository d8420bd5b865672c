package wording

import (
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
		case r == '\u200c' || r == '\u200d': // joiners, which some scripts need
			return r
		case unicode.Is(unicode.Cf, r), r >= 0xE0100 && r <= 0xE01EF, unicode.IsControl(r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, line)
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
			return -1 // invisible: marks of direction, tags, private use
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	rs := []rune(s)[:limit-1]
	return strings.TrimRight(string(rs), " ") + "…"
}
