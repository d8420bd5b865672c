package markdown

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/gitmem/gitmem/markdown/linediff"
)

// Lines is a half-open range [Start, End) of lines, counted from 0.
type Lines = linediff.Range

// Conflict is a region that two texts changed in different ways.
type Conflict struct {
	// Base, Ours and Theirs are the lines of the region in the three texts.
	Base, Ours, Theirs Lines
	// BaseText, OursText and TheirsText are the bytes of these lines. They
	// share the memory of the texts given to [Merge3].
	BaseText, OursText, TheirsText []byte
	// At covers OursText in the merged text.
	At Span
}

// Merge3 applies both the changes from base to ours and those from base to theirs to base, by lines. Without
// conflicts the result contains every line that either side added and none that either side removed; a
// conflict is resolved with the text of ours.
//
// Two changes conflict if they change or delete the same line of base, or if they touch and both add text,
// because their order is unknown; unless they are equal. A deletion next to an addition is not a conflict.
//
// YAML frontmatter that both sides changed is merged by keys if lines conflict: it takes values that one side
// changed, and items that either side added to lists; an edit takes precedence over a removal, and of two
// values the one that the field meta has seen last. If that is undecided, or if a comment would be lost, it
// remains a conflict of lines.
func Merge3(base, ours, theirs []byte) (merged []byte, conflicts []Conflict) {
	merged, conflicts = mergeLines(base, ours, theirs)
	b, o, t := frontOf(base), frontOf(ours), frontOf(theirs)
	if b == nil || o == nil || t == nil || bytes.Equal(b.src, o.src) || bytes.Equal(b.src, t.src) ||
		bytes.Equal(o.src, t.src) {
		return merged, conflicts
	}
	f := mergeFront(b, o, t)
	if f == nil {
		return merged, conflicts
	}
	merged, conflicts = mergeLines(base[len(b.src):], ours[len(o.src):], theirs[len(t.src):])
	for i := range conflicts {
		c := &conflicts[i]
		c.At = Span{c.At.Start + len(f.src), c.At.End + len(f.src)}
		c.Base, c.Ours, c.Theirs = b.before(c.Base), o.before(c.Ours), t.before(c.Theirs)
	}
	return append(f.src, merged...), conflicts
}

// before shifts lines by the length of the frontmatter.
func (f *front) before(l Lines) Lines {
	n := bytes.Count(f.src, []byte("\n"))
	return Lines{Start: l.Start + n, End: l.End + n}
}

func mergeLines(base, ours, theirs []byte) (merged []byte, conflicts []Conflict) {
	m := merger{base: base, ours: ours, theirs: theirs}
	hunks := append(sided(linediff.Diff(base, ours), false), sided(linediff.Diff(base, theirs), true)...)
	slices.SortStableFunc(hunks, func(a, b sideHunk) int {
		return cmp.Or(cmp.Compare(a.Old.Start, b.Old.Start), cmp.Compare(a.Old.End, b.Old.End))
	})
	for len(hunks) > 0 {
		n, end := 1, hunks[0].Old.End
		for n < len(hunks) && joins(hunks[:n], end, hunks[n]) {
			end = max(end, hunks[n].Old.End)
			n++
		}
		m.region(hunks[:n])
		hunks = hunks[n:]
	}
	m.out = append(m.out, base[m.at:]...)
	if m.out == nil {
		m.out = []byte{}
	}
	return m.out, m.conflicts
}

// sideHunk is a change of one of the two sides.
type sideHunk struct {
	linediff.Hunk
	theirs bool
}

func sided(hunks []linediff.Hunk, theirs bool) []sideHunk {
	out := make([]sideHunk, len(hunks))
	for i, h := range hunks {
		out[i] = sideHunk{h, theirs}
	}
	return out
}

// joins reports whether a change belongs to a region of changes that ends at a line of base.
func joins(region []sideHunk, end int, h sideHunk) bool {
	if h.Old.Start < end {
		return true
	}
	return h.Old.Start == end && h.New.Len() > 0 && slices.ContainsFunc(region, func(r sideHunk) bool {
		return r.theirs != h.theirs && r.Old.End == end && r.New.Len() > 0
	})
}

// merger builds the result. at is how far base has been copied, and lines and bytes are by how many each side
// is ahead of base there.
type merger struct {
	base, ours, theirs []byte
	out                []byte
	at                 int
	lines, bytes       [2]int // ours, theirs
	conflicts          []Conflict
}

// region merges the changes of one region.
func (m *merger) region(hunks []sideHunk) {
	where, span := hunks[0].Old, Span{hunks[0].OldAt, 0}
	for _, h := range hunks {
		where.End, span.End = max(where.End, h.Old.End), max(span.End, h.OldAt+len(h.Removed))
	}
	c := Conflict{Base: where, BaseText: span.Of(m.base)}
	c.Ours, c.OursText = m.side(0, m.ours, where, span, hunks)
	c.Theirs, c.TheirsText = m.side(1, m.theirs, where, span, hunks)
	m.out = append(m.out, m.base[m.at:span.Start]...)
	m.at = span.End
	text := c.OursText
	switch {
	case !slices.ContainsFunc(hunks, func(h sideHunk) bool { return !h.theirs }):
		text = c.TheirsText
	case !slices.ContainsFunc(hunks, func(h sideHunk) bool { return h.theirs }), bytes.Equal(c.OursText, c.TheirsText):
	default:
		c.At = Span{len(m.out), len(m.out) + len(text)}
		m.conflicts = append(m.conflicts, c)
	}
	m.out = append(m.out, text...)
}

// side returns the text of one side in a region of base, and updates its shift.
func (m *merger) side(i int, text []byte, where Lines, span Span, hunks []sideHunk) (Lines, []byte) {
	l, s := Lines{Start: where.Start + m.lines[i]}, Span{span.Start + m.bytes[i], 0}
	for _, h := range hunks {
		if h.theirs == (i == 1) {
			m.lines[i] += h.New.Len() - h.Old.Len()
			m.bytes[i] += len(h.Added) - len(h.Removed)
		}
	}
	l.End, s.End = where.End+m.lines[i], span.End+m.bytes[i]
	return l, s.Of(text)
}

// ConflictMark returns the number of the first conflict marker line, from 1, or 0. Lines of "=" alone
// underline a heading and do not count.
func ConflictMark(src []byte) int {
	n := 0
	for line := range bytes.Lines(src) {
		n++
		if bytes.HasPrefix(line, []byte("<<<<<<< ")) || bytes.HasPrefix(line, []byte(">>>>>>> ")) {
			return n
		}
	}
	return 0
}
