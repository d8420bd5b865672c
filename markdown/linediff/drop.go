package linediff

import (
	"math"
	"slices"
)

const (
	// maxOften is how often a line may occur in the other text and still be significant; for short texts it is
	// less.
	maxOften = 1024
	// nearby is how many lines around one are examined.
	nearby = 100
)

// lineState is the state of a line before the comparison.
type lineState uint8

const (
	alone lineState = iota // the other side has no equal line
	kept
	often // the other side has many equal lines
)

// drop marks the lines that only one side has, which are changed in any case, and keeps the others for the
// comparison. Like git, it also marks lines that are frequent in the other text if they are among lines that
// only one side has: blank lines and brackets of a replaced passage stay with it.
func (d *Differ) drop() {
	a, b := &d.a, &d.b
	shorter, from, tail := min(a.len(), b.len()), 0, 0
	for from < shorter && a.number[from] == b.number[from] {
		from++
	}
	for tail < shorter-from && a.number[a.len()-1-tail] == b.number[b.len()-1-tail] {
		tail++
	}
	a.tally(d.table.len())
	b.tally(d.table.len())
	oftenA, oftenB := int32(math.MaxInt32), int32(math.MaxInt32)
	if d.AsGit {
		oftenA, oftenB = manyFor(a.len()), manyFor(b.len())
	}
	a.keep(b.count, oftenA, from, a.len()-tail)
	b.keep(a.count, oftenB, from, b.len()-tail)
}

// tally counts the occurrences of each line of the side.
func (s *side) tally(kinds int) {
	s.count = slices.Grow(s.count[:0], kinds)[:kinds]
	clear(s.count)
	for _, n := range s.number {
		s.count[n]++
	}
}

// manyFor returns how many occurrences are frequent for a text: about the square root of its number of lines.
func manyFor(lines int) int32 {
	limit := int32(1)
	for ; lines > 0; lines >>= 2 {
		limit <<= 1
	}
	return min(limit, maxOften)
}

// keep selects the lines of a range; other has the counts of the other side, of which many or more are
// frequent.
func (s *side) keep(other []int32, many int32, from, to int) {
	s.states, s.few, s.at = s.states[:0], s.few[:0], s.at[:0]
	for _, n := range s.number[from:to] {
		switch c := other[n]; {
		case c == 0:
			s.states = append(s.states, alone)
		case c >= many:
			s.states = append(s.states, often)
		default:
			s.states = append(s.states, kept)
		}
	}
	for i, f := range s.states {
		if f == kept || f == often && !surrounded(s.states, i) {
			s.few, s.at = append(s.few, s.number[from+i]), append(s.at, int32(from+i))
		} else {
			s.changed[from+i] = true
		}
	}
}

// surrounded reports whether a line that is frequent on the other side is in a run, up to the next kept line
// in each direction, where lines that only one side has outnumber such lines.
func surrounded(states []lineState, i int) bool {
	count := func(step, end int) (alones, oftens int) {
		for j := i + step; j != end+step && states[j] != kept; j += step {
			if states[j] == alone {
				alones++
			} else {
				oftens++
			}
		}
		return alones, oftens
	}
	before, oftenBefore := count(-1, max(0, i-nearby))
	behind, oftenBehind := count(1, min(len(states)-1, i+nearby))
	oftens := oftenBefore + oftenBehind + 2
	return before > 0 && behind > 0 && 4*oftens < oftens+before+behind
}
