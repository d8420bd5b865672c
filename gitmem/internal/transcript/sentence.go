package transcript

import (
	"iter"
	"strings"

	"github.com/gitmem/gitmem/markdown"
)

// sentences yields the sentences and headings of a Markdown text. It omits code blocks, tables and quotations, which
// are not the author's own sentences.
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

// heading returns the first heading of a text that is more than a single word such as Plan, "" if there is none.
func heading(text string) string {
	for s := range sentences(text) {
		if s.Kind == markdown.LineHeading && strings.Contains(s.Text, " ") {
			return cut(s.Text, maxPrompt)
		}
	}
	return ""
}
