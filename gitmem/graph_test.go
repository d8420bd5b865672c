package gitmem_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// TestGraphHoldsDecisions checks that decision records are among the ideas with the ones they replaced, and are valid
// on a day before they were replaced.
func TestGraphHoldsDecisions(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	m := l.open(r.dir)
	old, err := m.Decide(t.Context(), gitmem.Decision{Title: "Use 5 A relays", Why: "They are cheap."})
	if err != nil {
		t.Fatal(err)
	}
	l.now = l.now.Add(48 * time.Hour)
	if _, err := m.Decide(t.Context(), gitmem.Decision{Title: "Use 10 A relays", Why: "The 5 A ones weld.",
		Supersedes: []string{old.ID}}); err != nil {
		t.Fatal(err)
	}
	states := func(f gitmem.IdeaFilter) string {
		t.Helper()
		list, err := m.Data().Ideas(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, i := range list {
			said := i.Text + " " + i.State
			for _, r := range i.Relations {
				said += r.Kind + " " + r.ID
			}
			out = append(out, strings.TrimSpace(said))
		}
		return strings.Join(out, "; ")
	}
	if got, want := states(gitmem.IdeaFilter{Decisions: true}), "Use 5 A relays superseded; Use 10 A relays supersedes "+
		old.ID; got != want {
		t.Errorf("now: %s, want %s", got, want)
	}
	day := l.now.Add(-24 * time.Hour).Format(time.DateOnly)
	if got, want := states(gitmem.IdeaFilter{Decisions: true, AsOf: day}), "Use 5 A relays"; got != want {
		t.Errorf("on %s: %s, want %s", day, got, want)
	}
	for _, f := range []gitmem.IdeaFilter{{}, {Decisions: true, Words: "valve"}, {Decisions: true, Intent: "todo"},
		{Decisions: true, Open: true}} {
		if got := states(f); got != "" {
			t.Errorf("%+v: %s", f, got)
		}
	}
}
