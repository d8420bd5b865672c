package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Lines is a half-open range [Start, End) of lines, counted from 0.
type Lines struct{ Start, End int }

// Len is the number of lines in the range.
func (l Lines) Len() int { return l.End - l.Start }

// Hunk is one change: the lines Old of the first text became the lines New of
// the second. One of the two may be empty, and then tells where the change
// stands. The spans cover the bytes of the same lines, line ends included.
type Hunk struct {
	Old, New         Lines
	OldSpan, NewSpan Span
}

// Diff compares two texts by lines and returns the changes in order; between
// two of them stands at least one equal line. The hunks applied to a give b. A
// line's end is part of it, so that a changed line end and a missing one at
// the end of the text are changes.
//
// Lines that occur once in both texts anchor the comparison, so that blank
// lines and list marks of unrelated passages are not matched with each other;
// what lies between anchors is compared for the fewest changes. The work is
// bounded: on texts made to be hard, what is left when the bound is reached
// counts as replaced. Equal arguments give equal results.
func Diff(a, b []byte) []Hunk {
	if bytes.Equal(a, b) {
		return nil
	}
	la, lb := splitLines(a), splitLines(b)
	first, last := equalEnds(la, lb)
	d := newDiffer(la[first:len(la)-last], lb[first:len(lb)-last])
	d.match(Lines{0, len(d.a)}, Lines{0, len(d.b)})
	return d.hunks(la, lb, first)
}

// equalEnds counts the lines that two texts share at the beginning and, behind
// those, at the end. Most changes are small, and numbering lines costs more.
func equalEnds(a, b [][]byte) (first, last int) {
	for first < min(len(a), len(b)) && bytes.Equal(a[first], b[first]) {
		first++
	}
	for last < min(len(a), len(b))-first && bytes.Equal(a[len(a)-1-last], b[len(b)-1-last]) {
		last++
	}
	return first, last
}

// splitLines cuts a text behind each "\n".
func splitLines(b []byte) [][]byte {
	out := make([][]byte, 0, bytes.Count(b, []byte("\n"))+1)
	return slices.AppendSeq(out, bytes.Lines(b))
}

// lineStarts are the offsets of the lines, and of the end of the text.
func lineStarts(lines [][]byte) []int {
	out := make([]int, len(lines)+1)
	for i, l := range lines {
		out[i+1] = out[i] + len(l)
	}
	return out
}

// diffBudget bounds the steps of one comparison, about 50 ms of work; diffDepth
// bounds the changes between two anchors, since the memory grows by its square:
// 4 MB.
const (
	diffBudget = 1 << 24
	diffDepth  = 1 << 10
)

// differ compares lines by number: equal lines have the same one.
type differ struct {
	a, b         []int32
	keptA, keptB []bool // lines that are matched, in the same order on both sides
	budget       int
}

func newDiffer(a, b [][]byte) *differ {
	numbers := make(map[string]int32, len(a))
	number := func(lines [][]byte) []int32 {
		out := make([]int32, len(lines))
		for i, l := range lines {
			n, ok := numbers[string(l)]
			if !ok {
				n = int32(len(numbers))
				numbers[string(l)] = n
			}
			out[i] = n
		}
		return out
	}
	return &differ{a: number(a), b: number(b), keptA: make([]bool, len(a)), keptB: make([]bool, len(b)), budget: diffBudget}
}

// match marks the lines of two ranges that are matched with each other.
func (d *differ) match(a, b Lines) {
	for a.Start < a.End && b.Start < b.End && d.a[a.Start] == d.b[b.Start] {
		d.keep(a.Start, b.Start)
		a.Start, b.Start = a.Start+1, b.Start+1
	}
	for a.Start < a.End && b.Start < b.End && d.a[a.End-1] == d.b[b.End-1] {
		a.End, b.End = a.End-1, b.End-1
		d.keep(a.End, b.End)
	}
	if a.Len() == 0 || b.Len() == 0 || d.budget <= 0 {
		return
	}
	d.budget -= a.Len() + b.Len()
	anchors := d.anchors(a, b)
	if len(anchors) == 0 {
		d.shortest(a, b)
		return
	}
	for _, at := range anchors {
		d.match(Lines{a.Start, at.a}, Lines{b.Start, at.b})
		d.keep(at.a, at.b)
		a.Start, b.Start = at.a+1, at.b+1
	}
	d.match(a, b)
}

func (d *differ) keep(a, b int) { d.keptA[a], d.keptB[b] = true, true }

// pair is a line of each side.
type pair struct{ a, b int }

// anchors are the lines that occur once in each of the two ranges, as many of
// them as stand in the same order on both sides.
func (d *differ) anchors(a, b Lines) []pair {
	type count struct{ inA, inB, atB int }
	counts := map[int32]*count{}
	for i := a.Start; i < a.End; i++ {
		if c := counts[d.a[i]]; c != nil {
			c.inA++
		} else {
			counts[d.a[i]] = &count{inA: 1}
		}
	}
	for j := b.Start; j < b.End; j++ {
		if c := counts[d.b[j]]; c != nil {
			c.inB++
			c.atB = j
		}
	}
	var unique []pair
	for i := a.Start; i < a.End; i++ {
		if c := counts[d.a[i]]; c.inA == 1 && c.inB == 1 {
			unique = append(unique, pair{i, c.atB})
		}
	}
	return rising(unique)
}

