package index

import (
	"fmt"
	"strings"
	"testing"
)

// Terms that occurred before, and counts of one, allocate no memory.
func TestCountShares(t *testing.T) {
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "word%d ", i)
	}
	a := newAnalyzer()
	d := Doc{Text: text.String()}
	a.document(1, &d)
	if n := testing.AllocsPerRun(10, func() { a.document(2, &d) }); n > 100 {
		t.Errorf("%.0f allocations for 300 terms that are known", n)
	}
}

// Counts belong to one document, whatever earlier documents contained.
func TestCountsOfDocuments(t *testing.T) {
	t.Parallel()
	a := newAnalyzer()
	for _, text := range []string{"pump valve pump pump", "valve", "pump", "pump pump"} {
		terms := &terms{}
		length := a.count([]string{text, "pump"}, terms)
		for _, term := range []string{"pump", "valv"} {
			want := 0
			for _, w := range Terms(text + " pump") {
				if w == term {
					want++
				}
			}
			got := 0
			if f := terms.freqs[term]; f != nil {
				got = f.Frequency()
			}
			if got != want || int(length) != len(Terms(text))+1 {
				t.Errorf("%q: %s %d times of %d, want %d", text, term, got, length, want)
			}
		}
	}
}
