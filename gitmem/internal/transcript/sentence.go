package transcript

import (
	"iter"

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

// firstHeading is what the first heading of a text says, "" where it has none.
func firstHeading(text string) string {
	for s := range sentences(text) {
		if s.Kind == markdown.LineHeading {
			return cut(s.Text, maxPrompt)
		}
	}
	return ""
}
