package gitmem_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// TestOrdersFirst checks that the user's orders precede everything else from memory in a session context, whatever a
// model added to the orders of the project.
func TestOrdersFirst(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	l.with(r.dir, func(m *gitmem.Memory) error {
		_, err := m.Profile().Set(t.Context(), "project.orders", "Check the gauge")
		return err
	})
	files, err := filepath.Glob(filepath.Join(l.root, "gitmem", "projects", "*", "*", "orders.md"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	var orders, meta strings.Builder
	for i := range 60 {
		fmt.Fprintf(&orders, "  - Check gauge %d\n", i)
		fmt.Fprintf(&meta,
			"  orders.check-gauge-%d: {confidence: 1, last_seen: \"2025-03-10T12:00:00Z\", pinned: true, by: model}\n", i)
	}
	text := "---\nformat: 1\nkind: orders\norders:\n" + orders.String() + "meta:\n" + meta.String() + "---\n"
	if err := os.WriteFile(files[0], []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var told gitmem.SessionContext
	l.with(r.dir, func(m *gitmem.Memory) (err error) {
		if _, err = m.Profile().Set(t.Context(), "orders", "Never push to main"); err != nil {
			return err
		}
		told, err = m.Sessions().Context(t.Context(), gitmem.ContextOptions{Parts: []string{"profile"}})
		return err
	})
	_, lines, _ := strings.Cut(told.Text, "from profile.md")
	if first := strings.SplitN(lines, "\n", 3)[1]; first != "- standing order: Never push to main" ||
		strings.Count(lines, "gauge") < 5 {
		t.Errorf("the first line is %q in\n%s", first, told.Text)
	}
}
