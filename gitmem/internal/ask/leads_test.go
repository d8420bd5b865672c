package ask_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

func TestNearestSourcesAreLeads(t *testing.T) {
	t.Parallel()
	w := history()
	a := w.ask(t, "why did we delete the licence file?")
	if a.Verdict != answer.Closest || len(a.Citations) == 0 || a.Citations[0].Title != "Add the licence file" ||
		a.Citations[0].Role != answer.RoleLead {
		t.Fatalf("the licence was added, which is near: %s %+v", a.Confidence, a.Citations)
	}
	if !strings.HasPrefix(a.Answer, "Recorded is the reverse:\n") ||
		!strings.Contains(a.Answer, "["+a.Citations[0].ID+"]") {
		t.Errorf("answer:\n%s", a.Answer)
	}
	for _, c := range a.Citations {
		if c.Status != answer.StatusHolds {
			t.Errorf("a lead is looked up as evidence is: %+v", c)
		}
	}
	w.now[a.Citations[0].ID] = cite.Source{}
	if b := w.ask(t, "why did we delete the licence file?"); len(b.Citations) > 0 &&
		b.Citations[0].ID == a.Citations[0].ID || len(b.Caveats) == 0 {
		t.Errorf("what is gone leads nowhere: %v\n%s", b.Caveats, b.Answer)
	}
}

func TestLeadsStandBehindEvidence(t *testing.T) {
	t.Parallel()
	e := history().engine()
	for limit := 1; limit <= 3; limit++ {
		a, err := e.Ask(t.Context(), "why did we drop Redis from the parser session?", ask.Options{Limit: limit})
		if err != nil || len(a.Citations) > limit {
			t.Fatalf("limit %d: %v, %d citations", limit, err, len(a.Citations))
		}
	}
	a := history().ask(t, "why did we drop Redis?")
	if a.Citations[0].Role != answer.RoleEvidence || strings.Contains(a.Answer, "Closest") {
		t.Errorf("%+v\n%s", a.Citations, a.Answer)
	}
}
