package markdown

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"
)

const bom = "\xef\xbb\xbf"

func bomLen(b []byte) int {
	if bytes.HasPrefix(b, []byte(bom)) {
		return len(bom)
	}
	return 0
}

func dominantEOL(b []byte) string {
	crlf := bytes.Count(b, []byte("\r\n"))
	if crlf > bytes.Count(b, []byte("\n"))-crlf {
		return "\r\n"
	}
	return "\n"
}

// lineStart returns the offset of the first byte of the line that contains pos.
func lineStart(b []byte, pos int) int {
	return bytes.LastIndexByte(b[:pos], '\n') + 1
}

// lineEnd returns the offset after the line that contains pos, line end included.
func lineEnd(b []byte, pos int) int {
	if i := bytes.IndexByte(b[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(b)
}

// wholeLines extends a range of text to its whole lines.
func wholeLines(b []byte, s Span) Span {
	start := lineStart(b, s.Start)
	last := max(s.Start, s.End-1)
	return Span{start, lineEnd(b, min(last, len(b)))}
}

// blanks are the bytes of blank lines.
const blanks = " \t\r\n"

func isBlank(line []byte) bool {
	return len(bytes.TrimLeft(line, blanks)) == 0
}

// trimSpan removes white space and line ends on both sides of s.
func trimSpan(b []byte, s Span) Span {
	s.Start = s.End - len(bytes.TrimLeft(s.Of(b), blanks))
	s.End = s.Start + len(bytes.TrimRight(s.Of(b), blanks))
	return s
}

// encodingSkips counts the lines that contain invalid UTF-8 or NUL bytes. They are kept byte for byte; text
// taken from them contains the same bytes.
func encodingSkips(b []byte) []Skip {
	if utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 {
		return nil
	}
	var skips []Skip
	for pos := 0; pos < len(b); {
		line := Span{pos, lineEnd(b, pos)}
		if !utf8.Valid(line.Of(b)) {
			skips = append(skips, Skip{Span: line, Reason: "not valid UTF-8: kept as it is"})
		}
		if bytes.IndexByte(line.Of(b), 0) >= 0 {
			skips = append(skips, Skip{Span: line, Reason: "holds a NUL byte: kept as it is"})
		}
		pos = line.End
	}
	return skips
}

// lineCounter returns line numbers for offsets that mostly ascend, in one pass over the source.
type lineCounter struct {
	src       []byte
	pos, line int
}

func (c *lineCounter) at(pos int) int {
	if pos < c.pos {
		c.pos, c.line = 0, 1
	}
	c.line += bytes.Count(c.src[c.pos:pos], []byte("\n"))
	c.pos = pos
	return c.line
}

// numberLines sets every Line. It comes last because only then everything is in file order.
func (d *Doc) numberLines() {
	slices.SortStableFunc(d.Skipped, func(a, b Skip) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	c := lineCounter{src: d.Source, line: 1}
	for i := range d.Sections {
		d.Sections[i].Line = c.at(d.Sections[i].Heading.Start)
	}
	for i := range d.Ideas {
		d.Ideas[i].Line = c.at(d.Ideas[i].Span.Start)
	}
	for i := range d.Skipped {
		d.Skipped[i].Line = c.at(d.Skipped[i].Span.Start)
	}
}
