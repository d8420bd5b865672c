package transcript

import (
	"iter"
	"strings"

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

// heading is what the first heading of a text says that is more than a word such as Plan, "" where
// there is none.
func heading(text string) string {
	for s := range sentences(text) {
		if s.Kind == markdown.LineHeading && strings.Contains(s.Text, " ") {
			return cut(s.Text, maxPrompt)
		}
	}
	return ""
}
