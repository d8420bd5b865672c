package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Edit replaces the bytes of Span with Text. An empty span inserts.
type Edit struct {
	Span Span
	Text string
}

// Apply applies the edits, whose spans all refer to src, and returns a new slice; bytes outside of the spans
// are unchanged. The order of the edits does not matter. It returns an error that names the edits, and
// applies none, if a span is outside of src, if two spans overlap, or if two edits insert at the same
// position, because their order would be undefined. An insertion at the start or the end of a replaced span
// is allowed.
func Apply(src []byte, edits ...Edit) ([]byte, error) {
	sorted := slices.SortedStableFunc(slices.Values(edits), func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
	})
	size := len(src)
	for i, e := range sorted {
		if e.Span.Start < 0 || e.Span.End < e.Span.Start || e.Span.End > len(src) {
			return nil, fmt.Errorf("edit %s is outside of the %d bytes of the file", e, len(src))
		}
		if i > 0 && (sorted[i-1].Span.End > e.Span.Start || sorted[i-1].Span == e.Span) {
			return nil, fmt.Errorf("edits %s and %s overlap", sorted[i-1], e)
		}
		size += len(e.Text) - e.Span.Len()
	}
	out := make([]byte, 0, size)
	pos := 0
	for _, e := range sorted {
		out = append(out, src[pos:e.Span.Start]...)
		out = append(out, e.Text...)
		pos = e.Span.End
	}
	return append(out, src[pos:]...), nil
}

// String describes the edit for errors: its range and the start of its text.
func (e Edit) String() string {
	text := e.Text
	if len(text) > 24 {
		text = text[:24] + "…"
	}
	return fmt.Sprintf("[%d,%d) %q", e.Span.Start, e.Span.End, text)
}

// nowhere returns the edit for an index that the document does not have. Apply refuses it.
func nowhere(text string) Edit { return Edit{Span: Span{-1, -1}, Text: text} }

// AppendTo appends lines at the end of the section's own text: after its last line that is not blank and
// before its subsections. Section -1 is the text before the first heading. The new lines get the document's
// line end, including the last one; the edit adds a missing line end before them. It inserts a blank line
// between a heading and the new lines if there is none. It first closes a code fence or comment that the file
// leaves open, which would otherwise contain the new lines. A list item in front of an indented heading
// includes the heading, as in Markdown. For an index that does not exist, it returns an edit that [Apply]
// refuses.
func (d *Doc) AppendTo(section int, text string) Edit {
	if section < -1 || section >= len(d.Sections) {
		return nowhere(text)
	}
	body, above := d.preamble(), false
	if section >= 0 {
		body, above = d.Sections[section].Body, true
	}
	at := trimSpan(d.Source, body).End
	empty := at == body.Start || body.Len() == 0
	if empty {
		at = body.Start
	} else {
		at = lineEnd(d.Source, at-1)
	}
	if text == "" {
		return Edit{Span: Span{at, at}}
	}
	var b strings.Builder
	b.WriteString(d.closeLine(at))
	if section == len(d.Sections)-1 {
		b.WriteString(d.closeBlock())
	}
	if empty && above {
		b.WriteString(d.EOL)
	}
	b.WriteString(d.asLines(text))
	if at < len(d.Source) && at == body.End {
		b.WriteString(d.EOL) // otherwise the next heading would absorb the lines
	}
	return Edit{Span: Span{at, at}, Text: b.String()}
}

// AppendSection appends a new section at the end of the file, with a blank line before it, and one between
// heading and text. The level is limited to 1 to 6 and the title is put on one line. Like AppendTo, it first
// closes an open last line and an open code fence or comment.
func (d *Doc) AppendSection(level int, title, text string) Edit {
	at := len(d.Source)
	var b strings.Builder
	b.WriteString(d.closeLine(at))
	closer := d.closeBlock()
	b.WriteString(closer)
	if closer != "" || !d.endsBlank() {
		b.WriteString(d.EOL)
	}
	b.WriteString(strings.Repeat("#", min(max(level, 1), 6)))
	if title = oneLine([]byte(title)); title != "" {
		b.WriteString(" " + title)
	}
	b.WriteString(d.EOL)
	if text != "" {
		b.WriteString(d.EOL + d.asLines(text))
	}
	return Edit{Span: Span{at, at}, Text: b.String()}
}

// endsBlank reports whether a section may start directly at the end of the file.
func (d *Doc) endsBlank() bool {
	if isBlank(d.Body.Of(d.Source)) && d.Front == nil {
		return true
	}
	if d.Body.Len() == 0 {
		return false
	}
	return isBlank(d.Source[lineStart(d.Source, len(d.Source)-1):])
}

// closeLine returns the line end that is missing before at, or "".
func (d *Doc) closeLine(at int) string {
	if at > bomLen(d.Source) && d.Source[at-1] != '\n' {
		return d.EOL
	}
	return ""
}

// closeBlock returns the line that closes a code fence or a comment that is open at the end of the file: the
// first candidate after which a heading is parsed as one.
func (d *Doc) closeBlock() string {
	for _, line := range []string{"", d.fence('`'), d.fence('~'), "-->", "</pre>", "?>", "]]>", ">"} {
		if line != "" {
			line += d.EOL
		}
		text := string(d.Body.Of(d.Source)) + d.closeLine(len(d.Source)) + line
		headings := scanBlocks([]byte(text+"# x"), Span{0, len(text) + 3}).headings
		if n := len(headings); n > 0 && headings[n-1].lines.Start == len(text) {
			return line
		}
	}
	return ""
}

// fence returns a fence that is as long as the longest of its kind in the file.
func (d *Doc) fence(mark rune) string {
	fence := strings.Repeat(string(mark), 3)
	for run := range strings.FieldsFuncSeq(string(d.Source), func(r rune) bool { return r != mark }) {
		fence = max(fence, run) // of two runs of the same mark, the longer one is the greater string
	}
	return fence
}

// asLines converts text to the document's line ends, with exactly one at its end.
func (d *Doc) asLines(text string) string {
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n") + "\n"
	return strings.ReplaceAll(text, "\n", d.EOL)
}
