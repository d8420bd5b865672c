package messages

import (
	"strings"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/internal/lazy"
)

// ConflictMark begins a list item with another machine's version of the item above, as added by a merge.
const ConflictMark = "[conflict] "

// boldEnd matches the end of bold text, outside of code.
var boldEnd = lazy.Pattern("^[^`*]*[^`* ](\\*\\*)(?:[ .,:;!?)]|$)")

// Paragraph folds text to one line that neither starts a block nor carries a block id.
func Paragraph(text string) string {
	line := strings.Join(strings.Fields(redact.Plain(text)), " ")
	whole := line
	line = strings.TrimLeft(line, "#><-*+ ") // neither Markdown nor HTML may begin here
	if strings.HasSuffix(whole[:len(whole)-len(line)], "**") {
		if at := boldEnd().FindStringSubmatchIndex(line); at != nil {
			line = line[:at[2]] + line[at[3]:]
		}
	}
	for strings.Contains(line, " ^") { // one may follow another
		line = strings.ReplaceAll(line, " ^", " ")
	}
	return line
}

// OneLine folds white space and cuts the text, and removes block ids.
func OneLine(s string, limit int) string {
	// Cut generously first: folding a megabyte of output for 500 characters is expensive.
	s = redact.Plain(Clip(s, 8*limit))
	s = strings.Join(strings.Fields(s), " ")
	return Clip(strings.ReplaceAll(s, " ^o-", " o-"), limit)
}

// Clip returns the first characters of a text, at most runes, and a mark if it was cut. It is valid UTF-8 for any text.
func Clip(s string, runes int) string {
	if len(s) <= runes {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	n := 0
	for i := range s {
		if n == runes {
			return strings.ToValidUTF8(s[:i], "\uFFFD") + "…"
		}
		n++
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// ClipBytes returns at most n bytes of the beginning of a text, in whole characters.
func ClipBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
