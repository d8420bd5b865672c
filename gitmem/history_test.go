package gitmem_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// TestHistoryKeepsWhatIsHidden searches all views of history for text that must not be visible: a secret that somebody
// committed by hand, and a forgotten line.
func TestHistoryKeepsWhatIsHidden(t *testing.T) {
	t.Parallel()
	c := newChronicle(t)
	const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	c.commit("note: The staging password is swordfish", map[string]string{
		"a.md": "# A\n\n- The staging password is swordfish\n- relay one\n- token " + secret + "\n"})
	c.commit("more with "+secret, map[string]string{"b.md": "<private>\nmy salary\n</private>\nrelay two\n"})
	c.with(c.dir, func(m *gitmem.Memory) error {
		f, err := m.PlanForget(t.Context(), []string{"swordfish"}, false)
		if err != nil {
			return err
		}
		_, err = m.Forget(t.Context(), f)
		return err
	})
	m := c.open(c.dir)
	var all strings.Builder
	see := func(v any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(asJSON(t, v))
	}
	log, err := m.History().Log(t.Context(), "", gitmem.LogOptions{Files: true})
	see(log, err)
	diff, err := m.History().Diff(t.Context(), "2001", "")
	see(diff, err)
	for _, file := range []string{"a.md", "b.md"} {
		blamed, err := m.History().Blame(t.Context(), c.file(file))
		see(blamed, err)
	}
	for _, banned := range []string{secret, "swordfish", "salary"} {
		if at := strings.Index(all.String(), banned); at >= 0 {
			t.Errorf("%q is shown: …%s…", banned, all.String()[max(0, at-200):at+20])
		}
		if found, err := m.History().Log(t.Context(), banned, gitmem.LogOptions{}); err != nil || len(found) > 0 {
			t.Errorf("words find the hidden %q: %v, %v", banned, found, err)
		}
	}
	for _, want := range []string{"relay one", "relay two", "[redacted:", "[forgotten]"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("%q is not shown", want)
		}
	}
	// An undo does not bring it back either.
	if _, err := c.undo("HEAD"); err == nil {
		t.Error("what was forgotten could be undone")
	}
	c.commit("remove", map[string]string{"a.md": "# A\n\n- The staging password is swordfish\n"})
	gone := c.commit("gone", map[string]string{"a.md": "# A\n"})
	if _, err := c.undo(gone); err == nil || strings.Contains(c.read(c.file("a.md")), "swordfish") {
		t.Errorf("a forgotten line came back by an undo: %v", err)
	}
}
