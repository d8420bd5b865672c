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

// LastSections returns a file of at most most bytes unchanged, or the frontmatter of a larger one and its last sections
// of level two.
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

// Limits for a transcript in a session context.
const (
	beginBytes   = 32 << 10 // bytes of the beginning
	beginMost    = 1 << 20  // if no earlier prompt has content
	tailBytes    = 64 << 10 // bytes of the end
	countedBytes = 8 << 20  // size from which lines are not counted, so that the end can't be cited
)

// Ends reads the beginning and the end of a transcript.
type Ends struct {
	File  *transcript.Handle
	Size  int64
	Exact bool // read nothing with an unknown line: it may be a forgotten one
	Gap   int  // the last line before an unread part, 0 if all was read; set by reading
}

// Messages yields the messages of the beginning, up to a prompt with content and a size limit, and those of the end.
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

// tail returns the start of the last lines of a transcript, not before a position.
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

// unknownLine is larger than any line number.
const unknownLine = 1 << 30
