package main

import (
	"reflect"
	"strings"
	"testing"
)

const sha = "git:commit:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

func text(s string) func() string { return func() string { return s } }

func TestJudgeAnswers(t *testing.T) {
	t.Parallel()
	commit := source{ID: sha, Author: "Ada Example", Text: text("Add it")}
	page := source{ID: "docs:a.md#x", Text: text("> Use `it`\nwith care.")}
	questions := []judged{
		{ID: "1", Kind: "why", Words: "own", Repo: "r", Gold: []string{"commit:aaaaaaaa"}},
		{ID: "2", Kind: "how", Words: "own", Repo: "r", Gold: []string{"docs:a.md~use it with"}},
		{ID: "3", Kind: "how", Words: "para", Repo: "r", Gold: []string{"docs:b.md~use it with", "commit:bbbbbbb"}},
		{ID: "4", Kind: "who", Words: "own", Repo: "r", Gold: []string{"person:Ada"}},
		{ID: "5", Kind: "who", Words: "own", Repo: "r", Gold: []string{"person:Ada"}},
		{ID: "6", None: true, Reversed: true, Gold: []string{"commit:aaaaaaaa"}},
		{ID: "7", None: true, Nameless: "zorvax"},
		{ID: "8", None: true},
	}
	replies := []replied{
		{Verdict: "answered", Confidence: "high", Sources: []source{commit}, MS: 1},
		{Verdict: "closest", Confidence: "low", Sources: []source{commit, page}, MS: 2},
		{Verdict: "none", Confidence: "none", Sources: []source{commit, page}, MS: 3},
		{Verdict: "answered", Confidence: "medium", People: []string{"Bob", "Ada Example"}, MS: 4},
		{Verdict: "closest", Confidence: "low", Sources: []source{commit}, MS: 5},
		{Verdict: "closest", Confidence: "low", Reversed: true, Sources: []source{commit}, MS: 6},
		{Verdict: "none", Confidence: "none", MS: 7},
		{Verdict: "answered", Confidence: "high", MS: 8},
	}
	got := judge(questions, replies)
	ranks := ""
	for _, row := range got.Rows {
		ranks += string(rune('0' + row.Rank))
	}
	got.Rows = nil
	want := judgedReport{
		Answerable: 5, Never: 3, NeverAnswered: 1, Reversed: 1, ReversedTold: 1, Nameless: 1, NamelessRefused: 1, P50MS: 5,
		Groups: []judgedGroup{
			{Name: "all", Questions: 5, First: 2, Useful: 4, Refused: 1}, {Name: "own", Questions: 4, First: 2, Useful: 4},
			{Name: "why", Questions: 1, First: 1, Useful: 1}, {Name: "r", Questions: 5, First: 2, Useful: 4, Refused: 1},
			{Name: "how", Questions: 2, Useful: 1, Refused: 1}, {Name: "para", Questions: 1, Refused: 1},
			{Name: "who", Questions: 2, First: 1, Useful: 2},
		},
		Levels: []judgedLevel{
			{Confidence: "high", Answers: 2, Right: 1, Never: 1}, {Confidence: "medium", Answers: 1, Right: 1},
			{Confidence: "low", Answers: 3, Right: 2, Never: 1}, {Confidence: "none", Answers: 2, Never: 1},
		},
	}
	if !reflect.DeepEqual(want, got) || ranks != "12021100" {
		t.Errorf("ranks %s\ngot  %+v\nwant %+v", ranks, got, want)
	}
}

func TestReadJudged(t *testing.T) {
	t.Parallel()
	for in, fault := range map[string]string{
		`[{"id":"1","repo":"r","kind":"when","question":"when?","gold":["commit:1234567"]}]`: "",
		`[{"id":"1","question":"when?","none":true}]`:                                        "",
		`[{"id":"1","question":"when?"}]`:                                                    "neither gold nor none",
		`[{"id":"1","question":" ","none":true}]`:                                            "has no question",
		`[]`: "there are none",
		`{`:  "read questions",
	} {
		_, err := readJudged(strings.NewReader(in))
		if (err == nil) != (fault == "") || err != nil && !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: %v, want %q", in, err, fault)
		}
	}
}

func TestClaimExamples(t *testing.T) {
	q := judged{Question: "why?", Gold: []string{"commit:1234567"}}
	sources := []source{{ID: "git:commit:1234567890"}, {ID: "git:commit:7654321000"}}
	for _, tt := range []struct {
		claimed claimed
		none    bool
		want    string
	}{
		{claimed{"git:commit:1234567890", "0.90 event=same title>=0.3"}, false, "right event=same title>=0.3"},
		{claimed{"git:commit:1234567890", "0.90 event=same"}, true, "wrong event=same"},
		{claimed{"git:commit:7654321000", "0.20 event=unasked"}, false, "wrong event=unasked"},
		{claimed{"git:commit:7654321000", "0.00 event=untold untold"}, false, ""},
	} {
		q.None = tt.none
		if got := q.example(tt.claimed, sources); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.claimed, got, tt.want)
		}
	}
}
