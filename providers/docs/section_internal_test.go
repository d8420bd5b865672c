package docs

import (
	"math/rand/v2"
	"regexp"
	"testing"
)

func TestWithoutTrailingBlanks(t *testing.T) {
	t.Parallel()
	blanks := regexp.MustCompile(`(?m)[ \t]+$`)
	for seed := range uint64(2000) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		text := ""
		for range rnd.IntN(20) {
			text += []string{"a", " ", "\t", "\n", "\r\n", "\v", "é", "\u00a0"}[rnd.IntN(8)]
		}
		if got, want := withoutTrailingBlanks(text), blanks.ReplaceAllString(text, ""); got != want {
			t.Fatalf("%q becomes %q, want %q", text, got, want)
		}
	}
}
