package hook

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// What is taken of a long prompt, in bytes of its JSON: its beginning and its end,
// where people say what they want of what they paste. It is twice what is looked at
// for words, and is cut before anything is decoded, so that 50 MB of pasted text
// take neither time nor memory.
const (
	clippedHead = 48 << 10
	clippedTail = 16 << 10
)

// Clipped is a text that people may have pasted megabytes into: of a long one the
// beginning and the end, on lines of their own.
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

// headOf is the beginning of a string in JSON, of about n bytes: it ends between
// characters and not within an escaped one.
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

// tailOf is the end of a string in JSON, of n bytes at most. It begins at a space or
// a character beyond ASCII, which belong to no escaped one.
func tailOf(b []byte, n int) []byte {
	from := bytes.IndexFunc(b[len(b)-n:], func(r rune) bool {
		return r == ' ' || r > utf8.RuneSelf && r != utf8.RuneError
	})
	if from < 0 {
		return []byte(`""`)
	}
	return append([]byte{'"'}, b[len(b)-n+from:]...)
}
