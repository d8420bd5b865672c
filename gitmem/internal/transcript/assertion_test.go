package transcript_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// TestAssertionOf checks sentences that deny something, intend it, leave it open or attribute it to others, as a whole
// and for a subject.
func TestAssertionOf(t *testing.T) {
	t.Parallel()
	const inrush, relay = "measure the inrush current", "replace the relay"
	for _, tt := range []struct {
		sentence, about string
		want            transcript.Assertion
	}{
		{"I measured the inrush current: it is twelve ampere, so we need an NTC.", inrush, transcript.Asserted},
		{"I measured the inrush current: it is twelve ampere, so that we must replace the relay.", inrush,
			transcript.Asserted},
		{"I measured the inrush current: it is twelve ampere, so that we must replace the relay.", relay,
			transcript.Intended},
		{"The inrush current is no longer measured.", inrush, transcript.Asserted},
		{"Wir haben den Einschaltstrom gemessen, es sind zwölf Ampere.", "", transcript.Asserted},
		{"Nobody measures the inrush current any more.", inrush, transcript.Asserted},
		{"TODO done: measured the inrush current.", inrush, transcript.Asserted},

		{"The measuring is not done.", "", transcript.Denied},
		{"It turned out that we cannot measure the inrush current.", inrush, transcript.Denied},
		{"We didn’t measure the inrush current.", inrush, transcript.Denied},
		{"Der Einschaltstrom ist nicht gemessen.", "", transcript.Denied},
		{"Le courant n'est pas mesuré.", "", transcript.Denied},

		{"The inrush current must be measured.", inrush, transcript.Intended},
		{"I'll measure the inrush current tomorrow.", inrush, transcript.Intended},
		{"Der Einschaltstrom muss gemessen werden.", "", transcript.Intended},
		{"Hay que medir la corriente.", "", transcript.Intended},

		{"The inrush current must still be measured.", inrush, transcript.Open},
		{"Inrush current: not measured yet.", inrush, transcript.Open},
		{"If the inrush current is measured we can order.", inrush, transcript.Open},
		{"Unless the inrush current is measured, the relay stays.", inrush, transcript.Open},
		{"The inrush current could be measured.", inrush, transcript.Open},
		{"TODO: measure the inrush current.", inrush, transcript.Open},
		{"That todo is not done.", "", transcript.Open},
		{"Is the inrush current measured?", inrush, transcript.Open},
		{"Der Einschaltstrom wird noch gemessen.", "", transcript.Open},

		{"The README of a demo says the inrush current was measured.", inrush, transcript.Hearsay},
		{"The docs claim the relay is replaced.", relay, transcript.Hearsay},
		{"golint suggests that we replace the relay.", relay, transcript.Hearsay},
		{"According to the ticket the relay is replaced.", relay, transcript.Hearsay},
		{"The relay is replaced, according to the ticket.", relay, transcript.Hearsay},
		{"Laut Ticket ist das Relais ersetzt.", "", transcript.Hearsay},
		{`In the ticket: "we replaced the relay of the pump"`, relay, transcript.Hearsay},
		{`It answers "not found", since the relay is replaced by a new one.`, relay, transcript.Asserted},
	} {
		if got := transcript.AssertionOf(tt.sentence, transcript.Stems(tt.about)); got != tt.want {
			t.Errorf("%q: %v, want %v", tt.sentence, got, tt.want)
		}
	}
}
