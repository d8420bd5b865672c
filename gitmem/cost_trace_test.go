package gitmem_test

import (
	"fmt"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// traceLine is a record as hooks leave it.
func traceLine(at, hook, session string, ms float64, chars int) string {
	said := ""
	if chars > 0 {
		said = fmt.Sprintf(`,"chars":%d`, chars)
	}
	return fmt.Sprintf(`{"time":"%s","hook":"%s","session":"%s","result":"written","detail":"x","ms":%g%s}`+"\n", at, hook, session, ms, said)
}

// TestInjected reads what is written.
func TestInjected(t *testing.T) {
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
		text := gitmem.InjectedNote(tt.n, tt.chars)
		equal(t, "written", tt.text, text)
		for _, line := range []string{text, "tools: Edit 6 · " + text, text + " · more: 1", "a: b · " + text + " · c: d"} {
			if n, c := gitmem.InjectedIn(line); n != tt.readN || c != tt.c {
				t.Errorf("%q: %d, %d", line, n, c)
			}
		}
	}
	for _, line := range []string{"- [note] injected: 3 × 2140 characters", "injected: 3 × x characters", "injected: 99999999 × 1 characters", "reinjected: 3 × 5 characters"} {
		if n, c := gitmem.InjectedIn(line); n != 0 || c != 0 {
			t.Errorf("%q: %d, %d", line, n, c)
		}
	}
}
