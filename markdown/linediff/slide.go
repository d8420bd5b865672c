package linediff

import "cmp"

// The position of a change is often ambiguous: a function added between two others can just as well begin
// with the end of the one before it. Sliding moves changes to where people would put them, which is where git
// puts them, so that results about a single line agree with git: a change of one side is aligned with one of
// the other if possible, and otherwise begins where the indentation and blank lines suggest it.

const (
	maxSlide  = 100 // lines that are examined for the best position
	maxIndent = 200
	maxBlanks = 20
)

// group is a run of changed lines between two unchanged ones; it may be empty. The n-th groups of both sides
// are between the same lines.
type group struct {
	*side
	Range
}

// grow extends the group over the changed lines after it.
func (g *group) grow() {
	for g.End < g.len() && g.changed[g.End] {
		g.End++
	}
}

func (g *group) growBack() {
	for g.Start > 0 && g.changed[g.Start-1] {
		g.Start--
	}
}

// forth moves to the next group, after one unchanged line.
func (g *group) forth() bool {
	if g.End == g.len() {
		return false
	}
	g.Start = g.End + 1
	g.End = g.Start
	g.grow()
	return true
}

func (g *group) back() {
	g.End = g.Start - 1
	g.Start = g.End
	g.growBack()
}

// down moves the group down by a line, and joins it with a group that it meets.
func (g *group) down() bool {
	if g.End == g.len() || g.number[g.Start] != g.number[g.End] {
		return false
	}
	g.changed[g.Start], g.changed[g.End] = false, true
	g.Start++
	g.End++
	g.grow()
	return true
}

func (g *group) up() bool {
	if g.Start == 0 || g.number[g.Start-1] != g.number[g.End-1] {
		return false
	}
	g.Start--
	g.End--
	g.changed[g.Start], g.changed[g.End] = true, false
	g.growBack()
	return true
}

// compact moves the changes of a side to their best positions; other is the other side.
func (s *side) compact(other *side) {
	g, o := group{side: s}, group{side: other}
	g.grow()
	o.grow()
	for {
		if g.Len() > 0 {
			g.align(&o)
		}
		if !g.forth() {
			return
		}
		o.forth()
	}
}

// align moves a group, and o along with it.
func (g *group) align(o *group) {
	first, beside := g.slideRange(o)
	switch {
	case g.End == first: // it can't move
	case beside >= 0:
		for o.Len() == 0 {
			g.up()
			o.back()
		}
	default:
		for best := g.best(first); g.End > best; {
			g.up()
			o.back()
		}
	}
}

// slideRange moves a group up and then down as far as possible, and repeats that if it joined others. It
// returns where the group ended at the top, and its last end on the way down next to a change of the other
// side, or -1.
func (g *group) slideRange(o *group) (first, beside int) {
	for {
		size := g.Len()
		beside = -1
		for g.up() {
			o.back()
		}
		first = g.End
		if o.Len() > 0 {
			beside = g.End
		}
		for g.down() {
			o.forth()
			if o.Len() > 0 {
				beside = g.End
			}
		}
		if g.Len() == size {
			return first, beside
		}
	}
}

// best returns the end, between first and the current one, at which the two borders of the group look most
// like borders; the last one on a tie.
func (g *group) best(first int) int {
	size := g.Len()
	best, least := -1, score{}
	for end := max(first, g.End-size-1, g.End-maxSlide); end <= g.End; end++ {
		var s score
		s.add(g.border(end))
		s.add(g.border(end - size))
		if best < 0 || !least.less(s) {
			best, least = end, s
		}
	}
	return best
}

// border describes the surroundings of a position before a line. Indents are -1 if there are only blank
// lines.
type border struct {
	atEnd                     bool
	indent, before, behind    int
	blanksBefore, blankBehind int
}

func (s *side) border(at int) border {
	b := border{atEnd: at >= s.len(), indent: -1}
	if !b.atEnd {
		b.indent = s.indent(at)
	}
	look := func(step int) (width, blanks int) {
		for i := at + step; i >= 0 && i < s.len(); i += step {
			if width := s.indent(i); width >= 0 {
				return width, blanks
			}
			if blanks++; blanks == maxBlanks {
				return 0, blanks
			}
		}
		return -1, blanks
	}
	b.before, b.blanksBefore = look(-1)
	b.behind, b.blankBehind = look(1)
	return b
}

// indent returns the indentation of a line; without white space it is 0.
func (s *side) indent(at int) int {
	width := indent(s.bytes(at, at+1))
	if s.flat {
		width = min(width, 0)
	}
	return width
}

// indent returns the width of the white space before a line's text, -1 for a blank line.
func indent(line []byte) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		case '\n', '\v', '\f', '\r':
		default:
			return n
		}
		if n >= maxIndent {
			return maxIndent
		}
	}
	return -1
}

// score measures how unlikely two borders are; less is better.
type score struct{ indent, penalty int }

func (s score) less(o score) bool {
	return 60*cmp.Compare(s.indent, o.indent)+s.penalty < o.penalty
}

// add adds the score of one border. The weights are git's (diff.indentHeuristic); its authors fitted them to
// how people group changes.
func (s *score) add(b border) {
	if b.before == -1 && b.blanksBefore == 0 {
		s.penalty++
	}
	if b.atEnd {
		s.penalty += 21
	}
	blankBehind, indent := 0, b.indent
	if b.indent == -1 {
		blankBehind, indent = 1+b.blankBehind, b.behind
	}
	blanks := b.blanksBefore + blankBehind
	s.penalty += 6*blankBehind - 30*blanks
	s.indent += indent
	if indent == -1 || b.before == -1 {
		return
	}
	s.penalty += turn(indent, b, blanks > 0)
}

// turn returns the weight of a change of indentation at a border.
func turn(indent int, b border, blanks bool) int {
	pick := func(withBlanks, without int) int {
		if blanks {
			return withBlanks
		}
		return without
	}
	switch {
	case indent > b.before:
		return pick(10, -4)
	case indent == b.before:
		return 0
	case b.behind != -1 && b.behind > indent:
		return pick(17, 24)
	}
	return pick(17, 23)
}
