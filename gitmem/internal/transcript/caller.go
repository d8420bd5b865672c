package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Caller finds the call with an id among the records of a session file that end before an offset; ok is false if the
// file has no such call. A result mostly follows its call directly, so Caller reads backwards in growing windows.
func Caller(r io.ReaderAt, before int64, id string) (use ToolUse, ok bool, err error) {
	name := []byte(`"` + id + `"`)
	for from, window := before, int64(64<<10); from > 0 && id != ""; window *= 8 {
		from = max(0, before-window)
		in := NewReader(io.NewSectionReader(r, from, before-from), Position{})
		for {
			line, _, err := in.line()
			if bytes.Contains(line, name) {
				m, _ := messageOf(line) // a broken line has no calls
				for _, t := range m.Tools {
					if t.ID == id {
						return t, true, nil
					}
				}
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return ToolUse{}, false, fmt.Errorf("look for the call of a tool: %w", err)
			}
		}
	}
	return ToolUse{}, false, nil
}

// FindUserMessage returns the offset, between two offsets, of the first user record that is not a tool result or client
// text. ok is false if there is none; if the range is too large, it returns from.
func FindUserMessage(r io.ReaderAt, from, to int64) (at int64, ok bool) {
	const most = 1 << 20 // bytes
	if to <= from {
		return from, to < from
	}
	b := make([]byte, min(to-from, most))
	if _, err := r.ReadAt(b, from); err != nil || to-from > most {
		return from, true
	}
	at = from
	for line := range bytes.Lines(b) {
		if bytes.Contains(line, []byte(`"user"`)) && !bytes.Contains(line, []byte(`"tool_result"`)) &&
			!bytes.Contains(line, []byte(`"isMeta":true`)) {
			return at, true
		}
		at += int64(len(line))
	}
	return to, false
}
