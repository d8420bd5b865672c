package markdown

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Slug is the anchor that GitHub gives a heading: lower case, blanks as
// hyphens, and only letters, marks, digits, hyphens and underscores, of a link its
// words alone. Citation ids end in it (rules:<file>#<slug>). Bytes that are not UTF-8 are left out.
func Slug(title string) string {
	var b strings.Builder
	title = strings.TrimSpace(WithoutLinks(title))
	for i, r := range title {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(title[i:], "\ufffd"):
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Pc):
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

var inlineLink = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`) })

// WithoutLinks is a text with the words of its links alone.
func WithoutLinks(text string) string {
	if !strings.Contains(text, "](") { // most, which are not worth an expression
		return text
	}
	return inlineLink().ReplaceAllString(text, "$1")
}

// Anchors gives each section its anchor within the file, by index: its slug,
// with "-1", "-2" and so on behind it where an earlier section has the same.
func (d *Doc) Anchors() []string {
	out := make([]string, len(d.Sections))
	taken := map[string]bool{}
	next := map[string]int{}
	for i := range d.Sections {
		slug := Slug(d.Sections[i].Title)
		anchor := slug
		for taken[anchor] {
			next[slug]++
			anchor = slug + "-" + strconv.Itoa(next[slug])
		}
		taken[anchor] = true
		out[i] = anchor
	}
	return out
}
