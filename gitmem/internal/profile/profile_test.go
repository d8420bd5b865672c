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

// start is a time that the tests count days from.
func start() time.Time { return time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC) }

func day(n int) time.Time { return start().AddDate(0, 0, n) }

func set(path, value string) profile.Change { return profile.Change{Path: path, Value: value} }

func drop(value string) profile.Change { return profile.Change{Value: value, Remove: true} }

// said is a mention by a message of its own.
func said(at time.Time, changes ...profile.Change) profile.Mention {
	return profile.Mention{Changes: changes, Time: at, Source: fmt.Sprintf("transcript:s:%d", at.Unix())}
}

// updated is a profile after some mentions, each at its time.
func updated(t *testing.T, src []byte, mentions ...profile.Mention) (out []byte, done []string) {
	t.Helper()
	for _, m := range mentions {
		text, did, err := profile.Update(src, m.Time, []profile.Mention{m})
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		src, done = text, append(done, did...)
	}
	return src, done
}

func read(t *testing.T, src []byte) *profile.Profile {
	t.Helper()
	p, err := profile.Read(src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return p
}

// values are the values of a profile by their paths.
func values(p *profile.Profile) (all []string) {
	for _, e := range p.Entries {
		all = append(all, e.Path+" = "+e.Value)
	}
	return all
}

// TestOwnFields are no preferences: what the file is, and what editors of notes keep in it.
func TestOwnFields(t *testing.T) {
	t.Parallel()
	p := read(t, []byte("---\nformat: 1\nkind: profile\ncreated: 2026-01-01\nupdated: 2026-03-01T10:00:00Z\ntools:\n"+
		"  editor: vim\n  updated: daily\n---\n"))
	if diff := cmp.Diff([]string{"tools.editor = vim", "tools.updated = daily"}, values(p)); diff != "" {
		t.Error(diff)
	}
}

// TestLines: a value and what is noted of it are found in the file.
func TestLines(t *testing.T) {
	t.Parallel()
	src, _ := updated(t, nil, said(day(0), set("codePreferences.preferredStacks", "C++"), set("tools.editor", "Vim")))
	lines := strings.Split(string(src), "\n")
	for _, e := range read(t, src).Entries {
		if e.Line == 0 || !strings.Contains(lines[e.Line-1], e.Value) || e.MetaLine == 0 ||
			!strings.Contains(lines[e.MetaLine-1], e.Path) {
			t.Errorf("%s: lines %d and %d of\n%s", e.Path, e.Line, e.MetaLine, src)
		}
	}
}

// TestGroups: what a session is told comes in one order, and what has decayed is left out.
func TestGroups(t *testing.T) {
	t.Parallel()
	src, _ := updated(t, nil, said(day(0), set("tools.shell", "fish"), set("codePreferences.preferredStacks", "Go")),
		said(day(120), set("codePreferences.preferredStacks", "Bun"), set("work.role", "backend developer"),
			set("tools.editor", "Vim")))
	var got []string
	for _, g := range read(t, src).Groups(day(121)) {
		name, value := g.Variable()
		got = append(got, strings.Join(g.Lines(), "\n")+" | "+name+"="+value)
	}
	want := []string{
		"work.role: backend developer | GITMEM_ROLE=backend developer",
		"codePreferences.preferredStacks: Bun | GITMEM_STACKS=Bun",
		"tools.editor: Vim | GITMEM_EDITOR=Vim",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOrderTexts(t *testing.T) {
	t.Parallel()
	p, err := profile.Read([]byte("---\nformat: 1\ntools:\n  editor: Helix\norders:\n  - Use tabs\n---\n# Mine\n\n" +
		"- Never push\n\nWork slowly\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Use tabs", "Never push", "Work slowly"}, p.OrderTexts()); diff != "" {
		t.Error(diff)
	}
	if p, err = profile.Read([]byte("---\norders: {tabs: Use tabs}\n---\n")); err != nil ||
		!slices.Equal(p.OrderTexts(), []string{"Use tabs"}) {
		t.Errorf("%v, %v", p.OrderTexts(), err)
	}
}
