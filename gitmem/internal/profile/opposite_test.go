package profile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
)

// TestOlderOpposite checks that a statement older than its opposite has no effect, in whatever order messages are read.
func TestOlderOpposite(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]profile.Change{
		{set("codePreferences.tone", "friendly"), set("codePreferences.tone", "direct")},
		{set("codePreferences.tone", "stop being so friendly"), set("codePreferences.tone", "friendly")},
		{set("codePreferences.preferredStacks", "Webpack"), set("codePreferences.avoid", "webpack")},
	} {
		out, done, err := profile.Update(nil, day(20), []profile.Mention{said(day(9), c[0]), said(day(1), c[1])})
		if err != nil || len(done) != 1 || !strings.HasPrefix(done[0], "set "+c[0].Path) {
			t.Errorf("%q, %v\n%s", done, err, out)
		}
	}
}

// TestTakeBackTone checks that a tone from a branch that was taken back is replaced by the previous one, unless another
// one was requested since.
func TestTakeBackTone(t *testing.T) {
	t.Parallel()
	const tone = "codePreferences.tone"
	before, _ := updated(t, nil, said(day(0), set(tone, "direct")))
	gone := said(day(1), set(tone, "friendly"))
	for _, c := range []struct {
		later []profile.Mention
		want  string
	}{{[]profile.Mention{gone}, "direct"}, {[]profile.Mention{gone, said(day(2), set(tone, "concise"))}, "concise"}} {
		src, _ := updated(t, before, c.later...)
		out, done, err := profile.TakeBack(src, before, day(3), []profile.Mention{gone})
		if diff := cmp.Diff([]string{tone + "." + c.want + " = " + c.want}, values(read(t, out))); err != nil || diff != "" {
			t.Errorf("%q, %v: %s", done, err, diff)
		}
	}
}

// TestMentioned checks that using a known tool for one task raises its confidence, at any path, and adds no missing
// value.
func TestMentioned(t *testing.T) {
	t.Parallel()
	mentioned := func(value string) profile.Change {
		return profile.Change{Path: "codePreferences.preferredStacks", Value: value, Mentioned: true}
	}
	src, _ := updated(t, nil, said(day(0), set("codePreferences.preferredStacks", "Bun"), set("tools.editor", "Vim"),
		set("codePreferences.avoid", "npm")),
		profile.Mention{Changes: []profile.Change{set("codePreferences.preferredStacks", "Go")}, Time: day(0),
			By: answer.Model})
	out, done := updated(t, src, said(day(30), mentioned("bun"), mentioned("vim"), mentioned("npm"), mentioned("Deno"),
		mentioned("Go")))
	if diff := cmp.Diff([]string{"mention codePreferences.preferredStacks.bun", "mention tools.editor",
		"mention codePreferences.preferredStacks.go"}, done); diff != "" {
		t.Error(diff)
	}
	for _, e := range read(t, out).Entries {
		if want := map[bool]float64{true: 0.5, false: 0.8}[e.Value == "npm"]; e.Now(day(30)) != want ||
			(e.By != "") != (e.Value == "Go") {
			t.Errorf("%+v is %.2f, not %.2f", e, e.Now(day(30)), want)
		}
	}
}
