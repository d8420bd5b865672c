package search_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// runOver searches one snapshot and fails the test on an error.
func runOver(t testing.TB, snap *index.Snapshot, q search.Query) search.Result {
	t.Helper()
	res, err := search.Run(t.Context(), []*index.Snapshot{snap}, q)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestTermsThatStandForOthers(t *testing.T) {
	t.Parallel()
	snap := build(t, []index.Doc{doc("a", "", "relay board"), doc("b", "", "switch board"), doc("c", "", "board"),
		doc("d", "", "fuse")})
	plain := search.Query{Terms: search.PlainTerms([]string{"relai", "board"})}
	added := search.Query{Terms: append(search.PlainTerms([]string{"relai", "board"}),
		search.QueryTerm{Text: "switch", Weight: 0.5, For: 0})}

	before, after := runOver(t, snap, plain), runOver(t, snap, added)
	if diff := gocmp.Diff([]string{"a", "b", "c"}, ids(after.Hits)); diff != "" {
		t.Fatalf("hits (-want +got):\n%s", diff)
	}
	if got := before.Hits[1].Coverage; got >= 1 {
		t.Errorf("without the added term b covers %v of the query", got)
	}
	if got := after.Hits[1].Coverage; got != 1 {
		t.Errorf("a term that stands for another covers it: b covers %v of the query", got)
	}
	if diff := gocmp.Diff([]string{"board", "switch"}, after.Hits[1].Matched); diff != "" {
		t.Errorf("matched by b (-want +got):\n%s", diff)
	}
	if len(after.Terms) != 2 || len(after.Added) != 1 || after.Added[0].Text != "switch" || after.Added[0].Docs != 1 {
		t.Errorf("terms %+v, added %+v", after.Terms, after.Added)
	}
}
