package transcript

import (
	"slices"
	"strings"
	"sync"
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
	return len(words) <= 8 && !slices.ContainsFunc(words, func(w string) bool { return !agreements()[w] })
}

var (
	agreementsOnce sync.Once
	agreementTable [1]map[string]bool
)

// agreements are the words that say nothing of a subject.
func agreements() map[string]bool {
	agreementsOnce.Do(func() {
		agreementTable[0] = map[string]bool{}
		for _, word := range templates.Agreements() {
			agreementTable[0][word] = true
		}
	})
	return agreementTable[0]
}
