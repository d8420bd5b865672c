package gitmem

import (
	"bytes"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Archives are long and a prompt waits, so that only those sections of one are cut
// that are asked for. A section begins with a heading of the second level; whatever
// stands before the first one goes with each piece, and so do as many line ends as
// there were before it, so that lines keep their numbers.

const sectionStart = "\n## "

// appendedTo is the first line of what a file may have got since it was marked: the
// last section of then, which may go on, and those behind it. False: the file is
// no archive, or not what it was.
func appendedTo(f cite.File, b []byte, old index.Mark) (line int, ok bool) {
	if f.Area != cite.AreaArchive || old.Size <= 0 || int64(len(b)) <= old.Size || hashOf(b[:old.Size]) != old.Hash {
		return 0, false
	}
	at := bytes.LastIndex(b[:old.Size], []byte(sectionStart))
	if at < 0 {
		return 0, false
	}
	return bytes.Count(b[:at+1], []byte("\n")), true
}

// fromLine is a file from a line on that stands at the beginning of a section.
func fromLine(b []byte, line int) []byte { return piece(b, lineStart(b, line), len(b)) }

// sectionAt is the section that holds a line, so many bytes long at least. It is all
// of a file without sections.
func sectionAt(b []byte, line, length int) []byte {
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
