package ask_test

import (
	"context"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
)

// Of a time that was asked about, what only touches the subject is no answer, and neither
// is what made a file at another time.
func TestOtherTimesAreRefused(t *testing.T) {
	t.Parallel()
	made := func(context.Context, string) []string { return []string{lab().sources[2].ID} }
	for question, want := range map[string]bool{
		"what did we do about the copper tubes at the marks in April 2024?":     false,
		"what did we do about the marks of the barometer in April 2024?":        true,
		"what did we do about the Celsius marks in lab/marks.go in March 2024?": false,
		"what did we do about the Celsius marks in lab/marks.go in April 2024?": true,
	} {
		e := lab().engine()
		e.Made = made
		a, err := e.Ask(t.Context(), question, ask.Options{})
		if err != nil || (a.Confidence != ask.None) != want {
			t.Errorf("%q: %s, want an answer: %t (%v)\n%s", question, a.Confidence, want, err, a.Answer)
		}
	}
}
