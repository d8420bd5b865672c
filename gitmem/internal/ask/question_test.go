package ask_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/index"
)

func TestClassify(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		want answer.Kind
	}{
		{"where did I leave off?", answer.KindContinue},
		{"pick up where we left off", answer.KindContinue},
		{"what was I working on last week?", answer.KindRecent},
		{"what did we do in March 2022?", answer.KindRecent},
		{"What did we work on and why?", answer.KindRecent},
		{"who knows the parser?", answer.KindWho},
		{"who decided to drop Redis?", answer.KindWho},
		{"why did we drop Redis?", answer.KindWhy},
		{"what was the decision on relays", answer.KindWhy},
		{"why do we do it when it rains", answer.KindWhy},
		{"how do we name tests?", answer.KindHow},
		{"is there a convention for errors", answer.KindHow},
		{"when did we switch to Go 1.22?", answer.KindWhen},
		{"relay voltage", answer.KindGeneral},
		{"the whole thing", answer.KindGeneral},
		{"whyever", answer.KindGeneral},
	}
	for _, tt := range tests {
		if got := ask.Classify(tt.in); got != tt.want {
			t.Errorf("Classify(%q) = %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestReadTalk(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]answer.Kind{
		"what was said yesterday?": answer.KindRecent, "what did we talk about last week?": answer.KindRecent,
		"what did we discuss yesterday?":           answer.KindRecent,
		"what was said about the relay yesterday?": answer.KindGeneral, "what was said?": answer.KindGeneral,
	} {
		if got := ask.Read(in, time.Date(2024, 5, 15, 10, 0, 0, 0, time.UTC), nil).Kind; got != want {
			t.Errorf("%q is of the kind %s, want %s", in, got, want)
		}
	}
}

func TestReadIdeas(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"what did we decide?": "decision", "what have we decided": "decision", "decisions": "decision",
		"list all open questions": "question open", "what problems were there?": "problem",
		"which todos are still open about the relay": "todo open the relay", "decisions we took on relays": "",
		"decision": "", "what did we decide about the relay?": "",
		"which decisions did we take last month?": "decision", "the decision": "decision", "problem: the relay": "",
	} {
		q := ask.Read(in, time.Date(2024, 5, 15, 10, 0, 0, 0, time.UTC), nil)
		got := q.Intent
		if q.Open {
			got += " open"
		}
		if got != "" {
			got = strings.TrimSpace(got + " " + strings.Join(q.Words, " "))
		}
		if got != want {
			t.Errorf("%q asks for %q, want %q", in, got, want)
		}
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	now := time.Date(2024, 5, 15, 10, 0, 0, 0, time.UTC)
	tests := []struct{ in, terms, times string }{
		{"why did we decide to drop Redis in March 2022?", "drop Redis", "2022-03-01 to 2022-03-31"},
		{"who knows about the Markdown parser?", "Markdown parser", "any time"},
		{"who is the expert for relay code?", "relay", "any time"},
		{"what did we do last month?", "", "2024-04-01 to 2024-04-30"},
		{"what did we do with the relay last month?", "relay", "2024-04-01 to 2024-04-30"},
		{"how do we handle errors?", "errors", "any time"},
		{"when did the parser's tests change?", "parser tests change", "any time"},
		{"why?", "", "any time"},
		{`why did we drop "Redis in March 2022" -sidekiq author:ann`, "drop Redis March 2022", "any time"},
		{"why is the -race flag set for go test?", "race flag set test", "any time"},
		{"why does it freeze at -10 °C - and not --ever?", "freeze 10 C ever", "any time"},
		{`what broke on the 27" screen?`, "broke 27 screen", "any time"},
	}
	for _, tt := range tests {
		q := ask.Read(tt.in, now, nil)
		var want []string
		if tt.terms != "" {
			want = index.QueryTerms(tt.terms)
		}
		if diff := cmp.Diff(want, q.Terms); diff != "" {
			t.Errorf("Read(%q) terms (-want +got):\n%s", tt.in, diff)
		}
		if q.Range.String() != tt.times {
			t.Errorf("Read(%q) time = %s, want %s", tt.in, q.Range, tt.times)
		}
	}
}

// TestReadPermission: a question whether something is allowed looks for a rule, and the rule need not contain the words
// that ask for permission.
func TestReadPermission(t *testing.T) {
	t.Parallel()
	for in, terms := range map[string]string{
		"may I push to main?": "push main", "can we push to main?": "push main", "could I push to main": "push main",
		"must we squash?":    "squash",
		"should one squash?": "squash", "is it ok to push to main?": "push main",
		"is it still okay if I push to main?": "push main",
		"are we allowed to push to main?":     "push main", "is pushing to main allowed?": "push main",
		"would it be fine to squash?":   "squash",
		"ok, am I permitted to squash?": "squash", "push to main, is that allowed?": "push main",
	} {
		q := ask.Read(in, time.Date(2024, 5, 15, 10, 0, 0, 0, time.UTC), nil)
		if diff := cmp.Diff(index.QueryTerms(terms), q.Terms); q.Kind != answer.KindHow || diff != "" {
			t.Errorf("%q: %s (-want +got)\n%s", in, q.Kind, diff)
		}
	}
	for in, want := range map[string]answer.Kind{
		"which origins are allowed by CORS?": answer.KindGeneral, "where can I find the logs?": answer.KindGeneral,
		"is the build ok?":            answer.KindGeneral,
		"why is pushing not allowed?": answer.KindWhy, "what should I work on?": answer.KindContinue,
		"who may push?": answer.KindWho,
	} {
		if q := ask.Read(in, time.Date(2024, 5, 15, 10, 0, 0, 0, time.UTC), nil); q.Kind != want {
			t.Errorf("%q: %s, want %s", in, q.Kind, want)
		}
	}
}
