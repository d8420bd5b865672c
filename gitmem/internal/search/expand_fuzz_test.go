package search_test

import (
	"slices"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// For any list, a query keeps its own terms first, and an added term weighs less and expands one of them.
func FuzzExpand(f *testing.F) {
	f.Add("acronym: PR | pull request\nsynonym: bug | issue | defect", "bugs of the PR", true)
	f.Add("- acronym: é | Überprüfung\n", "uberprufung", false)
	f.Add("synonym: a | b | \xff | --", "a -- b", true)
	f.Fuzz(func(t *testing.T, list, query string, bulleted bool) {
		groups, _ := search.ReadGroups(list, bulleted)
		terms := search.PlainTerms(index.QueryTerms(query))
		out := search.Thesaurus{Groups: groups}.Expand(terms, search.ExpandFull)
		if out == nil {
			return
		}
		if len(out) <= len(terms) || len(out) > len(terms)+24 || !slices.Equal(out[:len(terms)], terms) {
			t.Fatalf("%v became %v", terms, out)
		}
		for _, x := range out[len(terms):] {
			if x.Weight <= 0 || x.Weight >= 1 || x.For < 0 || x.For >= len(terms) || x.Text == "" {
				t.Errorf("added %+v", x)
			}
		}
	})
}
