package index_test

import (
	"slices"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// TestRemoveByID removes documents by their ids.
func TestRemoveByID(t *testing.T) {
	t.Parallel()
	s, w := index.Open(t.TempDir(), index.Options{}), randomWorld(newRand(8), 3, 40)
	refresh(t, s, w)
	var ids []string
	for key, docs := range w {
		for _, d := range docs[:5] {
			ids = append(ids, d.ID)
		}
		w[key] = docs[5:]
	}
	changed, marks := ids[0], []index.Mark(nil)
	w["src00"] = append(w["src00"], index.Doc{ID: changed, Source: "src00", Text: "it comes back in the same step"})
	for key := range w {
		marks = append(marks, w.mark(key))
	}
	gone := append(slices.Clone(ids), "transcript:nobody:7", "unknown")
	res, err := s.Refresh(t.Context(), func(map[string]index.Mark, index.State) (index.Update, error) {
		return index.Update{
			Docs: func(yield func(index.Doc, error) bool) {
				d := w["src00"][len(w["src00"])-1]
				yield(d, nil)
			},
			Remove: &gone,
			Marks:  func() []index.Mark { return marks },
		}, nil
	})
	if err != nil || res.Removed != len(ids) || res.Added != 1 {
		t.Fatalf("Refresh = %+v, %v", res, err)
	}
	check(t, s, w)
}
