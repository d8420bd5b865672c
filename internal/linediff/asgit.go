package linediff

import "bytes"

const (
	// maxOften is the most often that a line may occur in the other text and still
	// be one that tells something; for texts of few lines it is less.
	maxOften = 1024
	// nearby is how many lines around one are looked at.
	nearby = 100
)

// fate of a line before the comparison.
type fate uint8

const (
	alone fate = iota // the other side has none like it
	kept
	often // the other side has many like it
)

// dropAsGit is drop, which moreover marks lines that the other text has often where
// they stand among others that only one side has: blank lines and brackets of a
// passage that was replaced stay with it.
func (d *Differ) dropAsGit() {
	a, b := d.occurrences()
	d.fewA, d.atA = d.a.keepAsGit(b, manyFor(d.a.text), d.fewA[:0], d.atA[:0])
	d.fewB, d.atB = d.b.keepAsGit(a, manyFor(d.b.text), d.fewB[:0], d.atB[:0])
}

// occurrences counts how often each side's whole text has a line.
func (d *Differ) occurrences() (a, b []int32) {
	a, b = make([]int32, d.table.len()), make([]int32, d.table.len())
	for _, n := range d.a.number {
		a[n]++
	}
	for _, n := range d.b.number {
		b[n]++
	}
	s := &d.a
	for _, common := range [][]byte{s.text[:s.starts[0]], s.text[s.starts[len(s.starts)-1]:]} {
		for line := range bytes.Lines(common) {
			if n := d.table.find(line); n >= 0 {
				a[n]++
				b[n]++
			}
		}
	}
	return a, b
}

// manyFor is how many times are often for a text: about the root of its lines.
func manyFor(text []byte) int32 {
	limit := int32(1)
	for n := CountLines(text); n > 0; n >>= 2 {
		limit <<= 1
	}
	return min(limit, maxOften)
}

func (s *side) keepAsGit(other []int32, limit int32, few, at []int32) (rest, stands []int32) {
	fates := make([]fate, len(s.number))
	for i, n := range s.number {
		switch c := other[n]; {
		case c == 0:
		case c >= limit:
			fates[i] = often
		default:
			fates[i] = kept
		}
	}
	for i, n := range s.number {
		if fates[i] == kept || fates[i] == often && !lost(fates, i) {
			few, at = append(few, n), append(at, int32(i))
		} else {
			s.changed[i] = true
		}
	}
	return few, at
}

// lost tells whether a line that the other side has often stands in a run, up to
// the next kept line on either side, where lines that stand alone outweigh such ones.
func lost(fates []fate, i int) bool {
	count := func(step, end int) (alones, oftens int) {
		for j := i + step; j != end+step && fates[j] != kept; j += step {
			if fates[j] == alone {
				alones++
			} else {
				oftens++
			}
		}
		return alones, oftens
	}
	before, oftenBefore := count(-1, max(0, i-nearby))
	behind, oftenBehind := count(1, min(len(fates)-1, i+nearby))
	oftens := oftenBefore + oftenBehind + 2
	return before > 0 && behind > 0 && 4*oftens < oftens+before+behind
}
