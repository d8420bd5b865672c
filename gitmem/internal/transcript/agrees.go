package transcript

import (
	"slices"
	"strings"
	"unicode"
)

// Agrees reports whether a prompt is of nothing but greetings, agreement, thanks, refusal and
// pushes to go on: it says nothing worth remembering.
func Agrees(text string) bool {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r == '\'' || r == '’':
			return -1
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r):
			return unicode.ToLower(r)
		}
		return ' '
	}, text)
	words := strings.Fields(plain)
	return len(words) <= 8 && !slices.ContainsFunc(words, func(w string) bool { return !known().agreements[w] })
}
