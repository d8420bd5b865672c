package transcript

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gitmem/gitmem/internal/slice"
)

// Grep calls visit for the messages of a session file whose raw line may hold all
// of the texts, in any case of ASCII letters, in the order of the file. What a line
// surely lacks is found without decoding it, so that a message which is visited may
// still lack a text. Lines that can't be read are passed over. It ends when visit
// returns false, at the end of the file, or soon after the context does.
func Grep(ctx context.Context, r io.Reader, texts []string, visit func(Message) bool) error {
	needles := slice.Map(texts, func(t string) []byte { return []byte(strings.ToLower(plainest(t))) })
	in := NewReader(r, Position{})
	var lower []byte
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, size, err := in.line()
		if size <= maxLine {
			lower = lowered(lower[:0], line)
			if holdsAll(lower, needles) {
				m, ok := messageOf(line)
				m.Line, m.Offset, m.Length = in.end.Line+1, in.end.Offset, int64(len(bytes.TrimRight(line, "\r\n")))
				if ok && !visit(m) {
					return nil
				}
			}
		}
		in.end = Position{in.end.Offset + size, in.end.Line + 1}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// messageOf reads the message of a line.
func messageOf(line []byte) (Message, bool) {
	rec, err := decode(bytes.Trim(line, blank))
	if err != nil {
		return Message{}, false
	}
	m, got := rec.message()
	return m, got.message
}

func lowered(dst, line []byte) []byte {
	for _, b := range line {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		dst = append(dst, b)
	}
	return dst
}

func holdsAll(line []byte, needles [][]byte) bool {
	return !slices.ContainsFunc(needles, func(n []byte) bool { return !bytes.Contains(line, n) })
}

// plainest is the longest part of a text that every writer of JSON leaves as it is:
// what may be escaped, and letters whose case is not ASCII's, are left out.
func plainest(text string) string {
	best, from := "", 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] >= ' ' && text[i] < utf8.RuneSelf && !strings.ContainsRune("\"\\/<>&'=+`", rune(text[i])) {
			continue
		}
		if i-from > len(best) {
			best = text[from:i]
		}
		from = i + 1
	}
	return best
}
