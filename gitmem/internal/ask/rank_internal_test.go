package ask

import (
	"testing"
	"time"

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

// TestFits: what kind of thing a source is counts for a team's sources alone.
func TestFits(t *testing.T) {
	t.Parallel()
	const drop, came = "why was the barometer drift thrown out?", "when did the barometer drift come in?"
	for _, test := range []struct {
		question, title, kind, role, layer string
		want                               float64
	}{
		{drop, "Barometer drift", "feature", "commit", cite.LayerTeam, 1},
		{drop, "Drop the dial", "feature", "commit", cite.LayerTeam, titledEvent},
		{drop, "Drop the dial", "feature", "", cite.LayerTranscripts, 1},
		{drop, "Add the dial", "feature", "commit", cite.LayerTeam, 1},
		{"why was the barometer added?", "feat: dial", "feature", "commit", cite.LayerTeam, titledEvent},
		{came, "Handbook", "docs", "doc", cite.LayerTeam, standing},
		{came, "Handbook", "docs", "commit", cite.LayerTeam, 1},
		{came, "Barometer", "test", "commit", cite.LayerTeam, ofTests},
		{"when did the barometer test come in?", "Barometer", "test", "commit", cite.LayerTeam, 1},
		{"how do we read the barometer?", "Handbook", "docs", "doc", cite.LayerTeam, 1},
	} {
		q := Read(test.question, time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC), nil)
		var terms []search.Term
		for _, term := range q.Terms {
			terms = append(terms, search.Term{Text: term, Docs: 1, Rarity: 1})
		}
		src := cite.Source{Title: test.title, Type: test.kind, Layer: test.layer}
		hit := search.Hit{Doc: index.Row{Role: test.role, Layer: test.layer}}
		if got := newWeigher(q, terms).fits(src, hit); got != test.want {
			t.Errorf("%q, %s %q: %.2f, not %.2f", test.question, test.kind, test.title, got, test.want)
		}
	}
}
