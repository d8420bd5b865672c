package index_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Two commits without a body differ by their subjects, which are titles.
func TestHashCoversTheTitle(t *testing.T) {
	t.Parallel()
	docs := []index.Doc{
		{ID: "a:1", Source: "a", Title: "Add Redis"},
		{ID: "a:2", Source: "a", Title: "Drop Redis"},
		{ID: "a:3", Source: "a", Text: "Drop Redis\n"},
		{ID: "a:4", Source: "a", Title: "Drop Redis", Text: "It was slow."},
		{ID: "a:5", Source: "a"},
	}
	s := index.Open(t.TempDir(), index.Options{})
	_, err := s.Refresh(t.Context(), func(map[string]index.Mark, index.State) (index.Update, error) {
		return index.Update{Docs: func(yield func(index.Doc, error) bool) {
			for _, d := range docs {
				if !yield(d, nil) {
					return
				}
			}
		}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	texts := []string{"Add Redis\n", "Drop Redis\n", "Drop Redis\n", "Drop Redis\nIt was slow.", ""}
	for i, d := range docs {
		row, ok := snap.Find(d.ID)
		if !ok {
			t.Fatalf("%s was not indexed", d.ID)
		}
		want := index.Hash(texts[i])
		if got := []uint64{snap.HashOf(row), snap.Row(row).Hash, d.Hash()}; got[0] != want || got[1] != want ||
			got[2] != want {
			t.Errorf("%s has the hashes %x, want %x", d.ID, got, want)
		}
	}
}
