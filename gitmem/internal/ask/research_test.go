package ask_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/providers"
)

// thread adds a pull request or an issue, which the search alone does not find if its text describes the work in other
// words.
func (w *world) thread(id, title, text string, links ...providers.Link) *world {
	w.sources = append(w.sources, cite.Source{
		ID: id, Layer: cite.LayerTeam, Source: "github", Title: title, Text: title + "\n\n" + text + "\n",
		Time: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), Links: links,
	})
	return w
}

func (w *world) link(rel providers.Rel, id string) *world {
	last := &w.sources[len(w.sources)-1]
	last.Links = append(last.Links, providers.Link{Rel: rel, ID: id})
	return w
}

// A commit without a reason leads to its pull request, which leads to the issue.
func pulled() *world {
	return new(world).
		commit("Ada <a@example.org>", "2024-03-01", "Drop the Kelvin scale", "").link(providers.PartOf, "github:pr:7").
		thread("github:pr:7", "Smaller tables", "See the ticket.",
			providers.Link{Rel: providers.Closes, ID: "github:issue:3"}).
		thread("github:issue:3", "Nobody reads it", "It confuses everybody in the lab because they think in Celsius.").
		commit("Ada <a@example.org>", "2024-02-01", "Add the barometer", "")
}

func TestLeadsAreFollowed(t *testing.T) {
	t.Parallel()
	e := pulled().engine()
	a, err := e.Ask(t.Context(), "why did we drop the Kelvin scale?", ask.Options{Trace: true})
	if err != nil || !strings.Contains(a.Answer, "because they think in Celsius") {
		t.Fatalf("%v\n%s", err, a.Answer)
	}
	var path []string
	for _, s := range a.Research {
		if s.Level == 3 {
			path = append(path, fmt.Sprintf("%s %s", s.By, s.Lead))
		}
	}
	if got := strings.Join(path, ", "); got != "part of github:pr:7, closes github:issue:3" {
		t.Errorf("trail: %s", got)
	}
	if a, _ = e.Ask(t.Context(), "why did we drop the Kelvin scale?", ask.Options{}); a.Research != nil {
		t.Error("steps are told unasked")
	}
}

func TestResearchKeepsToItsBudget(t *testing.T) {
	t.Parallel()
	e := pulled().engine()
	a, err := e.Ask(t.Context(), "why did we drop the Kelvin scale?",
		ask.Options{Trace: true, Budget: ask.Budget{Sources: 1, Time: time.Hour}})
	if err != nil || strings.Contains(a.Answer, "Celsius") ||
		!strings.Contains(strings.Join(a.Caveats, " "), "1 lead was not read: github:issue:3.") {
		t.Errorf("%v, caveats %q\n%s", err, a.Caveats, a.Answer)
	}
	followed := slices.DeleteFunc(slices.Clone(a.Research), func(s answer.Step) bool { return s.Level > 3 })
	last := followed[len(followed)-1]
	if last.Lead != "github:issue:3" || last.From != "github:pr:7" || last.Gave != "not read: 1 source was read" {
		t.Errorf("last step %+v", last)
	}
	tick := e.Now
	e.Clock = func() time.Time { tick = tick.Add(time.Minute); return tick }
	a, err = e.Ask(t.Context(), "why did we drop the Kelvin scale?",
		ask.Options{Budget: ask.Budget{Sources: 9, Time: time.Second}})
	if err != nil || !strings.Contains(strings.Join(a.Caveats, " "), "1 lead was not read: github:pr:7.") {
		t.Errorf("time: %v, %q", err, a.Caveats)
	}
}

func TestLeadsLeadNowhere(t *testing.T) {
	t.Parallel()
	w := new(world).commit("Ada <a@example.org>", "2024-03-01", "Drop the Kelvin scale", "").link(providers.PartOf,
		"github:pr:7")
	a := w.ask(t, "why did we drop the Kelvin scale?")
	if !strings.Contains(strings.Join(a.Caveats, " "), "1 lead was not read: github:pr:7.") {
		t.Errorf("caveats %q", a.Caveats)
	}
	a = w.ask(t, "why did we add the Kelvin scale?")
	if a.Verdict != answer.Closest {
		t.Errorf("another event: %s\n%s", a.Confidence, a.Answer)
	}
}

