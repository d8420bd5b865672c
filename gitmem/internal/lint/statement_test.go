package lint_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/lint"
)

// The order of the two things is the content of such a rule.
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

// TestSame checks that repetitions with other letters, marks or insignificant words are the same; with other numbers,
// names, negations or in another order they are not.
func TestSame(t *testing.T) {
	t.Parallel()
	const ports = "Port 9090 is for dev and 8080 for prod"
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{ports, "port 9090 is for dev, and 8080 for prod.", true},
		{ports, "Port `9090` is for dev and 8080 is for prod", true},
		{ports, "The port 9090 is really for dev and 8080 for prod", true},
		{ports, "Port 8080 is for dev and 9090 for prod", false},
		{ports, "Port 9090 is for prod and 8080 for dev", false},
		{ports, "Port 9090 is for dev and 8081 for prod", false},
		{ports, "Port 9090 is for dev and 8080 not for prod", false},
		{"Ada reviews what Grace writes", "Grace reviews what Ada writes", false},
		{"Use tabs in Go and spaces in YAML", "Use spaces in Go and tabs in YAML", false},
		{"Never use make, use just", "Use make, never use just", false},
		{"Never commit generated files", "Do not commit the generated files", true},
		{"Run the linter before the tests", "Run the linter after the tests", false},
		{"Keep the cache on in staging", "Keep the cache off in staging", false},
		{"8080 is dev, 9090 is prod, 8080 is test", "8080 is dev, 9090 is prod, 9090 is test", false},
		{"The relay of the pump in hall seven of the old plant comes from Omron with a spare fuse",
			"The relay of the pump in hall seven of the old plant comes from Siemens with a spare fuse", false},
		{"Der Port 9090 ist für dev und 8080 für prod", "Der Port 8080 ist für dev und 9090 für prod", false},
		{"Der Port 9090 ist für dev und 8080 für prod", "Der Port 9090 ist nicht für dev und 8080 für prod", false},
	} {
		if got := lint.Same(tt.a, tt.b); got != tt.want {
			t.Errorf("%q and %q: %v", tt.a, tt.b, got)
		}
		if got := lint.Same(tt.b, tt.a); got != tt.want {
			t.Errorf("%q and %q: %v", tt.b, tt.a, got)
		}
	}
}
