package transcript

import (
	"strings"

	"github.com/gitmem/gitmem/markdown"
)

// compacted returns the first sentence about the subject in a client's summary, after the client's preamble, the
// model's analysis and headings.
func compacted(m Message) Quote {
	for s := range sentences(withoutLabels(summaryOf(m.Text))) {
		if s.Kind != markdown.LineHeading && endsSentence(s.Text) && len(Words(s.Text)) > 3 {
			return Quote{Line: m.Line, Time: m.Time, Text: cut(s.Text, maxOutcome)}
		}
	}
	return Quote{}
}

// summaryOf returns the body of a client's summary: the text after the line "Summary:", or else after the first
// paragraph, which explains its origin, and after the label of the model's analysis.
func summaryOf(text string) string {
	if _, said, ok := strings.Cut(text, "\nSummary:"); ok {
		return said
	}
	if strings.HasPrefix(text, continued) {
		_, said, _ := strings.Cut(text, "\n")
		return said
	}
	return text
}

// withoutLabels returns a text without the lines that end in a colon, which only introduce what follows.
func withoutLabels(text string) string {
	var b strings.Builder
	label := false
	for line := range strings.Lines(text) {
		if label {
			line = strings.TrimLeft(line, " \t") // no longer part of the label's item
		}
		if label = strings.HasSuffix(strings.TrimRight(line, "*_ \r\n"), ":"); label {
			line = "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// continued is the start of the client's preamble of a summary.
const continued = "This session is being continued from a previous conversation"

// endsSentence reports whether a text ends with the punctuation of a sentence. Headings and labels end in a word or a
// colon, also as items of a list.
func endsSentence(text string) bool {
	text = strings.TrimRight(text, "\"'”»)`*_ ")
	return strings.HasSuffix(text, ".") || strings.ContainsAny(text[max(0, len(text)-3):], "!?。…")
}
