package transcript

import (
	"strings"

	"github.com/gitmem/gitmem/markdown"
)

// compacted returns what a summary of the client says first of the matter itself, behind the client's
// own preamble, what the model thought before it wrote, and headings.
func compacted(m Message) Quote {
	for s := range sentences(withoutLabels(summaryOf(m.Text))) {
		if s.Kind != markdown.LineHeading && endsSentence(s.Text) && len(Words(s.Text)) > 3 {
			return Quote{Line: m.Line, Time: m.Time, Text: cut(s.Text, maxOutcome)}
		}
	}
	return Quote{}
}

// summaryOf is a summary of the client from the line on that only says so, as "Summary:", or else
// behind the first paragraph, which says where it comes from, and behind the label of what the model
// thought.
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

// withoutLabels is a text without the lines that end in a colon, which only say what comes.
func withoutLabels(text string) string {
	var b strings.Builder
	label := false
	for line := range strings.Lines(text) {
		if label {
			line = strings.TrimLeft(line, " \t") // a part of the label's item no more
		}
		if label = strings.HasSuffix(strings.TrimRight(line, "*_ \r\n"), ":"); label {
			line = "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// continued begins what the client says before its summary.
const continued = "This session is being continued from a previous conversation"

// endsSentence reports whether a text ends as a sentence does: a heading and a label end in a word or a
// colon, also where they are an item of a list.
func endsSentence(text string) bool {
	text = strings.TrimRight(text, "\"'”»)`*_ ")
	return strings.HasSuffix(text, ".") || strings.ContainsAny(text[max(0, len(text)-3):], "!?。…")
}
