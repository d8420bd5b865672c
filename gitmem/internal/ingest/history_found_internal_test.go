package ingest

import (
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// TestWaitingCommitsAreFoundByMessages: until all commits are indexed, those whose messages contain words of a question
// are found, each once, and other waiting commits are not.
func TestWaitingCommitsAreFoundByMessages(t *testing.T) {
	t.Parallel()
	g := waiting5(t)
	ask := func(words string) (titles []string, caveats string) {
		m, _ := g.open()
		p, err := m.ws.Place(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		m.LookThrough(t.Context(), p, words)
		open, err := m.openShards(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { CloseAll(open.Snaps) }()
		m.AddWaiting(t.Context(), p, &open, words)
		res, err := search.Run(t.Context(), open.Snaps,
			search.Query{Text: words, Terms: search.PlainTerms(index.QueryTerms(words)), Limit: 20})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range res.Hits {
			titles = append(titles, g.git("log", "-1", "--format=%s", strings.TrimPrefix(h.Doc.ID, CommitPrefix)))
		}
		slices.Sort(titles)
		return titles, strings.Join(m.ws.Caveats, " ")
	}
	all := []string{"Change 1", "Change 2", "Change 3", "Change 4", "Change 5", "Change 6", "Change 7", "Change 8"}
	for range 2 { // the second time from the index of the first
		titles, caveats := ask("What was changed?")
		if !slices.Equal(titles, all) || !strings.Contains(caveats, "the 5 commits whose messages") {
			t.Errorf("found %q, caveats %q", titles, caveats)
		}
	}
	if titles, _ := ask("valve2"); len(titles) > 0 {
		t.Errorf("found by what it changes: %q", titles)
	}
	g.rest()
	if titles, caveats := ask("What was changed?"); !slices.Equal(titles, all) || strings.Contains(caveats, "older") {
		t.Errorf("behind the indexer: %q, caveats %q", titles, caveats)
	}
}

// TestStems: other forms of a word have the same stem as their prefix.
func TestStems(t *testing.T) {
	t.Parallel()
	m := messageSearch{stems: stemsOf("Why was the repository's commit-graph introduced?")}
	for message, want := range map[string]int{
		"Repositories: introducing them\n\nThe commit-graph": 3, "preintroduce": 0, "x\n\nINTRODUCES": 1, "": 0,
	} {
		n := 0
		for i := range m.stems {
			n += int(m.held(appendLower(nil, message)) >> i & 1)
		}
		if n < want || want == 0 && n > 0 {
			t.Errorf("%q holds %d of %q, want %d", message, n, m.stems, want)
		}
	}
}
