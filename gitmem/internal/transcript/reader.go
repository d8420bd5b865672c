package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Position is a position in a session file from which reading can continue: Offset bytes and Line line ends precede it.
//
// It is after the last line that was read completely. A last line without line end that breaks off inside its record is
// after the position and is read once it is complete. If only the line end of a complete record is missing, the record
// is delivered and the position is right after it, with the line not yet counted: the line end that is written later is
// then read as the rest of this line. So records are never lost, doubled or numbered wrongly, wherever the writer was
// interrupted.
type Position struct {
	Offset int64
	Line   int
}

// Stats contains the counts of a Reader since it was created.
type Stats struct {
	Lines   int // non-empty lines
	Skipped int // lines, or rests of lines, that could not be read
	// Torn: the input ends inside a record, which was not consumed.
	Torn bool
}

// Tail returns the start of the first complete line within the last most bytes of a session file of a size, and not
// before a position. It counts the lines before it unless the file has more than countable bytes.
func Tail(r io.ReaderAt, from Position, size, most, countable int64) (at Position, counted bool) {
	if counted = size <= countable; !counted {
		from.Offset = max(from.Offset, size-most-1)
	}
	in := bufio.NewReaderSize(io.NewSectionReader(r, from.Offset, size-from.Offset), bufferSize)
	for from.Offset < size-most {
		part, err := in.ReadSlice('\n')
		from.Offset += int64(len(part))
		if err == nil {
			from.Line++
		} else if !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
	}
	return from, counted
}

const (
	maxLine    = 64 << 20 // bytes; longer lines are skipped
	bufferSize = 64 << 10
)

// Reader reads the messages of one session file. It is not safe for
// concurrent use.
type Reader struct {
	in    *bufio.Reader
	pos   Position
	stats Stats
	limit int    // bytes of a line
	long  []byte // a line that did not fit the buffer of in
	queue []Message
	after []Position // for each message in queue, the position after it
	end   Position   // after the line whose messages are in queue
	done  bool
	// titles are also yielded as messages.
	titles bool
	// named: a record names its session, as in Claude Code.
	named bool
	tree  Tree
}

// NewReader returns a Reader of r, whose first byte is at at.Offset of the file: the caller has seeked there. The zero
// Position is the beginning.
func NewReader(r io.Reader, at Position) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, bufferSize), pos: at, end: at, limit: maxLine}
}

// All yields the messages of the session with a path in file order. If the session can't be opened, the error is the
// only element.
func All(path string) iter.Seq2[Message, error] { return allOf(path, false) }

// Conversation is All with the tree of the records: it marks messages that were taken back and omits repeated ones. It
// reads the session twice.
func Conversation(path string) iter.Seq2[Message, error] { return allOf(path, true) }

func allOf(path string, byTree bool) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		h, err := OpenSession(path)
		if err != nil {
			yield(Message{}, err)
			return
		}
		defer h.Close()
		var tree Tree
		if byTree {
			tree, _, err = h.Tree(Position{}, "")
		}
		r, openErr := h.Reader(Position{})
		if err = errors.Join(err, openErr); err != nil {
			yield(Message{}, err)
			return
		}
		r.WithTree(tree).All()(yield)
	}
}

// WithTree makes the reader mark messages that were taken back and omit repeated ones, and returns the reader.
func (r *Reader) WithTree(t Tree) *Reader {
	r.tree = t
	return r
}

// WithTitles makes the reader also yield titles of the session, as messages whose Role is RoleTitle and whose Text is
// the title, and returns the reader.
func (r *Reader) WithTitles() *Reader {
	r.titles = true
	return r
}

// Position returns the position after the last yielded message and, once the input is exhausted, after everything
// skipped since.
func (r *Reader) Position() Position { return r.pos }

// Stats returns the counts so far.
func (r *Reader) Stats() Stats { return r.stats }

