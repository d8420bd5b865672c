package gitmem_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gitmem/gitmem/gitmem"
)

// A follower of a question receives its steps in order, including those of the trail, and does not change the answer.
func TestFollow(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2024-05-14", "Ada Example", "pump.c",
		"Choose the membrane pump\n\nThe gear pump leaked because its seal is soft.")
	const question, secret = "why did we choose the membrane pump?", "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	var mu sync.Mutex
	var steps []gitmem.Step
	follow := func(s gitmem.Step) {
		mu.Lock()
		defer mu.Unlock()
		steps = append(steps, s)
	}
	followed := l.ask(r.dir, question, gitmem.Filter{Trace: true, Follow: follow})
	var ways []string
	var trail []gitmem.Step
	for _, s := range steps {
		if !slices.Contains(ways, s.By) {
			ways = append(ways, s.By)
		}
		if s.Level > 0 && s.By != "strategy" {
			trail = append(trail, s)
		}
	}
	for i, want := range []string{"question", "index", "reading", "strategy", "words", "its text", "claim"} {
		if at := slices.Index(ways, want); at < 0 || i == 0 && at > 0 || want == "claim" && at != len(ways)-1 {
			t.Errorf("no step by %q in its place: %q", want, ways)
		}
	}
	if diff := cmp.Diff(followed.Research, trail); diff != "" || len(trail) == 0 {
		t.Errorf("the steps of the trail (-answer +told):\n%s", diff)
	}
	alone := l.ask(r.dir, question, gitmem.Filter{Trace: true})
	times := cmpopts.IgnoreFields(gitmem.Strategy{}, "MS")
	if diff := cmp.Diff(alone, followed, times, cmpopts.IgnoreFields(gitmem.Answer{}, "ElapsedMS")); diff != "" {
		t.Errorf("the answer (-alone +followed):\n%s", diff)
	}
	steps = nil
	l.ask(r.dir, "why is the token "+secret+"?", gitmem.Filter{Follow: follow})
	if len(steps) == 0 || slices.ContainsFunc(steps, func(s gitmem.Step) bool {
		return len(s.Lead) > 0 && s.Lead == "why is the token "+secret+"?"
	}) {
		t.Errorf("a step holds a secret: %+v", steps)
	}
}
