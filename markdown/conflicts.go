package markdown

import (
	"bytes"
	"cmp"
	"slices"
)

// MarkedConflict is a part of a file where git wrote both sides of a conflict.
type MarkedConflict struct {
	// Whole covers all lines from the first marker to the last.
	Whole Span
	// Ours, Base and Theirs are the lines of the sides. Base is empty if git did not write the common ancestor.
	Ours, Base, Theirs Span
}

// minMark is the minimum length of a marker; the attribute conflict-marker-size and nested merges make it
// longer.
const minMark = 7

// mark is a conflict marker line.
type mark struct {
	sign byte
	size int
	line Span
}

// MarkedConflicts returns the conflicts that git has marked, in file order. A nested conflict is part of the
// outer one. A marker without its counterparts is text.
func MarkedConflicts(src []byte) []MarkedConflict {
	if !bytes.Contains(src, []byte("<<<<<<<")) {
		return nil
	}
	var list []MarkedConflict
	for _, marks := range marksBySize(src) {
		list = append(list, pairMarks(marks)...)
	}
	slices.SortFunc(list, func(a, b MarkedConflict) int { return cmp.Compare(a.Whole.Start, b.Whole.Start) })
	end := 0
	return slices.DeleteFunc(list, func(c MarkedConflict) bool {
		inner := c.Whole.Start < end
		if !inner {
			end = c.Whole.End
		}
		return inner
	})
}

// marksBySize returns the lines that may be markers, by their length, which is the same for all markers of a
// conflict.
func marksBySize(src []byte) map[int][]mark {
	out := map[int][]mark{}
	for pos := 0; pos < len(src); {
		line := Span{pos, lineEnd(src, pos)}
		pos = line.End
		text := bytes.TrimRight(line.Of(src), "\r\n")
		if len(text) < minMark || bytes.IndexByte([]byte("<|=>"), text[0]) < 0 {
			continue
		}
		label := bytes.TrimLeft(text, string(text[:1]))
		size := len(text) - len(label)
		if size >= minMark && (len(label) == 0 || label[0] == ' ' && text[0] != '=') {
			out[size] = append(out[size], mark{text[0], size, line})
		}
	}
	return out
}

// pairMarks finds the conflicts among markers of one length.
func pairMarks(marks []mark) (list []MarkedConflict) {
	type open struct{ start, base, middle mark }
	var stack []open
	for _, m := range marks {
		top := len(stack) - 1
		switch {
		case m.sign == '<':
			stack = append(stack, open{start: m})
		case top < 0:
		case m.sign == '|' && stack[top].base.size+stack[top].middle.size == 0:
			stack[top].base = m
		case m.sign == '=' && stack[top].middle.size == 0:
			stack[top].middle = m
		case m.sign == '>' && stack[top].middle.size > 0:
			o := stack[top]
			stack = stack[:top]
			c := MarkedConflict{Whole: Span{o.start.line.Start, m.line.End},
				Theirs: Span{o.middle.line.End, m.line.Start}}
			c.Ours = Span{o.start.line.End, o.middle.line.Start}
			c.Base = Span{c.Ours.End, c.Ours.End}
			if o.base.size > 0 {
				c.Ours.End, c.Base.Start = o.base.line.Start, o.base.line.End
			}
			list = append(list, c)
		}
	}
	return list
}

// ReplaceConflicts returns a copy of src in which each marked conflict is replaced with the result of
// replace.
func ReplaceConflicts(src []byte, replace func(MarkedConflict) []byte) []byte {
	out, at := []byte{}, 0
	for _, c := range MarkedConflicts(src) {
		out = append(append(out, src[at:c.Whole.Start]...), replace(c)...)
		at = c.Whole.End
	}
	return append(out, src[at:]...)
}

// WithoutConflicts returns a copy of src in which all lines of marked conflicts are blank, as are the lines
// after a conflict that belong to its content: the offsets of the rest are unchanged. It is for readers,
// which must not treat undecided text, or a marker, as memory.
func WithoutConflicts(src []byte) []byte {
	out := bytes.Clone(src)
	for _, c := range MarkedConflicts(src) {
		blankOut(out, Span{c.Whole.Start, c.end(src)})
	}
	return out
}

// end returns the end of the lines that may belong to the content of the conflict: lines that are indented
// deeper than a line in it, and the text below a heading in it. Otherwise they would belong to the text
// above.
func (c MarkedConflict) end(src []byte) int {
	least, heading := -1, false
	for _, side := range [...]Span{c.Ours, c.Base, c.Theirs} {
		for line := range bytes.Lines(side.Of(src)) {
			if n := indent(string(line)); !blank(line) && (least < 0 || n < least) {
				least = n
			}
			heading = heading || line[0] == '#'
		}
	}
	end := c.Whole.End
	for line := range bytes.Lines(src[c.Whole.End:]) {
		inside := indent(string(line)) > least
		if heading {
			inside = line[0] != '#'
		}
		if !blank(line) && !inside || bytes.HasPrefix(line, []byte("---")) {
			break
		}
		end += len(line)
	}
	return end
}

// blankOut replaces the bytes of a span with spaces, except for its line ends.
func blankOut(b []byte, span Span) {
	for i := span.Start; i < span.End; i++ {
		if b[i] != '\n' && b[i] != '\r' {
			b[i] = ' '
		}
	}
}

func blank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }
