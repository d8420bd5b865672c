package linediff

import "bytes"

// Ends is what two texts have in common at their starts and at their ends, by whole lines.
type Ends struct {
	old, now []byte // what is between in the first text, and in the second
	head     int    // bytes of the common start
	tail     int    // line of the second text at which the common end begins
	shift    int    // lines that the first text has more
}

// CommonEnds compares the ends of two texts.
func CommonEnds(a, b []byte) Ends {
	from := bytes.LastIndexByte(a[:commonPrefix(a, b)], '\n') + 1
	tail := wholeLines(a[from:], b[from:], commonSuffix(a[from:], b[from:]))
	e := Ends{old: a[from : len(a)-tail], now: b[from : len(b)-tail], head: from, tail: CountLines(b[:len(b)-tail])}
	e.shift = CountLines(e.old) - CountLines(e.now)
	return e
}

// Between is how many bytes the texts do not have in common at their ends.
func (e Ends) Between() int { return len(e.old) + len(e.now) }

// Before is where a line of the second text, given with its bytes and their offset, was in the first,
// as [Diff] says it. That is known without a comparison where the line is in a common end, and between the
// ends is none like it: a change slides over no line but those that are in it.
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

// hasLine reports whether a text has a line that begins as one, with its end.
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
