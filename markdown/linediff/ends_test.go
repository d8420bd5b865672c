package linediff_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/markdown/linediff"
)

// The result of Ends for a line is that of a comparison of both texts.
func TestEndsSayWhatDiffSays(t *testing.T) {
	t.Parallel()
	told := 0
	for seed := range uint64(20_000) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		a := lines(few(rnd, 30, 1+rnd.IntN(9)))
		b := bytes.Join(withBlock(rnd, a), nil)
		if rnd.IntN(4) == 0 {
			b = bytes.TrimSuffix(b, []byte("\n"))
		}
		was := before(bytes.Join(a, nil), b)
		ends, offset := linediff.CommonEnds(bytes.Join(a, nil), b), 0
		for i, line := range lines(b) {
			got, known := ends.Before(i, offset, line)
			if known && got != was[i] {
				t.Fatalf("seed %d: line %d of %q was %d of %q, not %d", seed, i, b, was[i], a, got)
			}
			if known {
				told++
			}
			offset += len(line)
		}
	}
	if told < 20_000 {
		t.Errorf("%d lines are known from the ends: too few to try it", told)
	}
}

// withBlock replaces some neighbouring lines, or moves them.
func withBlock(rnd *rand.Rand, a [][]byte) [][]byte {
	from := rnd.IntN(len(a) + 1)
	to := from + rnd.IntN(min(6, len(a)-from+1))
	put := lines(few(rnd, 5, 9))
	if rnd.IntN(3) == 0 { // an existing block, so that a change can slide
		put = a[max(0, from-rnd.IntN(6)):from]
	}
	return slices.Concat(a[:from], put, a[to:])
}

// before returns the former position of each line, -1 for a new one.
func before(a, b []byte) []int {
	out, shift, hunks := []int{}, 0, linediff.Diff(a, b)
	for i := range lines(b) {
		for len(hunks) > 0 && hunks[0].New.End <= i {
			shift, hunks = hunks[0].Old.End-hunks[0].New.End, hunks[1:]
		}
		if len(hunks) > 0 && hunks[0].New.Start <= i {
			out = append(out, -1)
			continue
		}
		out = append(out, i+shift)
	}
	return out
}

// Lines far from a change need no comparison.
func TestEndsOfALongText(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "line %d\n", i)
	}
	a := text.String()
	b := strings.Replace(a, "line 500\n", "another\nand one more\n", 1)
	ends, offset, unknown := linediff.CommonEnds([]byte(a), []byte(b)), 0, 0
	for i, line := range lines([]byte(b)) {
		if _, known := ends.Before(i, offset, line); !known {
			unknown++
		}
		offset += len(line)
	}
	if unknown != 2 || ends.Between() != len("line 500\nanother\nand one more\n") {
		t.Errorf("%d lines and %d bytes need a comparison", unknown, ends.Between())
	}
}
