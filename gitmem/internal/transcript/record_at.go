package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// ErrNoMessage means that a record exists but contains no message of the conversation.
var ErrNoMessage = errors.New("no message in this record")

// At reads one record, a message or a title, of length bytes at offset, as given by Message.Offset and Message.Length.
// Its Line is 0: only reading from the beginning can count lines. It returns io.ErrUnexpectedEOF if the bytes do not
// exist and ErrNoMessage for other records than messages.
func At(r io.ReaderAt, offset, length int64) (Message, error) {
	if offset < 0 || length < 0 || length > maxLine {
		return Message{}, fmt.Errorf("transcript record at byte %d: impossible length %d", offset, length)
	}
	line := make([]byte, length)
	if n, err := r.ReadAt(line, offset); int64(n) < length {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return Message{}, fmt.Errorf("transcript record at byte %d: %w", offset, err)
	}
	rec, err := decode(bytes.Trim(line, blank))
	if err != nil {
		return Message{}, fmt.Errorf("transcript record at byte %d: %w", offset, err)
	}
	m, got := rec.message()
	if got.title != "" {
		m, got.message = rec.title(got.title), true
	}
	if !got.message {
		return Message{}, fmt.Errorf("transcript record at byte %d: %w", offset, ErrNoMessage)
	}
	m.Offset, m.Length = offset, length
	return m, nil
}

// Line reads the message or title in line n, 1-based, of the session file r. It returns io.ErrUnexpectedEOF if the line
// does not exist and ErrNoMessage if it has no message.
func Line(r io.Reader, n int) (Message, error) {
	in := NewReader(r, Position{}).WithTitles()
	if err := in.passTo(n); err != nil {
		return Message{}, fmt.Errorf("read transcript line %d: %w", in.end.Line+1, err)
	}
	if n < 1 || in.done {
		return Message{}, fmt.Errorf("transcript line %d: %w", n, io.ErrUnexpectedEOF)
	}
	if err := in.next(); err != nil {
		return Message{}, fmt.Errorf("read transcript line %d: %w", n, err)
	}
	if len(in.queue) > 0 {
		return in.queue[0], nil
	}
	if in.done && in.stats.Lines == 0 || in.stats.Torn {
		return Message{}, fmt.Errorf("transcript line %d: %w", n, io.ErrUnexpectedEOF)
	}
	return Message{}, fmt.Errorf("transcript line %d: %w", n, ErrNoMessage)
}

// passTo skips the lines before the n-th.
func (r *Reader) passTo(n int) error {
	for r.end.Line+1 < n && !r.done {
		_, size, err := r.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if r.done = err != nil; !r.done || size > 0 {
			r.end = Position{r.end.Offset + size, r.end.Line + 1}
		}
	}
	return nil
}

// Pass skips the lines up to the n-th, or to the end of the session.
func (r *Reader) Pass(n int) error {
	err := r.passTo(n + 1)
	r.pos = r.end
	return err
}
