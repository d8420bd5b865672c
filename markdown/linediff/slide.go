package linediff

import "cmp"

// Where a change is placed is often open: a function added between two others can as
// well begin with the end of the one before it. Sliding moves changes to where people
// would put them, which is where git puts them, so that what is said of a single
// line agrees with git: a change of one side lines up with one of the other where it
// can, and otherwise begins where the indentation and blank lines say that something
// begins.

const (
	maxSlide  = 100 // lines that are looked at for the best place
	maxIndent = 200
	maxBlanks = 20
)

// group is a run of changed lines between two that are not; it may be empty. The
// n-th groups of both sides are between the same lines.
type group struct {
	*side
	Range
}

// grow takes in the changed lines behind the group.
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

// forth goes to the next group, behind one line that is not changed.
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

// down moves the group by a line, and joins it with the one that it meets.
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

// compact moves the changes of a side to their best places; other is the other side.
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

// slideRange moves a group up and then down as far as it goes, again where it joined
// others on the way. It returns where the group ended at the top, and its last end
// on the way down beside a change of the other side, -1 for none.
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

// best is the end, from first to where the group ends now, at which its two borders
// look most like borders; the last one of several.
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

// border is what is around the place before a line. Indents are -1 where there
// is no line but blank ones.
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

// indent is that of a line; without white space it is 0.
func (s *side) indent(at int) int {
	width := indent(s.bytes(at, at+1))
	if s.flat {
		width = min(width, 0)
	}
	return width
}

// indent is the width of the white space before a line's text, -1 for a blank line.
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

// score is how unlikely two borders are; less is better.
type score struct{ indent, penalty int }

func (s score) less(o score) bool {
	return 60*cmp.Compare(s.indent, o.indent)+s.penalty < o.penalty
}

// add counts one border. The weights are those that git's authors fitted to how
// people group changes, in its diff.indentHeuristic.
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

// turn weighs how the indent changes at a border.
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
