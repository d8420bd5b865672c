package ask

import (
	"slices"
	"strings"
)

// asksForDefault tells whether a question says that something is so by default, and
// nothing in it says that it is off.
func asksForDefault(text string) bool {
	words := plainWords(text)
	return namesDefault(words) && !switchesOff(words) && !tellsEnd(text)
}

// offByDefault tells whether all that passages say of a default is that it is off.
func offByDefault(passages []string) bool {
	off := false
	for _, p := range passages {
		for _, clause := range clauses(p) {
			words := plainWords(clause)
			if !namesDefault(words) {
				continue
			}
			if !switchesOff(words) && !tellsEnd(clause) {
				return false
			}
			off = true
		}
	}
	return off
}

func namesDefault(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"default", "defaults", "defaulted", "defaulting"}, strings.Trim(w, "`'.*"))
	})
}

// switchesOff tells whether words say that something is off or left to a choice.
func switchesOff(words []string) bool {
	return negates(words) || slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"false", "off", "disabled", "disables", "optional", "opt-in", "opt"}, strings.Trim(w, "`'.*"))
	})
}
