package tombstone

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Text is the text of a line as a person would quote it: without quote marks,
// heading marks, bullet, checkbox, category, reference and block id, and with
// white space folded.
func Text(line string) string {
	s := strings.Join(strings.Fields(line), " ")
	for n := 1; n > 0; s = strings.TrimSpace(s[n:]) {
		n = len(mark.FindString(s))
	}
	return strings.TrimSpace(reference.ReplaceAllString(blockID.ReplaceAllString(s, ""), ""))
}

// Normal is the form in which lines are compared: [Text] in lower case, without
// full stops at its end. It is empty for a line that says nothing, such as a fence
// or a rule.
func Normal(line string) string {
	s := strings.TrimRight(strings.ToLower(Text(line)), ". ")
	if strings.Trim(s, "-=*_#`~>+|:. ") == "" {
		return ""
	}
	return s
}

var (
	// mark is what may begin a line: of a quotation, a bullet, a heading, a box or
	// category, a number.
	mark = regexp.MustCompile(`^(?:[>*+-] |#{1,6} |\[(?: |[^ \[\](]*)\] |[0-9]+[.)] )`)
	// blockID is one at the end of a line, and reference a bracket there such as
	// (0.6 L140 14:25).
	blockID   = regexp.MustCompile(` \^[A-Za-z0-9_-]+$`)
	reference = regexp.MustCompile(` \((?:L?[0-9.:]+ ?)+\)$`)
)

// Distinctive says whether a line in its normal form says so much that the same
// line elsewhere is the same statement: it has four words, or sixteen characters.
func Distinctive(normal string) bool {
	return utf8.RuneCountInString(normal) >= 16 || len(strings.Fields(normal)) >= 4
}

// Quotes are the shortened forms in which subjects of commits and titles of
// sessions quote a line, in their normal form.
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
