package search_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// TestRankerGoes: the working memory of a ranker that nobody has any more goes at the next
// collection. In one that survives it a heap that may grow to several times of what survives
// grows without a bound.
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
