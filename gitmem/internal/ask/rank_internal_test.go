package ask

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// TestConfidenceIgnoresRank: of two sources that support an answer alike, which one the
// ranking puts first must not decide whether there is an answer.
func TestConfidenceIgnoresRank(t *testing.T) {
	t.Parallel()
	commit := evidence{src: cite.Source{Layer: cite.LayerTeam}, support: 1, single: 1, titled: 0.2, sharp: 1, told: true, mass: 9, terms: 3}
	merge := commit
	merge.about, merge.titled = true, 1
	merge.hit = search.Hit{Doc: index.Row{Layer: cite.LayerTeam, Role: "merge"}}
	q := Question{Kind: KindWhen, Terms: []string{"a", "b", "c"}}
	for name, found := range map[string][]evidence{"commit first": {commit, merge}, "merge first": {merge, commit}} {
		if got := judge(found, q); got != None {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := judge([]evidence{merge}, q); got == None {
		t.Error("the merge alone makes no answer, so that the order means nothing here")
	}
}
