package sessioncontext

import (
	"iter"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// Todos keeps the client's list of tasks as a session left it.
type Todos struct {
	session string
	clean   func(string) string
	line    int
	open    []Fact
}

// NewTodos are those of a session, none yet. clean takes secrets out of a text.
func NewTodos(session string, clean func(string) string) *Todos {
	return &Todos{session: session, clean: clean}
}

// After are the open ones, if the list was written behind a line: what became of an
// older one stands in what was not read.
func (l *Todos) After(line int) []Fact {
	if l.line <= line {
		return nil
	}
	return l.open
}

// Watch passes on the messages, and keeps the last list.
func (l *Todos) Watch(msgs iter.Seq2[transcript.Message, error]) iter.Seq2[transcript.Message, error] {
	return func(yield func(transcript.Message, error) bool) {
		for msg, err := range msgs {
			if err == nil && !msg.Sidechain && msg.Line < unknownLine {
				l.take(msg)
			}
			if !yield(msg, err) {
				return
			}
		}
	}
}

func (l *Todos) take(msg transcript.Message) {
	for _, b := range msg.Blocks() {
		if b.Kind != transcript.KindTodo || b.Tool != "TodoWrite" {
			continue
		}
		id := cite.ID{Kind: cite.KindTranscript, Name: l.session, Number: msg.Line, Fragment: b.Name()}.String()
		l.line, l.open = msg.Line, l.open[:0] // the whole list is written each time
		for line := range strings.Lines(b.Text) {
			if text, ok := strings.CutPrefix(strings.TrimSpace(line), "- ["); ok && !strings.HasPrefix(text, "x]") && len(text) > 3 {
				l.open = append(l.open, Fact{kind: kindTask, text: l.clean(text[3:]), id: id, trust: "untrusted", day: msg.Time.UTC().Format(time.DateOnly)})
			}
		}
	}
}
