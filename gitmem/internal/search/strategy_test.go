package search_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func dated(id, date, text string) index.Doc {
	return index.Doc{ID: id, Source: id, Layer: "memory", Time: day(date), Text: text}
}

// during runs the direct leg and the one for a time, as in a question that names one.
func during(t *testing.T, snap *index.Snapshot, text, now string) []string {
	t.Helper()
	near, _ := search.FindRange(text, day(now))
	q := search.Query{Text: text, Near: near}
	legs := []search.Leg{search.Direct([]*index.Snapshot{snap})}
	if leg, ok := search.During([]*index.Snapshot{snap}, q); ok {
		legs = append(legs, leg)
	}
	res, _, err := search.RunLegs(t.Context(), q, legs, time.Minute, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return ids(res.Hits)
}

func TestANamedTimeIsPreferredAndDropsNothing(t *testing.T) {
	t.Parallel()
	snap := build(t, []index.Doc{
		dated("a", "2024-03-04", "the relay was replaced"),
		dated("b", "2024-06-11", "the relay was replaced by a larger one and tested"),
		dated("c", "2023-06-20", "the relay was drawn for the first time, on paper"),
		dated("d", "2024-06-12", "lunch"),
	})
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"relay replaced", []string{"a", "b", "c"}},
		{"relay replaced in June 2024", []string{"b", "a", "c"}},
		{"relay replaced in June", []string{"b", "a", "c"}}, // the last June with records
		{"relay drawn in June 2023", []string{"c", "a", "b"}},
		{"relay replaced in May 2019", []string{"a", "b", "c"}}, // there are no records of that time
	} {
		if diff := cmp.Diff(c.want, during(t, snap, c.query, "2026-11-20")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
	}
}

func TestOnlyWordsThatBoundATimeRestrict(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]bool{
		"relay since March 2024": true, "relay until 2024-03-01": true, "relay in March 2024": false,
		"relay before March 2024": false, "what changed recently with the relay": false,
	} {
		r, _ := search.FindRange(words, day("2026-11-20"))
		if r.IsZero() || r.Restricts() != want {
			t.Errorf("%s: range %v restricts: %v, want %v", words, r, r.Restricts(), want)
		}
	}
}

// A summary leads to its session, also if summaries themselves are not requested.
func TestSummariesLeadToTheirSessions(t *testing.T) {
	t.Parallel()
	d := func(id, layer, session, text string) index.Doc {
		return index.Doc{ID: id, Source: id, Layer: layer, Session: session, Text: text}
	}
	snaps := []*index.Snapshot{
		build(t, []index.Doc{d("sum", "summaries", "s2", "valve calibration of the greenhouse")}),
		build(t, []index.Doc{d("a", "transcripts", "s1", "the valve leaks"), d("b", "transcripts", "s2", "the valve leaks")}),
	}
	find := func(q search.Query) (out []string) {
		leg, ok := search.Summaries(snaps, q)
		if !ok {
			t.Fatal("no summaries")
		}
		res, _, err := search.RunLegs(t.Context(), q, []search.Leg{search.Direct(snaps), leg}, time.Minute, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		return ids(res.Hits)
	}
	if diff := cmp.Diff([]string{"b", "a"},
		find(search.Query{Text: "calibration valve", Layers: []string{"transcripts"}})); diff != "" {
		t.Errorf("by its summary (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b"},
		find(search.Query{Text: "valve leaks pressure water", Layers: []string{"transcripts"}})); diff != "" {
		t.Errorf("by a word of its summary alone (-want +got):\n%s", diff)
	}
	if got := find(search.Query{Text: "calibration valve"}); got[0] != "sum" {
		t.Errorf("asked for all layers: %v", got)
	}
	if _, ok := search.Summaries(snaps[1:], search.Query{}); ok {
		t.Error("a shard without summaries has a leg for them")
	}
}
