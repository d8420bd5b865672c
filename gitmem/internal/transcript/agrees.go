package transcript

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/templates"
)

// Agrees reports whether a prompt consists only of greetings, agreement, thanks, refusal and requests to continue, and
// so contains nothing worth remembering.
func Agrees(text string) bool {
	words := plainWords(text)
	return len(words) <= 8 && !slices.ContainsFunc(words, saysMore)
}

// saysMore reports whether a word is not in the list of agreements.
func saysMore(word string) bool { return !known().agreements[word] }

// Vague reports whether a prompt has no content of its own: besides agreement it has at most one word, which is common
// to all sessions or refers to something named before, as in "fix it".
func Vague(text string) bool {
	words := plainWords(text)
	at := slices.IndexFunc(words, saysMore)
	switch {
	case at < 0 || len(words) > 5:
		return at < 0 && len(words) <= 8
	case slices.ContainsFunc(words[at+1:], saysMore) || strings.ContainsFunc(words[at], unicode.IsDigit):
		return false
	}
	behind := at + 1
	return behind < len(words) && slices.Contains(pronouns[:], words[behind]) || isCommon(words[at])
}

// isCommon reports whether a word is common to sessions about any subject.
func isCommon(word string) bool { return known().common[stemsOf([]string{word})[0]] }

// pronouns are the words that refer to something named before.
var pronouns = [...]string{"it", "this", "that", "them", "these", "those", "es", "das", "ça", "cela", "lo",
	"esto", "eso"}

// plainWords returns the words of a text in lower case and without apostrophes.
func plainWords(text string) []string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r == '\'' || r == '’':
			return -1
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r):
			return unicode.ToLower(r)
		}
		return ' '
	}, text)
	return strings.Fields(plain)
}

// Greets reports whether a prompt is only a greeting.
func Greets(text string) bool {
	return Agrees(text) && greets(text)
}

// greets reports whether a prompt contains a word of greeting.
func greets(text string) bool {
	return slices.ContainsFunc(Words(text), func(w string) bool { return slices.Contains(templates.Greetings(), w) })
}

// Thanks reports whether a prompt only thanks or says goodbye, and so answers nothing.
func Thanks(text string) bool {
	words := Words(text)
	thanks := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(thanking[:], w) })
	return thanks && Agrees(text) && !slices.ContainsFunc(words, func(w string) bool {
		return w == "yes" || w == "ja" || w == "ok" || w == "no"
	})
}

// thanking are the words that thanks and goodbyes contain.
var thanking = [...]string{"thanks", "thank", "thx", "ty", "cheers", "bye", "goodbye", "danke", "tschüss", "merci",
	"gracias", "ciao"}
