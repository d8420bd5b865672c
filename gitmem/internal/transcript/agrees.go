package transcript

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/templates"
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

// Greets reports whether a prompt is a greeting and nothing else.
func Greets(text string) bool {
	return Agrees(text) && slices.ContainsFunc(Words(text), func(w string) bool { return slices.Contains(templates.Greetings(), w) })
}

// Thanks reports whether a prompt only thanks or says goodbye, which answers nothing.
func Thanks(text string) bool {
	words := Words(text)
	thanks := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(thanking[:], w) })
	return thanks && Agrees(text) && !slices.ContainsFunc(words, func(w string) bool { return w == "yes" || w == "ja" || w == "ok" || w == "no" })
}

// thanking are the words of which one is in thanks and goodbyes.
var thanking = [...]string{"thanks", "thank", "thx", "ty", "cheers", "bye", "goodbye", "danke", "tschüss", "merci", "gracias", "ciao"}