func TestReferencesAreLookedUp(t *testing.T) {
	t.Parallel()
	w := new(world).
		commit("Ada <a@example.org>", "2024-03-01", "Drop the Kelvin scale (#12)", "").
		thread("github:issue:12", "Too many scales", "People confuse the Kelvin scale with Celsius because both are long.")
	w.referred = []string{"github:pr:12", "github:issue:12"}
	e := w.engine()
	a, err := e.Ask(t.Context(), "why did we drop the Kelvin scale?", ask.Options{Trace: true})
	if err != nil || !slices.Contains(w.asked, "#12") || !strings.Contains(a.Answer, "because both are long") {
		t.Errorf("%v, asked for %q\n%s\n%+v", err, w.asked, a.Answer, a.Research)
	}
}

func TestWhatWasTakenBackIsTold(t *testing.T) {
	t.Parallel()
	w := new(world).commit("Ada <a@example.org>", "2024-03-01", "Drop the Kelvin scale",
		"It was dropped because nobody in the lab ever read it.")
	hash := strings.TrimPrefix(w.sources[0].ID, "git:commit:")
	w.commit("Bob <b@example.org>", "2024-04-01", `Revert "Drop the Kelvin scale"`, "This reverts commit "+hash+".")
	a := w.ask(t, "why did we drop the Kelvin scale?")
	if !strings.Contains(a.Answer, "Taken back on 2024-04-01 ["+w.sources[1].ID+"]") {
		t.Errorf("answer:\n%s", a.Answer)
	}
	cited := false
	for _, c := range a.Citations {
		cited = cited || c.ID == w.sources[1].ID && c.Role == answer.RoleEvidence
	}
	if !cited {
		t.Errorf("what took it back is cited: %+v", a.Citations)
	}
}

// The answer to "since when" of reverted work is the commit that added it again.
func TestWhatWasTakenBackBeganNothing(t *testing.T) {
	t.Parallel()
	w := new(world).commit("Ada <a@example.org>", "2024-03-01", "Add the Kelvin scale", "")
	w.commit("Bob <b@example.org>", "2024-04-01", `Revert "Add the Kelvin scale"`, "This reverts commit "+
		strings.TrimPrefix(w.sources[0].ID, "git:commit:")+".")
	w.commit("Cy <c@example.org>", "2024-05-01", "Add the Kelvin scale anew", "")
	a := w.ask(t, "since when do we have the Kelvin scale?")
	if !strings.HasPrefix(a.Answer, "- 2024-05-01: Add the Kelvin scale anew") {
		t.Errorf("answer:\n%s", a.Answer)
	}
}

// An unknown number is not reported as an unread lead.
func TestUnknownNumbers(t *testing.T) {
	t.Parallel()
	for known, told := range map[string]bool{"": false, "github:pr:9": true} {
		w := new(world).commit("Ada <a@example.org>", "2024-03-01", "Drop the Kelvin scale (#9)", "")
		w.referred = slices.DeleteFunc([]string{known}, func(s string) bool { return s == "" })
		e := w.engine()
		tick := e.Now
		e.Clock = func() time.Time { tick = tick.Add(time.Minute); return tick }
		a, err := e.Ask(t.Context(), "why did we drop the Kelvin scale?",
			ask.Options{Trace: true, Budget: ask.Budget{Sources: 9, Time: time.Second}})
		caveats, steps := strings.Join(a.Caveats, " "), fmt.Sprint(a.Research)
		if err != nil || strings.Contains(caveats, "1 lead was not read: #9.") != told || !strings.Contains(steps, "#9") {
			t.Errorf("known %q: %v, caveats %q, steps %s", known, err, caveats, steps)
		}
	}
}

func TestCommitsAreFoundByTheirHash(t *testing.T) {
	t.Parallel()
	w := scales()
	for question, want := range map[string]string{
		"what does 0000000000000000000000000000000000000002 do?":         "Drop the Fahrenheit scale",
		"why did 0000000000000000000000000000000000000002 drop a scale?": "Drop the Fahrenheit scale",
		"when was 0000000000000000000000000000000000000001 reverted?":    "Add the Kelvin scale to the altimeter",
		"what does 0000000000000000000000000000000000000009 do?":         "",
		"what does fahrenheit2 do?":                                      "",
	} {
		a := w.ask(t, question)
		got := ""
		if a.Confidence != answer.None && len(a.Citations) > 0 {
			got = a.Citations[0].Title
		}
		if got != want {
			t.Errorf("%q: %s %q, want %q\n%s", question, a.Confidence, got, want, a.Answer)
		}
	}
}
