package gitmem_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// TestHistoryKeepsWhatIsHidden looks through everything that shows history for what
// must not be seen: a secret that somebody committed by hand, and a line that was
// forgotten.
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
	// Nor does an undo bring it back.
	if _, err := c.undo("HEAD"); err == nil {
		t.Error("what was forgotten could be undone")
	}
	c.commit("remove", map[string]string{"a.md": "# A\n\n- The staging password is swordfish\n"})
	gone := c.commit("gone", map[string]string{"a.md": "# A\n"})
	if _, err := c.undo(gone); err == nil || strings.Contains(c.read(c.file("a.md")), "swordfish") {
		t.Errorf("a forgotten line came back by an undo: %v", err)
	}
}

// TestHistoryByTime narrows by time words, and finds words in what was taken away.
func TestHistoryByTime(t *testing.T) {
	t.Parallel()
	c := newChronicle(t)
	for i, text := range []string{"relay\n", "pump\n", "valve\n"} {
		c.now = fixedNow().AddDate(0, 0, i)
		c.commit(fmt.Sprint("day ", i), map[string]string{"a.md": text})
	}
	m := c.open(c.dir)
	for _, tt := range []struct {
		what string
		o    gitmem.LogOptions
		want string
	}{
		{"", gitmem.LogOptions{Since: "2025-03-11"}, "day 2,day 1"},
		{"", gitmem.LogOptions{Since: "2025-03-11", Until: "2025-03-11"}, "day 1"},
		{c.file("a.md"), gitmem.LogOptions{Limit: 1}, "day 2"},
		{"relay", gitmem.LogOptions{}, "day 1,day 0"},
		{"relay pump", gitmem.LogOptions{}, "day 1"},
		{"DAY 2", gitmem.LogOptions{}, "day 2"},
		{c.git("rev-parse", "HEAD~1"), gitmem.LogOptions{}, "day 1"},
		{"git:commit:" + c.git("rev-parse", "HEAD"), gitmem.LogOptions{}, "day 2"},
	} {
		found, err := m.History().Log(t.Context(), tt.what, tt.o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found {
			got = append(got, f.Subject)
		}
		if s := strings.Join(got, ","); s != tt.want {
			t.Errorf("%q %+v: %q, want %q", tt.what, tt.o, s, tt.want)
		}
	}
}
