package profile

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxValue is the length of a value in runes; a longer one is no name of anything.
const maxValue = 60

// cues are lists of words by their names; see templates.ProfileCues.
type cues struct{ lists map[string][]string }

// has reports whether a text holds one of the words of a list: a whole word, or anywhere
// in scripts without blanks.
func (c cues) has(list, text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(c.lists[list], func(word string) bool { return wordAt(text, word) >= 0 })
}

// wordAt is where a word begins in a text, -1 for nowhere.
func wordAt(text, word string) int {
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return -1
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		if word[0] >= 0xE3 || !isWord(before) && !isWord(after) {
			return at
		}
		from = at + len(word)
	}
}

// isWord reports whether a rune belongs to a word of a script with blanks.
func isWord(r rune) bool {
	return r == '\'' || r == '-' || r == '_' || (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r) && r != utf8.RuneError
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return strings.Trim(word, ",")
}

// macros are the lists that patterns name in braces.
func (c cues) macros() []string {
	var pairs []string
	for _, name := range [...]string{"role", "talk", "languages", "place", "slot"} {
		var words []string
		for _, w := range c.lists[name] {
			word, _, _ := strings.Cut(w, " = ")
			words = append(words, regexp.QuoteMeta(word))
		}
		slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
		pairs = append(pairs, "{"+name+"}", "(?:"+strings.Join(words, "|")+")")
	}
	return pairs
}

// phrase is what an object phrase names: without what comes behind it, articles and
// fillers; "" where nothing is left, or only something that is in sight.
func (c cues) phrase(s string) string {
	s = strings.Trim(s, " \t,.;:!?¤*_~")
	lower := strings.ToLower(s)
	if len(lower) != len(s) {
		return ""
	}
	for _, word := range c.lists["cut"] {
		if at := wordAt(lower, word); at > 0 && word[0] < 0xE3 {
			s, lower = s[:at], lower[:at]
		}
	}
	s = c.trim(s)
	if c.begins("deictic", s) || s == "" || utf8.RuneCountInString(s) > maxValue || strings.Contains(s, hidden) {
		return ""
	}
	return s
}

// trim cuts fillers off both ends of a phrase.
func (c cues) trim(s string) string {
	s = strings.TrimSpace(s)
	for again := true; again; {
		again = false
		for _, word := range c.lists["lead"] {
			if len(s) > len(word) && strings.EqualFold(s[:len(word)], word) && (s[len(word)] == ' ' || word[0] >= 0xE3) {
				s, again = strings.TrimSpace(s[len(word):]), true
			}
		}
		for _, word := range c.lists["tail"] {
			if n := len(s) - len(word); n > 0 && strings.EqualFold(s[n:], word) && (s[n-1] == ' ' || word[0] >= 0xE3) {
				s, again = strings.TrimRight(s[:n], " ,"), true
			}
		}
	}
	return s
}

// begins reports whether the first word of a phrase is of a list.
func (c cues) begins(list, s string) bool {
	s = strings.ToLower(s)
	return slices.ContainsFunc(c.lists[list], func(word string) bool {
		rest, ok := strings.CutPrefix(s, word)
		next, _ := utf8.DecodeRuneInString(rest)
		return ok && (word[0] >= 0xE3 || !isWord(next))
	})
}
