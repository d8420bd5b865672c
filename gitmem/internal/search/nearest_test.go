package search_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

func TestEdits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"pump", "pump", 0}, {"pump", "pmup", 1}, {"pump", "pum", 1}, {"pump", "pumps", 1}, {"pump", "dump", 1},
		{"relay", "realy", 1}, {"kitten", "sitting", 3}, {"übung", "ubung", 1}, {"ab", "ba", 1}, {"abcd", "badc", 2},
	}
	for _, tt := range tests {
		if got := search.Edits(tt.a, tt.b); got != tt.want {
			t.Errorf("Edits(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := search.Edits(tt.b, tt.a); got != tt.want {
			t.Errorf("Edits(%q, %q) = %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	snap := build(t, []index.Doc{
		doc("a", "relay", "the relay and another relay"), doc("b", "", "relax, it delays"), doc("c", "", "relaxation"), doc("d", "", "rel4y and configuration from there"),
	})
	tests := []struct {
		term string
		n    int
		want []search.Neighbour
	}{
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
