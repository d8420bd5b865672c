package search_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	snap := build(t, []index.Doc{
		doc("a", "relay", "the relay and another relay"), doc("b", "", "relax, it delays"), doc("c", "", "relaxation"),
		doc("d", "", "rel4y and configuration from there"),
	})
	tests := []struct {
		term string
		n    int
		want []search.Neighbour
	}{
		{"relia", 5, []search.Neighbour{{Term: "relai", Edits: 1, Docs: 2}}},
		{"configurxatoion", 5, nil},
		{"reelaxationn", 5, nil},
		{"reali", 5, []search.Neighbour{{Term: "relai", Edits: 1, Docs: 2}}},
		{"rela", 5, []search.Neighbour{{Term: "relai", Edits: 0, Docs: 2}, {Term: "relax", Edits: 0, Docs: 2}}},
		{"rela", 1, []search.Neighbour{{Term: "relai", Edits: 0, Docs: 2}}},
		{"xelay", 5, nil},
		{"frob", 5, nil},
		{"rel5y", 5, nil},
		{"re", 5, nil},
		{"confgiurtaion", 5, nil},
	}
	for _, tt := range tests {
		got, err := search.Nearest(t.Context(), []*index.Snapshot{snap, nil}, tt.term, tt.n)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.term, diff)
		}
	}
}
