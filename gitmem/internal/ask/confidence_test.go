package ask_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
)

func fieldsOf(s string) []string { return strings.Fields(s) }

// lab is a history whose words near-misses are made of.
func lab() *world {
	return new(world).
		commit("Ada <ada@example.org>", "2024-03-01", "Add the Kelvin scale to the altimeter", "It makes the readings of the altimeter comparable with those of the lab.", "lab/scale.go").
		commit("Bob <bob@example.org>", "2024-03-09", "Drop the Fahrenheit scale", "Nobody in the lab can read the Fahrenheit scale without a table.", "lab/scale.go").
		commit("Bob <bob@example.org>", "2024-04-09", "feat: Celsius marks", "The marks of Celsius stand on the barometer since then and help to read it.", "lab/marks.go").
		commit("dependabot[bot] <bot@example.org>", "2024-05-01", "Bump tables from 1 to 2", "")
}

func TestNearMissesAreRefused(t *testing.T) {
	t.Parallel()
	for _, question := range []string{
		"why did we drop the Kelvin scale from the altimeter?",   // it was added
		"when did we take the Kelvin scale out?",                 // the same in other words
		"when did we add the Kelvin scale in May 2024?",          // another month
		"why did Bob add the Kelvin scale to the altimeter?",     // another author
		"why did we add the Rankine scale to the altimeter?",     // another thing
		"when did the Celsius marks go away?",                    // they came
		"why did we revert dropping the Fahrenheit scale again?", // nobody did
	} {
		if a := lab().ask(t, question); a.Confidence != ask.None {
			t.Errorf("%q: %s\n%s", question, a.Confidence, a.Answer)
		}
	}
}

func TestHighConfidence(t *testing.T) {
	t.Parallel()
	for question, title := range map[string]string{
		"why did we add the Kelvin scale to the altimeter?": "Add the Kelvin scale to the altimeter",
		"why did we get rid of the Fahrenheit scale?":       "Drop the Fahrenheit scale",
		"when did the Celsius marks come in?":               "feat: Celsius marks",
	} {
		a := lab().ask(t, question)
		if a.Confidence != ask.High || len(a.Citations) == 0 || a.Citations[0].Title != title {
			t.Errorf("%q: %s\n%s", question, a.Confidence, a.Answer)
		}
	}
}

func TestDigestNamesAreas(t *testing.T) {
	t.Parallel()
	a := lab().ask(t, "what did we do in March 2024?")
	if !strings.Contains(a.Answer, "Mostly in lab (2 commits).") {
		t.Errorf("answer:\n%s", a.Answer)
	}
}

// What only speaks of a thing may go and the thing stay.
func TestMentionsAreNotTheThing(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]bool{
		"Remove the Rankine table":                   true,
		"Remove references to the Rankine table":     false,
		"Remove the docs about the Rankine table":    false,
		"Remove old Rankine table check":             false,
		"Remove the Rankine table and its old check": true,
	} {
		w := new(world).commit("Ada <ada@example.org>", "2024-03-01", title, "Nobody reads it since the lab has moved to the other hall.", "lab/rankine.go")
		if a := w.ask(t, "why did we remove the Rankine table?"); (a.Confidence != ask.None) != want {
			t.Errorf("%q: %s\n%s", title, a.Confidence, a.Answer)
		}
	}
}

func TestByDefaultBelongsToTheThing(t *testing.T) {
	t.Parallel()
	w := new(world).commit("Ada <ada@example.org>", "2024-03-01", "Enable the Rankine table by default", "Everybody in the lab reads it now.", "lab/rankine.go")
	if a := w.ask(t, "when was the Rankine table enabled by default?"); a.Confidence != ask.High {
		t.Errorf("%s\n%s", a.Confidence, a.Answer)
	}
}
