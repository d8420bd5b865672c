package embed_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
)

func TestValidName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"potion-base-8M": true, "a": true, "conv": true, "com10": true, "v1.2": true,
		"": false, ".": false, "..": false, "../x": false, "a/b": false, `a\b`: false, "-x": false, "a.": false,
		"x.part": false,
		"CON":    false, "nul": false, "Aux.txt": false, "com1": false, "LPT9.bin": false, "\x1b[31m": false,
		strings.Repeat("a", 101): false,
	} {
		if got := embed.ValidName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
