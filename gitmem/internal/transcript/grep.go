package transcript

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/internal/slice"
)

// Grep calls visit, in file order, for the messages of a session file whose raw line may contain all of the texts, in
// any case of ASCII letters. It rejects lines without decoding them, so a visited message may still lack a text. It
// skips unreadable lines. It ends if visit returns false, at the end of the file, or soon after the context ends.
func Grep(ctx context.Context, r io.Reader, texts []string, visit func(Message) bool) error {
	needles := needlesOf(texts)
	return eachLine(ctx, r, func(at Position, line, lower []byte) bool {
		if !holdsAll(lower, needles) {
			return true
		}
		m, ok := messageOf(line)
		m.Line, m.Offset, m.Length = at.Line+1, at.Offset, int64(len(bytes.TrimRight(line, "\r\n")))
		return !ok || visit(m)
	})
}

// RawLine is a line of a session file that may contain some of the searched texts.
type RawLine struct {
	Number         int // 1-based
	Offset, Length int64
	Held           uint64 // bit i is set for texts[i]
}

// GrepAny calls visit for the lines of a session file that may contain any of the texts, of which at most 64 are used,
// in the same way as [Grep] for those that may contain all. It decodes no line.
func GrepAny(ctx context.Context, r io.Reader, texts []string, visit func(RawLine)) error {
	needles := slice.Map(texts[:min(len(texts), 64)], anyNeedle)
	return eachLine(ctx, r, func(at Position, line, lower []byte) bool {
		held := uint64(0)
		for i, n := range needles {
			if len(n) > 0 && bytes.Contains(lower, n) {
				held |= 1 << i
			}
		}
		if held != 0 {
			visit(RawLine{at.Line + 1, at.Offset, int64(len(bytes.TrimRight(line, "\r\n"))), held})
		}
		return true
	})
}

func needlesOf(texts []string) [][]byte {
	return slice.Map(texts, func(t string) []byte { return []byte(strings.ToLower(plainest(t))) })
}

// anyNeedle returns the bytes to search for if any of several texts suffices. A text without ASCII letters is searched
// for as it is, except for a first letter that may be a capital.
func anyNeedle(text string) []byte {
	if plain := plainest(text); len(plain) > 1 {
		return []byte(strings.ToLower(plain))
	}
	if r, n := utf8.DecodeRuneInString(text); unicode.ToLower(r) != unicode.ToUpper(r) {
		text = text[n:]
	}
	return []byte(strings.ToLower(text))
}

// eachLine calls visit for the lines of a session file, in original form and with ASCII letters in lower case, until it
// returns false. It skips lines that are too long.
func eachLine(ctx context.Context, r io.Reader, visit func(at Position, line, lower []byte) bool) error {
	in := NewReader(r, Position{})
	var lower []byte
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, size, err := in.line()
		if size <= maxLine {
			lower = lowered(lower, line)
			if !visit(in.end, line, lower) {
				return nil
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

// messageOf decodes the message of a line.
func messageOf(line []byte) (Message, bool) {
	rec, err := decode(bytes.Trim(line, blank))
	if err != nil {
		return Message{}, false
	}
	m, got := rec.message()
	return m, got.message
}

// lowered returns a line with ASCII letters in lower case, in dst. It processes eight bytes at a time, because whole
// archives are searched while somebody waits.
func lowered(dst, line []byte) []byte {
	const each = 0x0101010101010101
	dst = append(dst[:0], line...)
	for rest := dst; len(rest) > 0; {
		if len(rest) < 8 {
			for i, b := range rest {
				if 'A' <= b && b <= 'Z' {
					rest[i] += 'a' - 'A'
				}
			}
			break
		}
		w := binary.LittleEndian.Uint64(rest)
		ascii := w &^ (0x80 * each)
		from, behind := ascii+(0x80-'A')*each, ascii+(0x80-'Z'-1)*each // the top bit means that a byte is not less
		upper := (from ^ behind) &^ w & (0x80 * each)
		binary.LittleEndian.PutUint64(rest, w|upper>>2)
		rest = rest[8:]
	}
	return dst
}

func holdsAll(line []byte, needles [][]byte) bool {
	return !slices.ContainsFunc(needles, func(n []byte) bool { return !bytes.Contains(line, n) })
}

// plainest returns the longest part of a text that every JSON encoder leaves unchanged: it excludes characters that may
// be escaped, and letters with non-ASCII case mappings.
func plainest(text string) string {
	best, from := "", 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] >= ' ' && text[i] < utf8.RuneSelf &&
			!strings.ContainsRune("\"\\/<>&'=+`", rune(text[i])) {
			continue
		}
		if i-from > len(best) {
			best = text[from:i]
		}
		from = i + 1
	}
	return best
}
