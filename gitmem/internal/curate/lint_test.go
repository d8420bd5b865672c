package curate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// TestFixLint adds frontmatter to the files that lack it, and only once.
func TestFixLint(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.commit("begin", map[string]string{
		"MEMORY.md": "# Pump\n", "doors.md": "# Pump\n\n- The door sticks\n- The door sticks\n",
		"whole.md": "---\nformat: 1\nkind: notes\nproject: p\n---\n# A\n",
	})
	l, err := m.editor().Lint(t.Context())
	bare := []string{m.InRoot(m.rel("doors.md"))}
	if diff := cmp.Diff(bare, l.Bare); diff != "" || err != nil || len(l.Files) != 3 || len(l.Findings) == 0 {
		t.Errorf("%+v, %v", l, err)
	}
	if l, err = m.editor().FixLint(t.Context()); err != nil || len(l.Bare) != 0 {
		t.Errorf("fixed: %+v, %v", l, err)
	}
	if text := m.files()["doors.md"]; !strings.HasPrefix(text, "---\nformat: 1\nkind: notes\nproject: ") ||
		!strings.HasSuffix(text, "---\n# Pump\n\n- The door sticks\n- The door sticks\n") {
		t.Errorf("the file:\n%s", text)
	}
	if d, err := m.editor().Diff(t.Context(), "", ""); err != nil || len(d.Files) > 0 {
		t.Errorf("not committed: %+v, %v", d, err)
	}
}

// TestLink links two projects and unlinks them again.
func TestLink(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	_, err := m.editor().Project(t.Context())
	if err == nil {
		t.Error("a folder outside a repository has a project")
	}
	for _, name := range []string{"pump", "valve"} {
		m.dir = filepath.Join(m.Home, name)
		for _, dir := range []string{"objects", "refs/heads"} {
			if err := os.MkdirAll(filepath.Join(m.dir, ".git", dir), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		m.Write(filepath.Join(m.dir, ".git", "HEAD"), "ref: refs/heads/main\n")
		m.Write(filepath.Join(m.dir, ".git", "config"),
			"[core]\n\trepositoryformatversion = 0\n[remote \"origin\"]\n\turl = https://github.com/acme/"+name+".git\n")
		if _, err := m.editor().Note(t.Context(), "This is the "+name, false); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(what, name string, undo bool, want error, words string) {
		t.Helper()
		_, err := m.editor().Link(t.Context(), name, undo)
		refuses(t, what, err, want, words)
	}
	refused("unknown", "shaft", false, messages.ErrNotFound, `no project is called "shaft"`)
	refused("no name", "/", false, messages.ErrNotFound, "no project is called")
	refused("itself", "acme/valve", false, messages.ErrUsage, "is the project of this folder")
	refused("not linked", "pump", true, messages.ErrNotFound, "is not linked")
	for _, undo := range []bool{false, true} {
		want := map[bool][]string{false: {"github.com/acme/pump"}, true: {}}[undo]
		p, err := m.editor().Link(t.Context(), "Acme/Pump", undo)
		if diff := cmp.Diff(want, p.Linked); diff != "" || err != nil || p.ID != "github.com/acme/valve" {
			t.Errorf("undo %v: %v (-want +got):\n%s", undo, err, diff)
		}
		w, _ := m.open()
		other, err := w.Store.Named("github.com/acme/pump")
		if err != nil || len(other.Linked) != len(want) {
			t.Errorf("the other one: %+v, %v", other, err)
		}
	}
	w, _ := m.open()
	if _, err := w.Project(t.Context(), store.Identity{Folder: filepath.Join(m.Home, "fork"),
		Remotes: []string{"github.com/bob/pump"}}, nil, true); err != nil {
		t.Fatal(err)
	}
	refused("two of one name", "pump", false, messages.ErrUsage, "several projects are called")
}
