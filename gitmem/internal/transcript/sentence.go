package transcript

import (
	"iter"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/markdown"
)

// sentences yields the sentences and headings of a Markdown text. Code blocks, tables and
// quotations are not the author's own sentences and are left out.
func sentences(text string) iter.Seq[markdown.Sentence] {
	return func(yield func(markdown.Sentence) bool) {
		for s := range markdown.Sentences(text) {
			switch s.Kind {
			case markdown.LineItem:
				if s.First {
					s.Text = markdown.TrimCheckbox(s.Text)
				}
			case markdown.LineText, markdown.LineHeading:
			default:
				continue
			}
			if s.Text != "" && !yield(s) {
				return
			}
		}
	}
}

// normal returns the words of a sentence in lower case with single blanks
// between them, without code spans.
func normal(s string) string {
	var b strings.Builder
	code := false
	for _, r := range s {
		if r == '`' {
			code = !code
		}
		if code || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = ' '
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
