package sessioncontext

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
)

// LastSections is a file of at most so many bytes, or the frontmatter of a larger one and
// its last sections of level two.
func LastSections(b []byte, most int) ([]byte, error) {
	if len(b) <= most {
		return b, nil
	}
	at := bytes.Index(b[len(b)-most:], []byte("\n## "))
	if at < 0 {
		return nil, errors.New("too large, and without a section near its end")
	}
	var front []byte
	if d := markdown.Parse(b[:min(most, 4<<10)]); d.Front != nil {
		front = b[:d.Front.Span.End]
	}
	return slices.Concat(front, b[len(b)-most+at:]), nil
}

// What a session context reads of a transcript, at most.
const (
	beginBytes   = 32 << 10 // bytes of the beginning
	beginMost    = 1 << 20  // where no prompt before says anything
	tailBytes    = 64 << 10 // bytes of the end
	countedBytes = 8 << 20  // bytes from which on lines are not counted, so that the end can't be cited
)

// Ends reads the beginning and the end of a transcript.
type Ends struct {
	File  *transcript.Handle
	Size  int64
	Exact bool // nothing is read whose line is not known: it may be one that was forgotten
	Gap   int  // the last line before a part that was not read, 0 where all was; set by reading
}

// Messages yields those of the beginning, up to a prompt that says something and a bound, and of the end.
func (e *Ends) Messages() iter.Seq2[transcript.Message, error] {
	return func(yield func(transcript.Message, error) bool) {
		begin := transcript.NewReader(io.NewSectionReader(e.File, 0, e.Size), transcript.Position{})
		prompted := false
		for msg, err := range begin.All() {
			if !yield(msg, err) || err != nil {
				return
			}
			prompted = prompted || msg.Prompt && !transcript.Agrees(msg.Text)
			if at := begin.Position().Offset; at > beginBytes && prompted || at > beginMost {
				break
			}
		}
		from := e.tail(begin.Position())
		if from.Offset >= e.Size {
			return
		}
		end := transcript.NewReader(io.NewSectionReader(e.File, from.Offset, e.Size-from.Offset), from)
		for msg, err := range end.All() {
			if !yield(msg, err) {
				return
			}
		}
	}
}

// tail is where the last lines of a transcript begin, not before a position.
func (e *Ends) tail(read transcript.Position) transcript.Position {
	if e.Size-tailBytes <= read.Offset {
		return read
	}
	e.Gap = read.Line
	from, counted := transcript.Tail(e.File, read, e.Size, tailBytes, countedBytes)
	switch {
	case counted:
	case e.Exact:
		from.Offset = e.Size
	default:
		from.Line = unknownLine
	}
	return from
}

// unknownLine is more than any transcript has.
const unknownLine = 1 << 30
