package archive

import "bytes"

// An archive is long and a prompt waits, so that only those sections of one are cut
// that are asked for. A section begins with a heading of the second level; whatever
// stands before the first one goes with each piece, and so do as many line ends as
// there were before it, so that lines keep their numbers.

const sectionStart = "\n## "

// LastSection is the line that the last section begins on; false where there is none.
func LastSection(b []byte) (line int, ok bool) {
	at := bytes.LastIndex(b, []byte(sectionStart))
	if at < 0 {
		return 0, false
	}
	return bytes.Count(b[:at+1], []byte("\n")), true
}

// FromLine is a file from a line on that stands at the beginning of a section.
func FromLine(b []byte, line int) []byte { return piece(b, lineStart(b, line), len(b)) }

// SectionAt is the section that holds a line, so many bytes long at least. It is all
// of a file without sections.
func SectionAt(b []byte, line, length int) []byte {
	at := lineStart(b, line)
	from := bytes.LastIndex(b[:at], []byte(sectionStart)) + 1
	if from == 0 {
		return b
	}
	to := len(b)
	if end := at + max(0, min(length, len(b)-at)); end < len(b) { // a damaged index may say anything
		if next := bytes.Index(b[end:], []byte(sectionStart)); next >= 0 {
			to = end + next + 1
		}
	}
	return piece(b, from, to)
}

// piece is what stands before the first section, and a span.
func piece(b []byte, from, to int) []byte {
	head := bytes.Index(b, []byte(sectionStart)) + 1
	if from <= head {
		return b[:to]
	}
	out := append(bytes.Clone(b[:head]), bytes.Repeat([]byte("\n"), bytes.Count(b[head:from], []byte("\n")))...)
	return append(out, b[from:to]...)
}

// lineStart is where a line begins, counted from 0.
func lineStart(b []byte, line int) int {
	at := 0
	for range line {
		n := bytes.IndexByte(b[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	return at
}
