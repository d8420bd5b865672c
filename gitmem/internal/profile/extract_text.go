package profile

import (
	"strings"

	"github.com/gitmem/gitmem/markdown"
)

// keptEnd is the length of each end of an overlong message that is read; the middle must be pasted text.
const keptEnd = 6 << 10

// sentence is one of the writer's own sentences.
type sentence struct {
	text     string // without its full stop
	question bool
}

// sentences returns the writer's own sentences in a message, without code, quotations and pasted text.
func (r rules) sentences(message string) []sentence {
	text := r.replace("quoted", r.prose(message), "$1¤$2") // no match crosses that sign
	text = r.replace("joined", text, ", $1")
	var all []sentence
	from := 0
	for _, stop := range append(r.re("stop").FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		s := sentence{strings.TrimSpace(text[from:stop[0]]), strings.ContainsAny(text[stop[0]:stop[1]], "?？")}
		from = stop[1]
		for _, order := range [...]string{"tag", "polite"} { // phrases that only look like a question
			if order := r.replace(order, s.text, ""); order != s.text {
				s = sentence{text: order}
			}
		}
		if s.text != "" {
			all = append(all, s)
		}
	}
	return all
}

// prose returns a message without code, logs, quoted lines and documents.
func (r rules) prose(message string) string {
	if len(message) > 2*keptEnd {
		message = strings.ToValidUTF8(message[:keptEnd]+"\n"+message[len(message)-keptEnd:], "")
	}
	var b strings.Builder
	for line := range markdown.ProseLines(strings.ReplaceAll(message, "’", "'")) {
		if line.Kind == markdown.LineHeading {
			break // of a pasted document
		}
		if line.Kind != markdown.LineText && line.Kind != markdown.LineItem || r.re("log").MatchString(line.Text) {
			b.WriteString("\n")
			continue
		}
		if strings.ContainsAny(line.Words, ":：") {
			if own := r.re("pasted").FindString(line.Words); own != "" {
				return b.String() + own
			}
		}
		b.WriteString(line.Words + "\n")
	}
	return b.String()
}
