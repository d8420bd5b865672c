package lint_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/lint"
)

// What comes before what is the matter of such a rule.
func TestTurned(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"Use tabs instead of spaces", "use tabs instead of spaces!", true},
		{"Use tabs instead of spaces", "Use spaces instead of tabs", false},
		{"Prefer composition over inheritance", "Prefer inheritance over composition", false},
		{"Run the linter before the tests", "Run the tests before the linter", false},
		{"Use slog, not fmt.Println", "Use slog and not fmt.Println", true},
	} {
		if got := lint.Same(tt.a, tt.b); got != tt.same {
			t.Errorf("%q and %q: %v", tt.a, tt.b, got)
		}
		if got := lint.NewComparer(nil).Contradict(tt.a, tt.b); got == tt.same {
			t.Errorf("%q and %q contradict: %v", tt.a, tt.b, got)
		}
	}
}
