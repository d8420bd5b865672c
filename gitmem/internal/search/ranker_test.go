package search_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// TestRankerGoes checks that the next collection frees the working memory of an unreachable ranker. If it survived, a
// heap that may grow to several times the surviving size would grow without limit.
func TestRankerGoes(t *testing.T) {
	t.Parallel()
	snap := build(t, []index.Doc{doc("a", "The relay", "carries ten ampere")})
	used := func() weak.Pointer[search.Ranker] {
		r := &search.Ranker{}
		if res, err := r.Run(t.Context(), []*index.Snapshot{snap}, search.Query{Text: "relay"}); err != nil ||
			len(res.Hits) != 1 {
			t.Errorf("%+v, %v", res, err)
		}
		return weak.Make(r)
	}()
	runtime.GC()
	if used.Value() != nil {
		t.Error("a ranker that nobody has survives a collection")
	}
}
