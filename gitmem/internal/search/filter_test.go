package search_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// machines returns documents that differ in one column each.
func machines(t *testing.T) *index.Snapshot {
	t.Helper()
	at := time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
	return build(t, []index.Doc{
		{ID: "a", Source: "all", Layer: "team", Type: "fix", Role: "commit", Author: "Bash Ada <ada@example.org>",
			Tool: "Bash Ada", Time: at, Title: "pump relay", Paths: []string{"firmware/relay.c"}},
		{ID: "b", Source: "all", Layer: "transcripts", Role: "user", Session: "5e55", Order: 1, Text: "the pump clicks",
			Time: at.AddDate(0, 0, 1)},
		{ID: "c", Source: "all", Layer: "transcripts", Role: "assistant", Session: "5e55", Order: 2, Tool: "Bash",
			Text: "pump valve listing", Time: at.AddDate(0, 0, 2)},
		{ID: "d", Source: "all", Layer: "transcripts", Role: "sidechain", Session: "5e55/agent-1", Tool: "Read",
			Text: "pump manual", File: "x/manual.md"},
		{ID: "e", Source: "all", Layer: "memory", Project: "q", Text: "no such machine"},
	})
}

func is(want string) func(string) bool { return func(s string) bool { return s == want } }

func word(s string) search.Words { return search.Words{Text: s, Terms: index.Terms(s)} }

func TestFilterOfWordsAndColumns(t *testing.T) {
	t.Parallel()
	snap := machines(t)
	tests := []struct {
		name string
		q    search.Query
		want string
	}{
		{"required", search.Query{Required: []search.Words{word("valve")}}, "c"},
		{"required, all words of a group", search.Query{Required: []search.Words{word("pump manual")}}, "d"},
		{"required, in a title", search.Query{Required: []search.Words{word("relays")}}, "a"},
		{"required, in a path", search.Query{Required: []search.Words{word("firmware")}}, "a"},
		{"required, not the name of an author", search.Query{Required: []search.Words{word("ada")}}, ""},
		{"required and nowhere", search.Query{Required: []search.Words{word("zorvax")}}, ""},
		{"excluded", search.Query{Excluded: []search.Words{word("pump")}}, "e"},
		{"excluded, all words of a group", search.Query{Excluded: []search.Words{word("pump manual")}}, "abce"},
		{"required and excluded", search.Query{Required: []search.Words{word("pump")},
			Excluded: []search.Words{word("valve"), word("clicks")}}, "ad"},
		{"role", search.Query{Conditions: []search.Condition{{On: search.OnRole, Match: is("user")}}}, "b"},
		{"not a role", search.Query{Conditions: []search.Condition{{On: search.OnRole, Match: is("user"), Not: true}}},
			"acde"},
		{"two conditions", search.Query{Conditions: []search.Condition{{On: search.OnLayer, Match: is("transcripts")},
			{On: search.OnSession, Match: is("5e55")}}}, "bc"},
		{"a path", search.Query{Conditions: []search.Condition{{On: search.OnPath, Match: func(p string) bool {
			return search.MatchesPath("*.md", p)
		}}}}, "d"},
		{"a tool, not the author of a commit",
			search.Query{Conditions: []search.Condition{{On: search.OnTool, Words: []string{"Bash"}}}}, "c"},
		{"one of two tools",
			search.Query{Conditions: []search.Condition{{On: search.OnTool, Words: []string{"bash", "read"}}}}, "cd"},
		{"not a tool", search.Query{Conditions: []search.Condition{{On: search.OnTool, Words: []string{"bash"}, Not: true}}},
			"abde"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res, err := search.Run(t.Context(), []*index.Snapshot{snap}, tt.q)
			if err != nil {
				t.Fatal(err)
			}
			got := ids(res.Hits)
			slices.Sort(got)
			if diff := gocmp.Diff(tt.want, strings.Join(got, "")); diff != "" {
				t.Errorf("hits (-want +got):\n%s", diff)
			}
		})
	}
}

// only returns a query for a part of a value, or for a path by a pattern.
func only(on search.Column, want string) search.Query {
	match := func(have string) bool { return strings.Contains(strings.ToLower(have), strings.ToLower(want)) }
	if on == search.OnPath {
		match = func(have string) bool { return search.MatchesPath(want, have) }
	}
	return search.Query{Conditions: []search.Condition{{On: on, Match: match}}}
}

// Unindexed documents are filtered like indexed ones.
func TestAdmitsAsRunDoes(t *testing.T) {
	t.Parallel()
	snap := machines(t)
	tools := map[string][]string{"c": {"Bash"}, "d": {"Read"}}
	for i, q := range []search.Query{
		{}, only(search.OnAuthor, "ada@"), only(search.OnType, "fix"), {Layers: []string{"memory", "transcripts"}},
		{Session: "5e"}, {Except: "5e55"}, only(search.OnPath, "manual"), only(search.OnPath, "*.c"),
		{Range: search.Range{Since: time.Date(2024, 3, 2, 0, 0, 0, 0, time.UTC)}}, {Projects: is("q")},
		{Conditions: []search.Condition{{On: search.OnTool, Words: []string{"bash"}}}},
		{Conditions: []search.Condition{{On: search.OnTool, Words: []string{"bash"}, Not: true},
			{On: search.OnAuthor, Match: is("")}}},
	} {
		res, err := search.Run(t.Context(), []*index.Snapshot{snap}, q)
		if err != nil {
			t.Fatal(err)
		}
		got := ids(res.Hits)
		slices.Sort(got)
		want := []string{}
		for row := range snap.Rows() {
			if r := snap.Row(row); q.Admits(r, tools[r.ID]) {
				want = append(want, r.ID)
			}
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("query %d: Admits, Run (-want +got):\n%s", i, diff)
		}
	}
}

// A path of many rows is tested once.
func TestPathsAreJudgedOnce(t *testing.T) {
	t.Parallel()
	var docs []index.Doc
	for i := range 300 {
		docs = append(docs, index.Doc{
			ID: "a:" + strconv.Itoa(i), Source: "all", Layer: "team", Text: "pump", File: "log.jsonl",
			Paths: []string{"firmware/relay.c", "firmware/pump.c"},
		})
	}
	judged := 0
	nothing := search.Condition{On: search.OnPath, Match: func(string) bool {
		judged++
		return false
	}}
	res, err := search.Run(t.Context(), []*index.Snapshot{build(t, docs)},
		search.Query{Text: "pump", Conditions: []search.Condition{nothing}})
	if err != nil || len(res.Hits) > 0 {
		t.Fatalf("%v, %v", ids(res.Hits), err)
	}
	if judged > 3 {
		t.Errorf("3 paths were judged %d times", judged)
	}
}