// All yields the messages in file order. An error comes from reading r, is the last element, and leaves the position
// before the line that could not be read. Ranging over All again continues after the last loop; at the end of the input
// it yields nothing, even if the file has grown: that requires a new Reader.
func (r *Reader) All() iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		for {
			if !r.deliver(yield) {
				return
			}
			r.pos = r.end
			if r.done {
				return
			}
			if err := r.next(); err != nil {
				r.done = true
				yield(Message{}, fmt.Errorf("read transcript line %d: %w", r.pos.Line+1, err))
				return
			}
		}
	}
}

// deliver yields the queued messages and reports whether more are wanted.
func (r *Reader) deliver(yield func(Message, error) bool) bool {
	for len(r.queue) > 0 {
		m := r.queue[0]
		r.pos = r.after[0]
		r.queue, r.after = r.queue[1:], r.after[1:]
		if !yield(m, nil) {
			return false
		}
	}
	return true
}

// next reads one line and queues its messages.
func (r *Reader) next() error {
	line, size, err := r.line()
	ended := err == nil
	if !ended && !errors.Is(err, io.EOF) {
		return err
	}
	r.done = !ended
	consumed := 0
	switch {
	case size <= int64(r.limit):
		consumed = r.records(line, ended)
	case ended:
		r.stats.Skipped++
	default:
		r.stats.Torn = true
	}
	if ended {
		r.end = Position{r.end.Offset + size, r.end.Line + 1}
	} else {
		r.end.Offset += int64(consumed)
	}
	return nil
}

// line returns the next line with its line end, and its size. The bytes are valid until the next call and are truncated
// beyond the limit.
func (r *Reader) line() (line []byte, size int64, err error) {
	part, err := r.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return part, int64(len(part)), err
	}
	r.long = append(r.long[:0], part...)
	size = int64(len(part))
	for errors.Is(err, bufio.ErrBufferFull) {
		part, err = r.in.ReadSlice('\n')
		size += int64(len(part))
		if size <= int64(r.limit) {
			r.long = append(r.long, part...)
		}
	}
	return r.long, size, err
}

// records reads the records of one line and returns how many bytes they take. Usually there is one, but after a crash a
// second one can follow without a line end between them.
func (r *Reader) records(line []byte, ended bool) (consumed int) {
	at, end := skipBlank(line, 0), len(bytes.TrimRight(line, blank))
	if at >= end {
		if ended && bytes.IndexByte(line, 0) >= 0 {
			r.stats.Skipped++
		}
		return 0
	}
	r.stats.Lines++
	if rec, err := decode(line[at:end]); err == nil {
		r.record(rec, at, end)
		return end
	}
	for at < end {
		var raw json.RawMessage
		if line[at] != '{' || json.NewDecoder(bytes.NewReader(line[at:end])).Decode(&raw) != nil {
			if r.stats.Torn = !ended; ended { // otherwise it may still become a record
				r.stats.Skipped++
			}
			return consumed
		}
		consumed = at + len(raw)
		rec, err := decode(raw)
		if err != nil {
			r.stats.Skipped++
		}
		r.record(rec, at, consumed)
		at = skipBlank(line, consumed)
	}
	return consumed
}

// record queues the message of a record, if it contains one.
func (r *Reader) record(rec record, start, end int) {
	m, got := rec.message()
	r.named = r.named || rec.SessionID != ""
	if got.broken {
		r.stats.Skipped++
	}
	if r.titles && got.title != "" {
		m, got.message = rec.title(got.title), true
	}
	line := r.end.Line + 1
	if !got.message || r.tree.repeated.Has(line) {
		return
	}
	m.TakenBack = r.tree.takenBack.Has(line)
	m.Line, m.Offset, m.Length = line, r.end.Offset+int64(start), int64(end-start)
	r.queue = append(r.queue, m)
	r.after = append(r.after, Position{m.Offset + m.Length, r.end.Line})
}

// blank contains the bytes that may surround a record: white space, NUL bytes from a power loss, a byte order mark.
const blank = " \t\r\n\x00\ufeff"

func skipBlank(line []byte, at int) int {
	return len(line) - len(bytes.TrimLeft(line[at:], blank))
}
