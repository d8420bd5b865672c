package query

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// counted counts the reads of a tree.
type counted struct {
	cite.Tree
	reads *int
}

func (c counted) Read(f cite.File) ([]byte, error) {
	*c.reads++
	return c.Tree.Read(f)
}

// TestFreshIdea checks that looking up an idea again only reads its own day, unless it is no longer there.
func TestFreshIdea(t *testing.T) {
	t.Parallel()
	rd := seer(t, time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	day := func(n int, ideas string) string {
		name := filepath.Join(rd.ws.Root, "gitmem", "projects", "example.org", "acme", "pump", "sessions", "2026",
			fmt.Sprintf("2026-10-%02d.md", n))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, fmt.Appendf(nil, "---\ndate: 2026-10-%02d\n---\n\n## Day ^s-%d\n\n%s", n, n, ideas),
			0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for n := range 5 {
		day(n+1, fmt.Sprintf("- [decision] Relay %d ^i-aaaaaaaaa%d\n", n, n))
	}
	v, err := rd.View(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	reads := 0
	for i, tree := range v.fresh.Trees {
		v.fresh.Trees[i] = counted{tree, &reads}
	}
	look := func(what, want string, most int) {
		t.Helper()
		reads = 0
		src, err := v.Resolve(t.Context(), "idea:i-aaaaaaaaa3")
		if src.Text != want || (err != nil) != (want == "") || err != nil && !errors.Is(err, cite.ErrNotFound) ||
			reads > most {
			t.Errorf("%s: %q with %d reads: %v", what, src.Text, reads, err)
		}
	}
	look("where it was", "Relay 3", 1)
	day(4, "- [decision] Relay three ^i-aaaaaaaaa3\n")
	look("with other words", "Relay three", 1)
	day(4, "")
	look("gone", "", 6)
	day(2, "- [decision] Relay 3 ^i-aaaaaaaaa3\n")
	look("in another day", "Relay 3", 6)
}
