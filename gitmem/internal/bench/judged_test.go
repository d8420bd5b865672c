package bench_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/bench"
)

const (
	shaA = "git:commit:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	shaB = "git:commit:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	no := false
	questions := []bench.Judged{
		{ID: "1", Kind: "decision", Gold: []string{"aaaaaaa"}},
		{ID: "2", Kind: "decision", Gold: []string{"ccccccc|bbbbbbbb"}},
		{ID: "3", Kind: "when"},
		{ID: "4", Kind: "when", Gold: []string{"aaaaaaa"}, Answerable: &no},
		{ID: "5", Kind: "who", Gold: []string{"Ada Example"}},
		{ID: "6", Kind: "who", Gold: []string{"Ada Example"}},
	}
	replies := []bench.Replied{
		{Confidence: "high", Evidence: []string{shaA}, Ranked: []string{shaA, shaB}, MS: 1},
		{Confidence: "high", Evidence: []string{shaA}, Ranked: []string{shaA, shaB}, MS: 2}, // the right one is a lead only
		{Confidence: "none", MS: 3},
		{Confidence: "low", Evidence: []string{shaA}, Ranked: []string{shaA}, MS: 4},
		{Confidence: "medium", Ranked: []string{"ada example", "Bob Example"}, MS: 5},
		{Confidence: "medium", Ranked: []string{"Bob Example", "Ada Example"}, MS: 6},
	}
	got := bench.Judge(questions, replies)
	got.Rows = nil
	want := bench.JudgedReport{
		Answerable: 4, Unanswerable: 2, FalseAnswers: 1, HighRight: 0.5, HighShare: 0.5, P50MS: 4,
		Groups: []bench.JudgedGroup{
			{Name: "all but who", Questions: 2, Hit1: 0.5, Hit5: 1, MRR: 0.75},
			{Name: "decision", Questions: 2, Hit1: 0.5, Hit5: 1, MRR: 0.75},
			{Name: "who", Questions: 2, Hit1: 0.5, Hit5: 1, MRR: 0.75},
		},
		Levels: []bench.JudgedLevel{
			{Confidence: "high", Answers: 2, Right: 1, Wrong: 1},
			{Confidence: "medium", Answers: 2, Right: 1, Wrong: 1},
			{Confidence: "low", Answers: 1, Made: 1},
			{Confidence: "none", Answers: 1, Made: 1},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadJudged(t *testing.T) {
	t.Parallel()
	for in, fault := range map[string]string{
		`{"questions":[{"id":"1","repo":"r","kind":"when","question":"when?","gold":["1234567"]}]}`: "",
		`{"questions":[]}`:             "there are none",
		`[{"question":"when?"}]`:       "",
		`{"questions":[{"id":"x1"}]}`:  "x1",
		`{"questions":`:                "read questions",
		`{"questions":[{"gold":"a"}]}`: "read questions",
	} {
		_, err := bench.ReadJudged(strings.NewReader(in))
		if (err == nil) != (fault == "") || err != nil && !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: %v, want %q", in, err, fault)
		}
	}
}
