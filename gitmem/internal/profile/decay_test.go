package profile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/profile"
)

// TestDecayTable is the reading of the table of decay that holds here: confidence halves
// in 30 days, a mention adds 0.3 to what is left, and below 0.1 a value is removed.
func TestDecayTable(t *testing.T) {
	t.Parallel()
	src, _ := updated(t, nil, said(day(0), set("tools.editor", "Neovim")))
	now := func(n int) string { return fmt.Sprintf("%.2f", read(t, src).Entries[0].Now(day(n))) }
	for n, want := range map[int]string{0: "1.00", 30: "0.50", 60: "0.25", 75: "0.18"} {
		if got := now(n); got != want {
			t.Errorf("day %d: %s, want %s", n, got, want)
		}
	}
	src, done := updated(t, src, said(day(75), set("tools.editor", "neovim")))
	if diff := cmp.Diff([]string{"mention tools.editor"}, done); diff != "" {
		t.Error(diff)
	}
	for n, want := range map[int]string{75: "0.48", 90: "0.34", 150: "0.08"} {
		if got := now(n); got != want {
			t.Errorf("day %d: %s, want %s", n, got, want)
		}
	}
	if left, _ := read(t, src).Entries[0].DaysLeft(day(75)); left != 68 {
		t.Errorf("%d days left", left)
	}
	for _, step := range []struct {
		day  int
		want []string
	}{{142, nil}, {143, []string{"decay tools.editor Neovim"}}, {150, nil}} {
		out, done, err := profile.Decay(src, day(step.day))
		if err != nil || !slices.Equal(done, step.want) {
			t.Errorf("day %d: %q, %v, want %q", step.day, done, err, step.want)
		}
		src = out
	}
	if len(read(t, src).Entries) != 0 {
		t.Errorf("left:\n%s", src)
	}
}

// TestDecayOddTimes: an old mention makes nothing surer, one behind a clock that had been
// ahead counts now, a value of the future does not decay yet, and a pinned one never does.
func TestDecayOddTimes(t *testing.T) {
	t.Parallel()
	src, _ := updated(t, nil, said(day(100), set("tools.editor", "Neovim"), set("tools.shell", "fish")))
	src, done, err := profile.Pin(src, day(100), "tools.shell", true)
	if err != nil || !slices.Equal(done, []string{"pin tools.shell"}) {
		t.Fatal(done, err)
	}
	if got := read(t, src).Entries[0].Now(day(0)); got != 1 {
		t.Errorf("before its mention: %v", got)
	}
	earlier, done := updated(t, src, said(day(50), set("tools.editor", "Neovim")))
	if got := read(t, earlier).Entries[0]; !got.LastSeen.Equal(day(50)) || got.Confidence != 1 {
		t.Errorf("a mention behind a clock that had been ahead did %q: %+v", done, got)
	}
	late, done, err := profile.Update(src, day(101), []profile.Mention{said(day(50), set("tools.editor", "Neovim"))})
	if len(done) > 0 || string(late) != string(src) || err != nil {
		t.Errorf("a mention of the past did %q, %v", done, err)
	}
	out, _, err := profile.Decay(src, day(100+365))
	if diff := cmp.Diff([]string{"tools.shell = fish"}, values(read(t, out))); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// TestPinned holds that what is pinned stays whatever its confidence, as orders do that were
// written by hand, and that a command changes how a value is written.
func TestPinned(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	src := []byte("---\nformat: 1\norders:\n  - never push to main\n  - never: use malloc\nwork:\n  name: sam\nmeta:\n" +
		"  work.name: {of: \"sam\", confidence: 0.07, last_seen: \"2027-11-20T12:00:00Z\", pinned: true}\n---\n")
	src, done, err := profile.Decay(src, now)
	if want := "set orders.never-push-to-main never push to main (by hand)"; err != nil ||
		strings.Join(done, "; ") != want {
		t.Errorf("%q, %v", done, err)
	}
	src, done, err = profile.Decay(src, now.AddDate(3, 0, 0))
	if p, readErr := profile.Read(src); err != nil || readErr != nil || len(done) > 0 || len(p.Entries) != 2 ||
		len(p.Groups(now)) != 2 {
		t.Errorf("%q, %v, %v\n%s", done, err, readErr, src)
	}
	name := profile.Mention{Time: now, Changes: []profile.Change{{Path: "work.name", Value: "Sam"}}}
	if src, _, err = profile.Update(src, now, []profile.Mention{name}); err != nil ||
		!strings.Contains(string(src), "name: Sam\n") {
		t.Errorf("%v\n%s", err, src)
	}
}
