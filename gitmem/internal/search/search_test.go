package search_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// build creates a shard of the documents and opens it.
func build(t testing.TB, docs []index.Doc) *index.Snapshot {
	t.Helper()
	s := index.Open(t.TempDir(), index.Options{Now: func() time.Time { return time.Unix(0, 0) }})
	_, err := s.Refresh(t.Context(), func(marks map[string]index.Mark, _ index.State) (index.Update, error) {
		if len(marks) > 0 {
			return index.Update{}, nil
		}
		return index.Update{
			Docs: func(yield func(index.Doc, error) bool) {
				for _, d := range docs {
					if !yield(d, nil) {
						return
					}
				}
			},
			Marks: func() []index.Mark { return []index.Mark{{Key: "all"}} },
		}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = snap.Close() })
	return snap
}

func ids(hits []search.Hit) []string {
	out := []string{}
	for _, h := range hits {
		out = append(out, h.Doc.ID)
	}
	return out
}

func doc(id, title, text string) index.Doc {
	return index.Doc{ID: id, Source: "all", Layer: "memory", Title: title, Text: text}
}

func TestRunFilters(t *testing.T) {
	t.Parallel()
	at := func(s string) time.Time {
		v, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	snap := build(t, []index.Doc{
		{ID: "a", Source: "all", Layer: "team", Type: "fix", Author: "Ada <ada@example.org>", Project: "p",
			Time: at("2024-03-01"), Title: "pump relay", Paths: []string{"firmware/relay.c"}},
		{ID: "b", Source: "all", Layer: "team", Type: "docs", Author: "Bob <bob@example.org>", Project: "p",
			Time: at("2024-04-01"), Title: "pump manual", Paths: []string{"docs/pump.md"}},
		{ID: "c", Source: "all", Layer: "rules", Project: "q", Title: "pump rule", Session: "5e55"},
	})
	tests := []struct {
		name string
		q    search.Query
		want []string
	}{
		{"no filter", search.Query{Text: "pump"}, []string{"a", "b", "c"}},
		{"type", only(search.OnType, "fix"), []string{"a"}},
		{"author by part of the address", only(search.OnAuthor, "BOB@"), []string{"b"}},
		{"layer", search.Query{Text: "pump", Layers: []string{"rules"}}, []string{"c"}},
		{"path glob", only(search.OnPath, "*.c"), []string{"a"}},
		{"part of a path", only(search.OnPath, "docs/"), []string{"b"}},
		{"session beginning", search.Query{Text: "pump", Session: "5e"}, []string{"c"}},
		{"except the asking session", search.Query{Text: "pump", Except: "5e55"}, []string{"a", "b"}},
		{"except several sessions", search.Query{Text: "pump", Except: "5e,,5e55"}, []string{"a", "b"}},
		{"project", search.Query{Text: "pump", Projects: func(p string) bool { return p == "q" }}, []string{"c"}},
		{"range leaves undated out", search.Query{Text: "pump", Range: search.Range{Since: at("2024-03-15")}}, []string{"b"}},
		{"no words lists newest first", search.Query{Text: ""}, []string{"b", "a", "c"}},
		{"limit", search.Query{Text: "", Limit: 1}, []string{"b"}},
		{"what is dated ahead is last", search.Query{Text: "", Now: at("2024-03-20")}, []string{"a", "c", "b"}},
		{"ahead, limit", search.Query{Text: "", Now: at("2024-03-20"), Limit: 1}, []string{"a"}},
		{"within a day ahead", search.Query{Text: "", Now: at("2024-03-31")}, []string{"b", "a", "c"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res, err := search.Run(t.Context(), []*index.Snapshot{snap, nil}, tt.q)
			if err != nil {
				t.Fatal(err)
			}
			got := ids(res.Hits)
			if tt.q.Text != "" {
				slices.Sort(got)
			}
			if diff := gocmp.Diff(tt.want, got); diff != "" {
				t.Errorf("hits (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNeighboursLiftTheAnswer(t *testing.T) {
	t.Parallel()
	turn := func(session string, n int, text string) index.Doc {
		return index.Doc{ID: fmt.Sprintf("transcript:%s:%d", session, n), Source: "all", Layer: "transcripts",
			Session: session, Order: int64(n), Text: text}
	}
	snap := build(t, []index.Doc{
		turn("one", 1, "Which voltage does the relay board need?"),
		turn("one", 2, "Twelve, measured at the clamp."),
		turn("one", 3, "Thanks."),
		turn("two", 1, "The weather is fine."),
		turn("two", 2, "Twelve apples lie here."),
	})
	res, err := search.Run(t.Context(), []*index.Snapshot{snap}, search.Query{Text: "relay board voltage twelve"})
	if err != nil {
		t.Fatal(err)
	}
	got := ids(res.Hits)
	if len(got) < 2 || got[1] != "transcript:one:2" {
		t.Errorf("the answering turn should stand right behind its question, got %v", got)
	}
	q := search.Query{Text: "relay board voltage twelve", Weights: search.DefaultWeights()}
	q.Weights.Before, q.Weights.After, q.Weights.TwoAway = 0, 0, 0
	res, err = search.Run(t.Context(), []*index.Snapshot{snap}, q)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(ids(res.Hits), "transcript:one:3") {
		t.Error("without the neighbour pass a turn without any word must not be a hit")
	}
}

func TestCoverageCountsOwnWordsOnly(t *testing.T) {
	t.Parallel()
	snap := build(t, []index.Doc{doc("a", "relay", "board"), doc("b", "relay", "")})
	res, err := search.Run(t.Context(), []*index.Snapshot{snap}, search.Query{Text: "relay board"})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Hits) != 2 || res.Hits[0].Coverage != 1 || res.Hits[1].Coverage >= 0.5 {
		t.Errorf("coverage: %+v", res.Hits)
	}
	if diff := gocmp.Diff(index.Terms("relay board"), res.Hits[0].Matched); diff != "" {
		t.Errorf("matched (-want +got):\n%s", diff)
	}
}
