package search_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/search"
)

func TestMatchesPath(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pattern, path string
		want          bool
	}{
		{"*.c", "src/relay.c", true}, {"src/*.c", "src/relay.c", true}, {"src/", "src/relay.c", true},
		{"*.c", "relay.h", false},
		{"app/[id]/page.tsx", "app/[id]/page.tsx", true}, {"app/[id]", "web/app/[id]/page.tsx", true},
		{"app/[id]/page.tsx", "app/x/page.tsx", false},
		{"src/**", "src/pump/relay.c", true}, {"src/**/*.c", "src/relay.c", true}, {"**/pump/*.c", "src/pump/relay.c", true},
		{"src/**", "lib/relay.c", false},
		{"*.{c,h}", "src/relay.h", false}, {"app/{id}", "app/{id}/page.tsx", true}, {"[a", "x/[a/y", true},
	} {
		if got := search.MatchesPath(tt.pattern, tt.path); got != tt.want {
			t.Errorf("%s, %s: %v", tt.pattern, tt.path, got)
		}
	}
}
