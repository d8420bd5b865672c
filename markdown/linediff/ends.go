package linediff

import "bytes"

// Ends describes the common start and the common end of two texts, in whole lines.
type Ends struct {
	old, now []byte // the part between in the first text, and in the second
	head     int    // bytes of the common start
	tail     int    // line of the second text where the common end begins
	shift    int    // number of additional lines in the first text
}

// CommonEnds compares the ends of two texts.
func CommonEnds(a, b []byte) Ends {
	from := bytes.LastIndexByte(a[:commonPrefix(a, b)], '\n') + 1
	tail := wholeLines(a[from:], b[from:], commonSuffix(a[from:], b[from:]))
	e := Ends{old: a[from : len(a)-tail], now: b[from : len(b)-tail], head: from, tail: CountLines(b[:len(b)-tail])}
	e.shift = CountLines(e.old) - CountLines(e.now)
	return e
}

// Between returns how many bytes are not in a common end.
func (e Ends) Between() int { return len(e.old) + len(e.now) }

// Before returns the position of a line of the second text, given with its bytes and their offset, in the
// first, as [Diff] would. Without a comparison, this is known if the line is in a common end and no equal
// line is between the ends: a change only slides over lines equal to its own.
func (e Ends) Before(line, offset int, text []byte) (before int, known bool) {
	switch {
	case hasLine(e.old, text) || hasLine(e.now, text):
		return 0, false
	case offset < e.head:
		return line, true
	case line >= e.tail:
		return line + e.shift, true
	}
	return 0, false
}

// hasLine reports whether a text has a line that is equal to line, including its end.
func hasLine(text, line []byte) bool {
	for {
		at := bytes.Index(text, line)
		if at < 0 || startsLine(text, at) {
			return at >= 0
		}
		text = text[at+1:]
		if next := bytes.IndexByte(text, '\n'); next >= 0 {
			text = text[next+1:]
		} else {
			return false
		}
	}
}
