package ingest_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/ingest"
)

func TestSays(t *testing.T) {
	t.Parallel()
	tests := []struct {
		sentence, text string
		want           bool
	}{
		{"We use ten ampere relays.", "we use ten ampere relays", true},
		{"Remember: the pump draws 7 A!", "The pump draws 7 A.", true},
		{"Remember: the pump draws 7 A!", "The pump draws 9 A.", false},
		{"Never push to main.", "push to main", false},
		{"Never push to main.", "Never push to main", true},
		{"Please never, ever push to main with force.", "push to main", false},
		{"Don’t use malloc in the firmware.", "use malloc in the firmware", false},
		{"Don’t use malloc in the firmware.", "don't use malloc", true},
		{"Stop pushing to main.", "pushing to main", false},
		{"Push to main unless the tests fail.", "push to main", false},
		{"If it rains we test indoors.", "we test indoors", false},
		{"Should we push to main?", "push to main", false},
		{"Should we push to main?", "Should we push to main", true},
		{"Pushe nie auf main.", "auf main", false},
		{"Use the ten ampere relays for the pump.", "use relays for the pump", false},
		{"Use C++ here.", "use C here", false},
		{"Use C++ here.", "use C++", true},
		{"Anything.", "", false},
		{"Anything.", "!", false},
		{"", "anything", false},
	}
	for _, tt := range tests {
		if got := ingest.Says(tt.sentence, tt.text); got != tt.want {
			t.Errorf("%q says %q: %t", tt.sentence, tt.text, got)
		}
	}
}
