package transcript_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
	"github.com/gitmem/gitmem/templates"
)

// builtIn returns the built-in models.
func builtIn() map[string]string {
	return map[string]string{
		"ideas": templates.Ideas(), "topics": templates.TopicShifts(), "closes": templates.Closes(),
		"orders": templates.Orders(), "pasted": templates.Pasted(),
	}
}

// TestBuiltIn checks that each model can be parsed, and gives the same result by its lines and by a table of them.
func TestBuiltIn(t *testing.T) {
	t.Parallel()
	for name, text := range builtIn() {
		table, err := linear.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		lines := linear.Built(func() string { return text })()
		n := 0
		for line := range strings.Lines(text) {
			if n++; n%97 != 3 {
				continue
			}
			feature, _, _ := strings.Cut(line, " ")
			for _, f := range []string{feature, feature + "x", feature[1:]} {
				if a, b := lines.Predict([]string{f})[0], table.Predict([]string{f})[0]; a != b {
					t.Errorf("%s: %q: %v by lines, %v by table", name, f, a, b)
				}
			}
		}
	}
}

// BenchmarkFirst measures how long a short-lived process takes for a few features of a model, by its lines and by a
// table.
func BenchmarkFirst(b *testing.B) {
	features := strings.Fields("the parser drops the last row when the file has no newline c:fix 1=look at1:gap")
	for name, text := range builtIn() {
		b.Run(name+"/lines", func(b *testing.B) {
			for b.Loop() {
				linear.Built(func() string { return text })().Predict(features)
			}
		})
		b.Run(name+"/table", func(b *testing.B) {
			for b.Loop() {
				m, err := linear.Parse(text)
				if err != nil {
					b.Fatal(err)
				}
				m.Predict(features)
			}
		})
	}
}
