package profile

import (
	"strings"

	"github.com/gitmem/gitmem/markdown"
)

// A message of more bytes is a paste: only its ends are read.
const (
	maxMessage = 12 << 10
	keptEnd    = 4 << 10
)

// hidden stands for what the writer only quotes. No value goes across it.
const hidden = "¤"

// sentence is one of the writer's own sentences.
type sentence struct {
	text     string // without its full stop
	question bool
}

// sentences are what the writer of a message says in own words: no code, no quotes and
// nothing pasted.
func (r rules) sentences(message string) []sentence {
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:keptEnd]+"\n"+message[len(message)-keptEnd:], "")
	}
	text := r.replace("quoted", r.prose(message), "$1"+hidden+"$2")
	text = r.replace("joined", text, ", $1")
	var all []sentence
	from := 0
	for _, stop := range append(r.re("stop").FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		s := sentence{strings.TrimSpace(text[from:stop[0]]), strings.ContainsAny(text[stop[0]:stop[1]], "?？")}
		from = stop[1]
		for _, order := range [...]string{"tag", "polite"} { // what only looks like a question
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

// prose is a message without code, logs, quoted lines and documents.
func (r rules) prose(message string) string {
	var b strings.Builder
	for line := range markdown.ProseLines(strings.ReplaceAll(message, "’", "'")) {
		if line.Kind == markdown.LineHeading {
			break // of a pasted document
		}
		own := line.Kind == markdown.LineText || line.Kind == markdown.LineItem
		if own && !r.re("log").MatchString(line.Text) {
			if !strings.ContainsAny(line.Words, ":：") {
				b.WriteString(line.Words + "\n")
				continue
			}
			if pasted := r.re("pasted").FindStringIndex(line.Words); pasted != nil {
				b.WriteString(line.Words[:pasted[1]])
				break
			}
			b.WriteString(line.Words)
		}
		b.WriteString("\n")
	}
	return b.String()
}
