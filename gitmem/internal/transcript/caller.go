package transcript

import (
	"bytes"
	"fmt"
	"io"
)

// Caller finds the call with an id among the records of a session file that end
// before an offset. It looks from there backwards, since a result mostly stands
// right behind its call, and reads no more than it needs; ok is false where the
// file has no such call.
func Caller(r io.ReaderAt, before int64, id string) (use ToolUse, ok bool, err error) {
	if id == "" {
		return ToolUse{}, false, nil
	}
	const least, most = 8 << 10, 64 << 10 // bytes that are read at once
	step := int64(least)
	name := []byte(`"` + id + `"`)
	end := before // no match begins at or behind it
	for end > 0 {
		start := max(0, end-step)
		b := make([]byte, min(before, end+int64(len(name))-1)-start)
		if _, err := r.ReadAt(b, start); err != nil {
			return ToolUse{}, false, fmt.Errorf("look for the call of a tool: %w", err)
		}
		at := bytes.LastIndex(b, name)
		if at < 0 {
			end, step = start, min(2*step, most)
			continue
		}
		line, from, err := lineAround(r, before, start+int64(at))
		if err != nil {
			return ToolUse{}, false, fmt.Errorf("look for the call of a tool: %w", err)
		}
		if use, ok := callIn(line, id); ok {
			return use, true, nil
		}
		end = from // each line is looked into once
	}
	return ToolUse{}, false, nil
}

// FindUserMessage is where between two offsets the first record of a user begins that is no
// result of a tool and nothing that the client put in; ok is false where there is none,
// and from is told where there is too much to look at.
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
		if bytes.Contains(line, []byte(`"user"`)) && !bytes.Contains(line, []byte(`"tool_result"`)) && !bytes.Contains(line, []byte(`"isMeta":true`)) {
			return at, true
		}
		at += int64(len(line))
	}
	return to, false
}

// callIn looks for a call in a line.
func callIn(line []byte, id string) (ToolUse, bool) {
	m, _ := messageOf(line) // a broken line calls nothing
	for _, t := range m.Tools {
		if t.ID == id {
			return t, true
		}
	}
	return ToolUse{}, false
}

// lineAround reads the line that holds the byte at an offset and ends before
// another, and says where it begins; one that is longer than a record may be is cut.
func lineAround(r io.ReaderAt, before, at int64) (line []byte, from int64, err error) {
	const step = 16 << 10
	from = at
	to := at
	for from > 0 && to-from < maxLine {
		b := make([]byte, min(step, from))
		if _, err := r.ReadAt(b, from-int64(len(b))); err != nil {
			return nil, 0, err
		}
		i := bytes.LastIndexByte(b, '\n')
		from -= int64(len(b) - i - 1)
		if i >= 0 {
			break
		}
	}
	for to < before && to-from < maxLine {
		b := make([]byte, min(step, before-to))
		if _, err := r.ReadAt(b, to); err != nil {
			return nil, 0, err
		}
		i := bytes.IndexByte(b, '\n')
		if i >= 0 {
			to += int64(i)
			break
		}
		to += int64(len(b))
	}
	line = make([]byte, to-from)
	_, err = r.ReadAt(line, from)
	return line, from, err
}
