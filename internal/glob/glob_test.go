package glob_test

import (
	"testing"

	"github.com/gitmem/gitmem/internal/glob"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"src/**", "src/a/b.go", true},
		{"src/**/*.go", "src/b.go", true},
		{"**/b.go", "b.go", true},
		{"src/*", "src/a/b.go", false},
		{"*.[ch]", "a.c", true},
		{"[^a].go", "b.go", true},
		{"[!a].go", "!.go", true},
		{"[!a].go", "b.go", false},
		{"{a,b}.go", "a.go", false},
		{"{a,b}.go", "{a,b}.go", true},
		{`\{a,b\}.go`, "{a,b}.go", true},
		{`\*.go`, "a.go", false},
		{"{{{{", "{{{{", true},
		{"[a", "a", false},
	} {
		if got := glob.Match(c.pattern, c.path); got != c.want {
			t.Errorf("Match(%q, %q) = %v", c.pattern, c.path, got)
		}
	}
	for pattern, want := range map[string]bool{"src/**": true, "[a": false, "{a": true, "*.{go": true, `a\`: false} {
		if got := glob.Valid(pattern); got != want {
			t.Errorf("Valid(%q) = %v", pattern, got)
		}
	}
}
