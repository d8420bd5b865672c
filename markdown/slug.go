package markdown

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Slug returns the anchor that GitHub gives a heading: lower case, spaces as hyphens, and only letters,
// marks, digits, hyphens and underscores; of a link only its text. Citation ids end in it
// (rules:<file>#<slug>). Bytes that are not UTF-8 are left out.
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

// WithoutLinks replaces the links in a text with their texts.
func WithoutLinks(text string) string {
	if !strings.Contains(text, "](") { // avoids the regular expression for most texts
		return text
	}
	return inlineLink().ReplaceAllString(text, "$1")
}

// Anchors returns the anchor of each section within the file, by index: its slug, with "-1", "-2" and so on
// appended if an earlier section has the same.
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
