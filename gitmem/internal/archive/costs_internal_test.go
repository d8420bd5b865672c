package archive

import (
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// toldIn reads the head of a section that contains a line.
func toldIn(line string) (n, chars int) {
	h := cite.ReadHead(time.Time{}, "\nsession: s · 10:00–11:00 UTC\n"+line+"\n")
	return h.Injections, h.Chars
}

// TestTold: values that were written are read again.
func TestTold(t *testing.T) {
	t.Parallel()
	tests := []struct {
		n, chars int
		text     string
		readN, c int
	}{
		{3, 6420, "injected: 3 × 2140 characters", 3, 6420},
		{3, 6422, "injected: 3 × 2140 characters", 3, 6420},
		{0, 0, "", 0, 0},
		{1, 0, "", 0, 0},
	}
	for _, tt := range tests {
		text := InjectedPart(tt.n, tt.chars)
		if text != tt.text {
			t.Errorf("%d, %d: written %q, want %q", tt.n, tt.chars, text, tt.text)
		}
		for _, line := range []string{text, "tools: Edit 6 · " + text, text + " · more: 1", "a: b · " + text + " · c: d"} {
			if n, c := toldIn(line); n != tt.readN || c != tt.c {
				t.Errorf("%q: %d, %d", line, n, c)
			}
		}
	}
	for _, line := range []string{"- [note] injected: 3 × 2140 characters", "injected: 3 × x characters",
		"injected: 99999999 × 1 characters", "reinjected: 3 × 5 characters"} {
		if n, c := toldIn(line); n != 0 || c != 0 {
			t.Errorf("%q: %d, %d", line, n, c)
		}
	}
}