// rising is a longest part of the pairs, which rise in a, that rises in b, too.
func rising(pairs []pair) []pair {
	var ends []int // ends[n]: the pair that ends the lowest rising part of n+1 pairs
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n, _ := slices.BinarySearchFunc(ends, p.b, func(e, b int) int { return pairs[e].b - b })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	out := make([]pair, len(ends))
	if len(ends) == 0 {
		return out
	}
	for i, at := len(ends)-1, ends[len(ends)-1]; i >= 0; i, at = i-1, before[at] {
		out[i] = pairs[at]
	}
	return out
}

// shortest marks a longest common part of two ranges by the greedy algorithm of
// E. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986). Where the
// bound is reached first it marks nothing.
func (d *differ) shortest(a, b Lines) {
	n, m := a.Len(), b.Len()
	limit := min(n+m, diffDepth)
	reach := make([]int32, 2*limit+2) // by diagonal k = x-y, shifted by limit
	var trace [][]int32
	for step := 0; step <= limit; step++ {
		trace = append(trace, slices.Clone(reach[limit-step:limit+step+2]))
		for k := -step; k <= step; k += 2 {
			x := int(reach[max(limit+k-1, 0)]) + 1
			if k == -step || k != step && reach[limit+k-1] < reach[limit+k+1] {
				x = int(reach[limit+k+1])
			}
			from := x
			for x < n && x-k < m && d.a[a.Start+x] == d.b[b.Start+x-k] {
				x++
			}
			reach[limit+k] = int32(x)
			d.budget -= 1 + x - from
			if x >= n && x-k >= m {
				d.trackBack(a, b, trace)
				return
			}
		}
		if d.budget <= 0 {
			return
		}
	}
}

// trackBack follows the steps from the end and marks the diagonals. trace[step]
// holds what was reached before that step by the diagonals -step to step+1.
func (d *differ) trackBack(a, b Lines, trace [][]int32) {
	x, y := a.Len(), b.Len()
	for step := len(trace) - 1; step >= 0; step-- {
		reach, k := trace[step], x-y
		at := func(k int) int { return int(reach[k+step]) }
		prev := k - 1
		if k == -step || k != step && at(k-1) < at(k+1) {
			prev = k + 1
		}
		fromX, fromY := 0, 0
		if step > 0 {
			fromX = at(prev)
			fromY = fromX - prev
		}
		for x > fromX && y > fromY {
			x, y = x-1, y-1
			d.keep(a.Start+x, b.Start+y)
		}
		x, y = fromX, fromY
	}
}

// hunks gathers what is not marked; the differ's lines begin at line first of the
// texts.
func (d *differ) hunks(a, b [][]byte, first int) []Hunk {
	startA, startB := lineStarts(a), lineStarts(b)
	var out []Hunk
	for i, j := 0, 0; i < len(d.a) || j < len(d.b); {
		if i < len(d.a) && j < len(d.b) && d.keptA[i] && d.keptB[j] {
			i, j = i+1, j+1
			continue
		}
		h := Hunk{Old: Lines{i, i}, New: Lines{j, j}}
		for i < len(d.a) && !d.keptA[i] {
			i++
		}
		for j < len(d.b) && !d.keptB[j] {
			j++
		}
		h.Old, h.New = Lines{first + h.Old.Start, first + i}, Lines{first + h.New.Start, first + j}
		h.OldSpan, h.NewSpan = Span{startA[h.Old.Start], startA[h.Old.End]}, Span{startB[h.New.Start], startB[h.New.End]}
		out = append(out, h)
	}
	return out
}

// Unified writes the difference of two texts in the unified format of diff and
// git, with up to context equal lines around each change, or nothing where the
// texts are equal. A name that is empty stands for a file that does not exist.
func Unified(oldName, newName string, a, b []byte, context int) string {
	hunks := Diff(a, b)
	if len(hunks) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", fileName("a/", oldName), fileName("b/", newName))
	la, lb := splitLines(a), splitLines(b)
	context = max(context, 0)
	for len(hunks) > 0 {
		n := 1
		for n < len(hunks) && hunks[n].Old.Start-hunks[n-1].Old.End <= 2*context {
			n++
		}
		writeGroup(&out, la, lb, hunks[:n], context)
		hunks = hunks[n:]
	}
	return out.String()
}

func fileName(prefix, name string) string {
	if name == "" {
		return "/dev/null"
	}
	return prefix + name
}

// writeGroup writes hunks that share their surroundings under one head.
func writeGroup(out *strings.Builder, a, b [][]byte, hunks []Hunk, context int) {
	first, last := hunks[0], hunks[len(hunks)-1]
	before := min(context, first.Old.Start)
	after := min(context, len(a)-last.Old.End)
	old := Lines{first.Old.Start - before, last.Old.End + after}
	now := Lines{first.New.Start - before, last.New.End + after}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", place(old), place(now))
	at := old.Start
	for _, h := range hunks {
		writeLines(out, ' ', a[at:h.Old.Start])
		writeLines(out, '-', a[h.Old.Start:h.Old.End])
		writeLines(out, '+', b[h.New.Start:h.New.End])
		at = h.Old.End
	}
	writeLines(out, ' ', a[at:old.End])
}

// place is a range as the format has it: from 1, and an empty one named by the
// line before it.
func place(l Lines) string {
	switch l.Len() {
	case 0:
		return fmt.Sprintf("%d,0", l.Start)
	case 1:
		return fmt.Sprint(l.Start + 1)
	}
	return fmt.Sprintf("%d,%d", l.Start+1, l.Len())
}

func writeLines(out *strings.Builder, mark byte, lines [][]byte) {
	for _, l := range lines {
		out.WriteByte(mark)
		out.Write(l)
		if l[len(l)-1] != '\n' {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
