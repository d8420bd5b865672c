// Package linediff compares two texts by lines, as git counts them. It is used to count changed lines, to
// list added and removed ones, to find the origin of a line, to merge, and to print a diff. It knows bytes
// and lines. It must not know files, formats or repositories.
package linediff

import (
	"bytes"
	"slices"
)

// Range is a half-open range [Start, End) of lines, counted from 0.
type Range struct{ Start, End int }

// Len returns the number of lines in the range.
func (r Range) Len() int { return r.End - r.Start }

// Hunk is one change: the lines Old of the first text became the lines New of the second. One of the two may
// be empty, and is then at the position of the change.
type Hunk struct {
	Old, New Range
	// Removed and Added are the bytes of those lines, line ends included. They
	// point into the compared texts, at the offsets OldAt and NewAt.
	Removed, Added []byte
	OldAt, NewAt   int
}

// Differ compares texts one after another and reuses its memory for the next pair. The zero value is ready to
// use. It is not safe for concurrent use.
type Differ struct {
	// AsGit makes the same choices as git if several are equally good, for which it reads both texts completely:
	// see [Differ.drop] and [side.compact]. A text that was compared last is not read again, so it must not be
	// changed before the next call.
	AsGit bool
	// IgnoreSpace compares lines without their white space.
	IgnoreSpace bool

	a, b  side
	table table

	forward, backward []int32
	budget            int
	hunks             []Hunk
}

// side is one text: where its lines start, counted from first, the number of each (equal lines have the same
// one), and which are changed.
type side struct {
	text    []byte
	first   int     // lines before the part that is compared
	flat    bool    // white space is ignored
	starts  []int32 // including the end of the part
	number  []int32
	count   []int32 // of lines by number
	changed []bool
	states  []lineState
	few, at []int32 // of the lines that are also on the other side: their numbers and positions
}

func (s *side) len() int { return len(s.number) }

const (
	// costCap is the number of changes between two points up to which the minimum is searched; beyond that the
	// furthest point is good enough.
	costCap = 256
	// stepBudget limits the steps of one comparison, about 50 ms of work. The rest counts as replaced.
	stepBudget = 1 << 24
)

// Binary reports whether git would consider content as binary: there is a zero byte near its start.
func Binary(b []byte) bool {
	return bytes.IndexByte(b[:min(len(b), 8000)], 0) >= 0
}

// Diff compares two texts and returns the changes in order; there is at least one equal line between two of
// them. The hunks applied to a give b. A line's end is part of it, so a changed line end and a missing one at
// the end of the text are changes. Equal arguments give equal results.
//
// The method is that of E. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), in the variant
// with linear space. The work is limited, so for adversarial texts the changes are not minimal. Texts must
// have less than 2 GiB.
//
// The result is valid until the next call.
func (d *Differ) Diff(a, b []byte) []Hunk {
	d.hunks = d.hunks[:0]
	if bytes.Equal(a, b) {
		return nil
	}
	if d.table.ignoreSpace = d.IgnoreSpace; d.IgnoreSpace {
		a, b = bytes.TrimRight(a, blanks), bytes.TrimRight(b, blanks) // a last line of blanks does not count
	}
	d.load(a, b)
	d.drop()
	d.budget = stepBudget
	d.compare(span{0, len(d.a.few), 0, len(d.b.few)})
	if d.AsGit {
		d.a.compact(&d.b)
		d.b.compact(&d.a)
	}
	d.gather()
	return d.hunks
}

// Diff compares a single pair like git.
func Diff(a, b []byte) []Hunk { return (&Differ{AsGit: true}).Diff(a, b) }

// Counts returns the total lines of hunks like git's --numstat.
func Counts(hunks []Hunk) (added, removed int) {
	for _, h := range hunks {
		added += h.New.Len()
		removed += h.Old.Len()
	}
	return added, removed
}

// CountLines returns the number of lines of a text; a last one without a line end counts.
func CountLines(b []byte) int {
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

// load numbers the lines. It first removes the common ends of the texts, which for most changes are nearly
// everything, unless AsGit is set.
func (d *Differ) load(a, b []byte) {
	if d.AsGit {
		d.loadWhole(a, b)
		return
	}
	from := bytes.LastIndexByte(a[:commonPrefix(a, b)], '\n') + 1
	tail := wholeLines(a[from:], b[from:], commonSuffix(a[from:], b[from:]))
	first := CountLines(a[:from])
	d.table.reset(CountLines(a[from:len(a)-tail]) + CountLines(b[from:len(b)-tail]))
	d.a.load(a, from, len(a)-tail, first, &d.table)
	d.b.load(b, from, len(b)-tail, first, &d.table)
}

// loadWhole numbers all lines. The numbers for b are known if b was compared last, as in the history of a
// file, and most lines of a are those of b.
func (d *Differ) loadWhole(a, b []byte) {
	if isSame(d.a.text, b) {
		d.a, d.b = d.b, d.a
	}
	if !isSame(d.b.text, b) || !d.table.goesOn(d.b.len()) {
		d.table.reset(2 * CountLines(b))
		d.b.load(b, 0, len(b), 0, &d.table)
	}
	from := bytes.LastIndexByte(a[:commonPrefix(a, b)], '\n') + 1
	tail := wholeLines(a[from:], b[from:], commonSuffix(a[from:], b[from:]))
	d.a.loadLike(&d.b, a, from, tail, &d.table)
	d.a.clearChanged()
	d.b.clearChanged()
}

// isSame reports whether two texts are the same bytes of memory.
func isSame(a, b []byte) bool { return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0] }

