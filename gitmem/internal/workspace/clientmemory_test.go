package workspace_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers/git"
)

// TestClientMemoryOfLargeSettings checks that only a realistic size of a repository's settings is read.
func TestClientMemoryOfLargeSettings(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	top := m.repository("pump", "")
	w := m.open(top)
	for _, c := range []struct {
		more   string
		loaded bool
	}{{"", false}, {strings.Repeat("x", 1<<20), true}} {
		m.write("pump/.claude/settings.json", `{"autoMemoryEnabled": false, "x": "`+c.more+`"}`)
		got := w.ClientMemory(&workspace.Place{Folder: top, Loc: git.Location{WorkTree: top}})
		if (got.Dir != "") != c.loaded {
			t.Errorf("with %d bytes more: %+v", len(c.more), got)
		}
	}
}
