package curate_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace/workspacetest"
)

// TestUndoIsAllOrNothing undoes a commit when one of its files conflicts.
func TestUndoIsAllOrNothing(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.commit("first", map[string]string{"a.md": "a\n", "b.md": "b\n", "gone.md": "gone\n"})
	second := m.commit("second", map[string]string{"a.md": "a\na2\n", "b.md": "b2\n", "new.md": "new\n", "gone.md": ""})
	third := m.commit("third", map[string]string{"b.md": "b3\n"})
	before := m.files()
	_, err := m.editor().Undo(t.Context(), second, false)
	for _, want := range []string{"b.md line 1", third[:12], "third"} {
		refuses(t, "the undo", err, store.ErrConflict, want)
	}
	w, _ := m.open()
	head, err := w.Store.Look(t.Context(), "HEAD")
	if diff := cmp.Diff(before, m.files()); diff != "" || err != nil || head.Hash != third {
		t.Errorf("something changed:\n%s", diff)
	}
	// Without the conflict everything is reverted, including the removed file.
	for _, id := range []string{third, second} {
		if _, err := m.editor().Undo(t.Context(), id, false); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(map[string]string{"a.md": "a\n", "b.md": "b\n", "gone.md": "gone\n"}, m.files()); diff != "" {
		t.Error(diff)
	}
}

// TestUndoTakesBack undoes the last commit of random histories, and then undoes the undo.
func TestUndoTakesBack(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	for seed := range uint64(12) {
		rnd := rand.New(rand.NewPCG(seed, 6))
		text := func() map[string]string {
			out := map[string]string{}
			for _, name := range []string{"a.md", "b.md", "c.md"} {
				if rnd.IntN(3) > 0 {
					var b strings.Builder
					for range 1 + rnd.IntN(6) {
						fmt.Fprintf(&b, "- line %d%s", rnd.IntN(5), []string{"\n", "\r\n", "\n\n"}[rnd.IntN(3)])
					}
					out[name] = b.String()[:b.Len()-rnd.IntN(2)]
				}
			}
			return out
		}
		was := text()
		for name := range m.files() {
			if was[name] == "" {
				was[name] = ""
			}
		}
		m.commit("was", was)
		before := m.files()
		m.Write(m.InRoot(m.rel("d.md")), fmt.Sprint("always one ", seed))
		last := m.commit("last", text())
		after := m.files()
		if _, err := m.editor().Undo(t.Context(), last, false); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if diff := cmp.Diff(before, m.files()); diff != "" {
			t.Fatalf("seed %d, undone:\n%s", seed, diff)
		}
		if _, err := m.editor().Undo(t.Context(), "HEAD", false); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if diff := cmp.Diff(after, m.files()); diff != "" {
			t.Fatalf("seed %d, undone twice:\n%s", seed, diff)
		}
		if d, err := m.editor().Diff(t.Context(), "", ""); err != nil || len(d.Files) > 0 {
			t.Fatalf("seed %d, not committed: %+v, %v", seed, d.Files, err)
		}
	}
}

func TestUndoRefuses(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	first := m.commit("first", map[string]string{"a.md": "a\n", "b.md": "b\n"})
	second := m.commit("second", map[string]string{"a.md": "a2\n"})
	third := m.commit("third", map[string]string{"b.md": ""})
	undo := func(what string) error { _, err := m.editor().Undo(t.Context(), what, false); return err }
	refuses(t, "what made the store", undo(first+"~1"), messages.ErrUsage, "made the store")
	refuses(t, "no commit", undo("nothing"), messages.ErrNotFound, `"nothing" is no commit of `)
	refuses(t, "a file that was changed", undo(first), store.ErrConflict, "a.md line 1 changed since by "+second[:12])
	m.Write(m.InRoot(m.rel("a.md")), "a3\n")
	refuses(t, "what is not committed", undo(second), store.ErrConflict,
		"a.md line 1 changed since, which is not committed yet")
	refuses(t, "a line that is not committed", undo("a.md:1"), store.ErrConflict, "a.md line 1 is not committed yet")
	refuses(t, "a line that is not there", undo("a.md:9"), messages.ErrNotFound, "has 1 line and no line 9")
	m.Write(m.InRoot(m.rel("a.md")), "a2\n")
	if err := undo("a.md:1"); err != nil || m.files()["a.md"] != "a\n" {
		t.Errorf("a line: %v, %q", err, m.files())
	}
	refuses(t, "what was undone", undo(second), messages.ErrNotFound, "was undone already by ")
	m.commit("fourth", map[string]string{"b.md": "other\n"})
	if err := undo(third); err != nil || m.files()["b.md"] != "other\nb\n" {
		t.Errorf("a memory file that was made again gets its lines back: %v, %q", err, m.files())
	}
}

// TestUndoDry changes nothing, and omits files that the store needs.
func TestUndoDry(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.Write(m.InRoot("gitmem/config.yaml"), "capture: on\n")
	id := m.commit("both", map[string]string{"a.md": "a\n"})
	u, err := m.editor().Undo(t.Context(), id, true)
	if err != nil || u.Commit != "" || len(u.Files) != 1 || u.Files[0].Path != m.rel("a.md") || u.Undone != id ||
		u.Subject != "both" || m.files()["a.md"] != "a\n" {
		t.Errorf("%+v, %v", u, err)
	}
	if diff := cmp.Diff([]string{"gitmem/config.yaml"}, u.Left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	m.Write(m.InRoot("gitmem/config.yaml"), "capture: off\n")
	if id = m.commit("the configuration", nil); id == "" {
		t.Fatal("the configuration is in no commit")
	}
	_, err = m.editor().Undo(t.Context(), id, true)
	refuses(t, "the configuration alone", err, messages.ErrNotFound, "which the store needs")
}

// TestWithoutAStore: without a store there is no history.
func TestWithoutAStore(t *testing.T) {
	t.Parallel()
	m := &memory{Machine: workspacetest.New(t), t: t}
	m.dir = m.Home
	ed := m.editor()
	_, undo := ed.Undo(t.Context(), "HEAD", false)
	_, blame := ed.Blame(t.Context(), "a.md")
	_, diff := ed.Diff(t.Context(), "", "")
	for what, err := range map[string]error{"undo": undo, "blame": blame, "diff": diff} {
		if !errors.Is(err, store.ErrNoStore) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
