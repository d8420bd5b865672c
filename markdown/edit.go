package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Edit replaces the bytes of Span by Text. An empty span inserts.
type Edit struct {
	Span Span
	Text string
}

// Apply carries out the edits, whose spans all refer to src, and returns a new
// slice; bytes outside of the spans are the same. The order of the edits does
// not matter. It changes nothing and returns an error that names the edits
// when a span lies outside of src, when two spans overlap, or when two edits
// insert at the same place, where no order would be the right one. An
// insertion at the start or the end of a replaced span is fine.
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

// String names the edit in errors: its range and the start of its text.
func (e Edit) String() string {
	text := e.Text
	if len(text) > 24 {
		text = text[:24] + "…"
	}
	return fmt.Sprintf("[%d,%d) %q", e.Span.Start, e.Span.End, text)
}

// nowhere is the edit for an index that the document does not have. Apply
// refuses it.
func nowhere(text string) Edit { return Edit{Span: Span{-1, -1}, Text: text} }

// AppendTo appends lines at the end of the section's own text: behind its last
// line that is not blank and before its subsections. Section -1 is the text
// before the first heading. The new lines get the document's line end and the
// last of them is always closed; a missing line end before them is supplied as
// part of the edit. A blank line is put between a heading and the new lines
// where there is none. A code fence or comment that the file leaves open is
// closed first, because the new lines would belong to it. A list item put in
// front of an indented heading takes the heading in, as Markdown has it. An
// index that does not exist gives an edit that [Apply] refuses.
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
		b.WriteString(d.EOL) // the next heading would swallow the lines
	}
	return Edit{Span: Span{at, at}, Text: b.String()}
}

// AppendSection puts a new section at the end of the file, with a blank line
// before it, and one between heading and text. The level is held between 1 and
// 6 and the title is put on one line. As with AppendTo, an open last line and
// an open code fence or comment are closed first.
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

// endsBlank reports whether a section may start right at the end of the file.
func (d *Doc) endsBlank() bool {
	if isBlank(d.Body.Of(d.Source)) && d.Front == nil {
		return true
	}
	if d.Body.Len() == 0 {
		return false
	}
	return isBlank(d.Source[lineStart(d.Source, len(d.Source)-1):])
}

// closeLine is the line end that is missing before at.
func (d *Doc) closeLine(at int) string {
	if at > bomLen(d.Source) && d.Source[at-1] != '\n' {
		return d.EOL
	}
	return ""
}

// closeBlock is the line that closes a code fence or a comment that the end of the file
// leaves open: the first behind which a heading is one.
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

// fence is as long as any of its kind in the file.
func (d *Doc) fence(mark rune) string {
	fence := strings.Repeat(string(mark), 3)
	for run := range strings.FieldsFuncSeq(string(d.Source), func(r rune) bool { return r != mark }) {
		fence = max(fence, run) // a longer one is the greater of two of one mark
	}
	return fence
}

// asLines gives text the document's line ends and exactly one at its end.
func (d *Doc) asLines(text string) string {
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n") + "\n"
	return strings.ReplaceAll(text, "\n", d.EOL)
}
