package tombstone

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
)

// Text returns the text of a line as a person would quote it: without quote marks, heading marks, bullet, checkbox,
// category, reference, block id and speaker mark, and with white space folded.
func Text(line string) string {
	s := strings.Join(strings.Fields(line), " ")
	for {
		cut := cutMark(s)
		if cut == s {
			break
		}
		s = strings.TrimSpace(cut)
	}
	if i := strings.LastIndex(s, " ^"); i >= 0 && blockID(s[i+2:]) {
		s = s[:i]
	}
	if i := strings.LastIndex(s, " ("); i >= 0 && reference(s[i+2:]) {
		s = s[:i]
	}
	s, _ = answer.CutMark(s)
	return strings.TrimSpace(s)
}

// wordless matches lines of the archive without content of their own: a relation of the idea above, or the number of
// omitted lines.
var wordless = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + strings.Join(markdown.RelationKinds(), "|") +
		`)(?:,? \[\[[\d#-]*\^?i-[\w-]+\]\])+$|^\d+ more lines of kind \pL+ are in the transcript$`)
})

// Normal returns the form in which lines are compared: [Text] in lower case, without full stops at its end. It is empty
// for a line without content, such as a fence, a rule or a relation, which is removed only together with what it
// belongs to, because other lines equal it.
func Normal(line string) string {
	s := strings.TrimRight(strings.ToLower(Text(line)), ". ")
	if strings.Trim(s, "-=*_#`~>+|:. ") == "" || wordless().MatchString(s) {
		return ""
	}
	return s
}

// cutMark removes one mark from the beginning.
func cutMark(s string) string {
	switch {
	case strings.HasPrefix(s, "> "), strings.HasPrefix(s, "- "), strings.HasPrefix(s, "* "), strings.HasPrefix(s, "+ "):
		return s[2:]
	case strings.HasPrefix(s, "#"):
		if rest := strings.TrimLeft(s, "#"); strings.HasPrefix(rest, " ") && len(s)-len(rest) <= 6 {
			return rest
		}
	case strings.HasPrefix(s, "["):
		word, rest, ok := strings.Cut(s[1:], "] ")
		if ok && len(word) <= 20 && !strings.ContainsAny(word, " [](") || ok && word == " " {
			return rest
		}
	}
	number := strings.TrimLeft(s, "0123456789")
	if n := len(s) - len(number); n > 0 && n < 10 && (strings.HasPrefix(number, ". ") || strings.HasPrefix(number, ") ")) {
		return number[2:]
	}
	return s
}

func blockID(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return s != ""
}

// bySpeaker matches the speaker at the end of a reference.
var bySpeaker = lazy.Pattern(` by ` + markdown.ByPattern + `$`)

// reference reports whether text is the end of a bracket such as (0.6 L140 14:25 by me).
func reference(s string) bool {
	s, ok := strings.CutSuffix(s, ")")
	if s = bySpeaker().ReplaceAllString(s, ""); !ok || s == "" {
		return false
	}
	return !slices.ContainsFunc(strings.Fields(s), func(word string) bool {
		return strings.Trim(strings.TrimPrefix(word, "L"), "0123456789.:") != ""
	})
}

// Distinctive reports whether a line in its normal form is so specific that the same line elsewhere is the same
// statement: it has four words, or sixteen characters.
func Distinctive(normal string) bool {
	return utf8.RuneCountInString(normal) >= 16 || len(strings.Fields(normal)) >= 4
}

// Quotes returns the shortened forms in which subjects of commits and titles of sessions quote a line, in normal form.
func Quotes(line string) []string {
	text := []rune(Text(line))
	var out []string
	for _, limit := range [...]int{60, 72} {
		if len(text) > limit {
			out = append(out, Normal(strings.TrimRight(string(text[:limit-1]), " ")+"…"), Normal(string(text[:limit-1])+"…"))
		}
	}
	return out
}