func (s *side) load(text []byte, from, to, first int, t *table) {
	s.text, s.first, s.flat = text, first, t.ignoreSpace
	s.starts, s.number = append(s.starts[:0], int32(from)), s.number[:0]
	for line := range bytes.Lines(text[from:to]) {
		from += len(line)
		s.number, s.starts = append(s.number, t.number(line, false)), append(s.starts, int32(from))
	}
	s.clearChanged()
}

// maxAhead is how many lines ahead an equal line is searched.
const maxAhead = 256

// loadLike numbers the lines of a text whose first from bytes and last tail bytes, whole lines, are the same
// as those of like. Between them it walks along both texts: only a different line is looked up in the table.
func (s *side) loadLike(like *side, text []byte, from, tail int, t *table) {
	s.text, s.first, s.flat = text, 0, t.ignoreSpace
	at, _ := slices.BinarySearch(like.starts, int32(from))
	last, _ := slices.BinarySearch(like.starts, int32(len(like.text)-tail))
	s.starts, s.number = append(s.starts[:0], like.starts[:at+1]...), append(s.number[:0], like.number[:at]...)
	for end := len(text) - tail; from < end; {
		rest, number := text[from:end], int32(0)
		if line := like.bytes(at, min(at+1, last)); len(line) > 0 && bytes.HasPrefix(rest, line) && endsLine(line, rest) {
			from, number = from+len(line), like.number[at]
			at++
		} else {
			n := bytes.IndexByte(rest, '\n') + 1
			if n == 0 {
				n = len(rest)
			}
			from, number = from+n, t.number(rest[:n], true)
			if ahead := slices.Index(like.number[at:min(at+maxAhead, last)], number); ahead >= 0 {
				at += ahead + 1
			}
		}
		s.number, s.starts = append(s.number, number), append(s.starts, int32(from))
	}
	s.number = append(s.number, like.number[last:]...)
	shift := int32(len(text) - len(like.text))
	for _, start := range like.starts[last+1:] {
		s.starts = append(s.starts, start+shift)
	}
}

// endsLine reports whether a line that is a prefix of text is a whole line there.
func endsLine(line, text []byte) bool { return line[len(line)-1] == '\n' || len(line) == len(text) }

func (s *side) clearChanged() {
	s.changed = slices.Grow(s.changed[:0], len(s.number))[:len(s.number)]
	clear(s.changed)
}

// commonPrefix counts equal bytes, first by blocks, which is much faster.
func commonPrefix(a, b []byte) int {
	const block = 256
	limit, n := min(len(a), len(b)), 0
	for n+block <= limit && bytes.Equal(a[n:n+block], b[n:n+block]) {
		n += block
	}
	for n < limit && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []byte) int {
	const block = 256
	limit, n := min(len(a), len(b)), 0
	for n+block <= limit && bytes.Equal(a[len(a)-n-block:len(a)-n], b[len(b)-n-block:len(b)-n]) {
		n += block
	}
	for n < limit && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// wholeLines shortens a common end of n bytes so that it begins with a line on both sides.
func wholeLines(a, b []byte, n int) int {
	if startsLine(a, len(a)-n) && startsLine(b, len(b)-n) {
		return n
	}
	next := bytes.IndexByte(a[len(a)-n:], '\n')
	if next < 0 {
		return 0
	}
	return n - next - 1
}

func startsLine(b []byte, at int) bool { return at == 0 || b[at-1] == '\n' }

// gather builds the hunks from the marks.
func (d *Differ) gather() {
	a, b := &d.a, &d.b
	for i, j := 0, 0; i < a.len() || j < b.len(); {
		if i < a.len() && j < b.len() && !a.changed[i] && !b.changed[j] {
			i, j = i+1, j+1
			continue
		}
		fromA, fromB := i, j
		for i < a.len() && a.changed[i] {
			i++
		}
		for j < b.len() && b.changed[j] {
			j++
		}
		d.hunks = append(d.hunks, Hunk{
			Old: Range{a.first + fromA, a.first + i}, New: Range{b.first + fromB, b.first + j},
			Removed: a.bytes(fromA, i), Added: b.bytes(fromB, j),
			OldAt: int(a.starts[fromA]), NewAt: int(b.starts[fromB]),
		})
	}
}

func (s *side) bytes(from, to int) []byte { return s.text[s.starts[from]:s.starts[to]] }
