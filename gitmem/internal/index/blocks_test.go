package index_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	gocmp "github.com/google/go-cmp/cmp"
)

// TestBlocksAreThePostings compares blocks, counts and columns with the postings read one by one, in a shard of several
// segments with tombstones.
func TestBlocksAreThePostings(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	r, w := newRand(21), randomWorld(newRand(20), 3, 700)
	refresh(t, s, w)
	for range 3 {
		mutate(r, w)
		refresh(t, s, w)
	}
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	type posting struct {
		Row          int32
		Freq, Length int
	}
	total := 0
	for _, f := range allFields() {
		for _, term := range append(index.Terms(strings.Join(vocabulary(), " ")), "nowhere") {
			var want, got []posting
			if err := snap.Postings(t.Context(), f, term, func(row int32, freq, length int) {
				want = append(want, posting{row, freq, length})
			}); err != nil {
				t.Fatal(err)
			}
			err := snap.PostingBlocks(t.Context(), f, term, func(b index.Block) {
				for i, row := range b.Rows {
					got = append(got, posting{row, int(b.Freqs[i]), int(b.Lengths[i])})
				}
			})
			if diff := gocmp.Diff(want, got); err != nil || diff != "" {
				t.Fatalf("%s %s: %v\n%s", f, term, err, diff)
			}
			if n, err := snap.DocFreq(t.Context(), f, term); err != nil || n != len(want) {
				t.Errorf("DocFreq of %s %s = %d, %v, want %d", f, term, n, err, len(want))
			}
			total += len(want)
		}
	}
	if total < 1000 {
		t.Errorf("only %d postings were compared", total)
	}
	c := snap.Columns()
	for i := range snap.Rows() {
		if c.Session[i] != snap.SessionOf(i) || c.Next[i] != snap.Next(i) || c.Prev[i] != snap.Prev(i) {
			t.Fatalf("columns of row %d differ", i)
		}
	}
}
