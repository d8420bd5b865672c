package ask

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/providers"
)

// TestRefers: a single pass over a text finds the same references as a pattern for each of them.
func TestRefers(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 8))
	parts := []string{"Fixes", "fix", "closed:", "resolves", "prefix", "#1", "#12", "#12a", "#12_", "abc-7", "ABC-7", ",",
		" ", " ", "\n", ": ", "é"}
	refs := []string{"#1", "#12", "ABC-7"}
	counts := map[providers.Rel]int{}
	for range 5000 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(parts[rng.IntN(len(parts))])
		}
		src := cite.Source{ID: "git:commit:1", Title: "Mend it (#12)", Text: b.String()}
		if rng.IntN(2) == 0 {
			src.Title = "Mend it"
		}
		n := newNaming(src)
		for _, ref := range refs {
			want := providers.Mentions
			switch {
			case ref == "#12" && strings.HasSuffix(src.Title, "(#12)"):
				want = providers.PartOf
			case regexp.MustCompile(`(?i)\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?):?\s+` + regexp.QuoteMeta(ref) +
				`\b`).MatchString(src.Text):
				want = providers.Closes
			}
			counts[want]++
			if got := n.refers(ref); got != want {
				t.Fatalf("%q refers to %s by %q, want %q", src.Text, ref, got, want)
			}
		}
	}
	if counts[providers.Closes] < 50 || counts[providers.Mentions] < 100 {
		t.Errorf("the texts say little: %v", counts)
	}
}
