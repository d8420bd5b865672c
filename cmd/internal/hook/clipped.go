package hook

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// The part of a long prompt that is used, in bytes of its JSON: its beginning and its end, where people state
// what they want done with pasted text. It is twice what is searched for words, and is cut before anything is
// decoded, so that 50 MB of pasted text cost neither time nor memory.
const (
	clippedHead = 48 << 10
	clippedTail = 16 << 10
)

// Clipped is a text that may contain megabytes of pasted text: of a long one it keeps the beginning and the
// end, on separate lines.
type Clipped string

// UnmarshalJSON reads a string.
func (c *Clipped) UnmarshalJSON(b []byte) error {
	parts := [][]byte{b}
	if len(b) > clippedHead+clippedTail && b[0] == '"' {
		parts = [][]byte{headOf(b, clippedHead), tailOf(b, clippedTail)}
	}
	var text string
	for i, part := range parts {
		var s string
		if err := json.Unmarshal(part, &s); err != nil {
			return err
		}
		if i > 0 {
			text += "\n"
		}
		text += s
	}
	*c = Clipped(text)
	return nil
}

// headOf returns the beginning of a JSON string, of about n bytes: it ends between characters and not within
// an escape.
func headOf(b []byte, n int) []byte {
	i := 1
	for i < n {
		switch _, size := utf8.DecodeRune(b[i:]); {
		case b[i] != '\\':
			i += size
		case b[i+1] == 'u':
			i += len(`\u0000`)
		default:
			i += len(`\n`)
		}
	}
	return append(bytes.Clone(b[:i]), '"')
}

// tailOf returns the end of a JSON string, at most n bytes. It begins at a space or a non-ASCII character,
// which are not part of an escape.
func tailOf(b []byte, n int) []byte {
	from := bytes.IndexFunc(b[len(b)-n:], func(r rune) bool {
		return r == ' ' || r > utf8.RuneSelf && r != utf8.RuneError
	})
	if from < 0 {
		return []byte(`""`)
	}
	return append([]byte{'"'}, b[len(b)-n+from:]...)
}
