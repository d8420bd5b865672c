package curate_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/curate"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// TestHistoryByTime filters by time expressions and finds words in removed text.
func TestHistoryByTime(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	var ids []string
	for i, text := range []string{"relay\n", "pump\n", "valve\n"} {
		m.Now = m.Now.AddDate(0, 0, min(i, 1))
		ids = append(ids, m.commit(fmt.Sprint("day ", i), map[string]string{"a.md": text}))
	}
	for _, tt := range []struct {
		what string
		o    curate.LogOptions
		want string
	}{
		{"", curate.LogOptions{Since: "2025-03-11"}, "day 2,day 1"},
		{"", curate.LogOptions{Since: "2025-03-11", Until: "2025-03-11"}, "day 1"},
		{m.InRoot(m.rel("a.md")), curate.LogOptions{Limit: 1}, "day 2"},
		{"a.md", curate.LogOptions{}, "day 2,day 1,day 0"},
		{"a.md:1", curate.LogOptions{}, "day 2,day 1,day 0"},
		{"relay", curate.LogOptions{}, "day 1,day 0"},
		{"relay pump", curate.LogOptions{}, "day 1"},
		{"DAY 2", curate.LogOptions{}, "day 2"},
		{"dead", curate.LogOptions{}, ""},
		{"HEAD", curate.LogOptions{}, "day 2"},
		{"HEAD~2", curate.LogOptions{}, "day 0"},
		{ids[1], curate.LogOptions{}, "day 1"},
		{ids[1][:7], curate.LogOptions{}, "day 1"},
		{"git:commit:" + ids[2], curate.LogOptions{}, "day 2"},
	} {
		found, err := m.editor().Log(t.Context(), tt.what, tt.o)
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
	if _, err := m.editor().Log(t.Context(), "memory:nothing", curate.LogOptions{}); !errors.Is(err,
		messages.ErrNotFound) {
		t.Errorf("an unknown citation: %v", err)
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	first := m.commit("first", map[string]string{"a.md": "a\nb\nc\n"})
	m.Now = m.Now.AddDate(0, 0, 1)
	m.commit("second", map[string]string{"a.md": "a\nB\nc\n", "b.md": "x\n"})
	m.Write(m.InRoot(m.rel("a.md")), "a\nB\nC\n")
	for _, tt := range []struct {
		since, what string
		want        []string // lines that were added or removed
	}{
		{"", "", []string{"-c", "+C"}},
		{first, "", []string{"-b", "-c", "+B", "+C", "+x"}},
		{first, "a.md:2", []string{"-b", "-c", "+B", "+C"}},
		{first, "a.md:1", nil},
		{"HEAD", "b.md", nil},
		{"2025-03-11", "b.md", []string{"+x"}},
		{"1d", "b.md", []string{"+x"}},
		{"2001", "b.md", []string{"+x"}},
	} {
		d, err := m.editor().Diff(t.Context(), tt.since, tt.what)
		if err != nil {
			t.Errorf("%q %q: %v", tt.since, tt.what, err)
			continue
		}
		var got []string
		for _, f := range d.Files {
			for line := range strings.Lines(f.Patch) {
				if (line[0] == '+' || line[0] == '-') && len(strings.TrimSpace(line)) == 2 {
					got = append(got, strings.TrimSpace(line))
				}
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q %q (-want +got):\n%s", tt.since, tt.what, diff)
		}
	}
	if _, err := m.editor().Diff(t.Context(), "nothing", ""); !errors.Is(err, messages.ErrUsage) {
		t.Errorf("no time and no commit: %v", err)
	}
	if _, err := m.editor().Diff(t.Context(), "", "none.md"); !errors.Is(err, messages.ErrNotFound) {
		t.Errorf("no file: %v", err)
	}
}

// TestBlame names the commit, the session and the reason of each line.
func TestBlame(t *testing.T) {
	t.Parallel()
	const session = "3f2a91c4-0000-4000-8000-000000000001"
	m := newMemory(t)
	first := m.commit("first", map[string]string{"a.md": "one\ntoken " + secret[:10] + "\n"})
	m.Write(m.InRoot(m.rel("a.md")), "one\ntoken "+secret[:10]+"\ntwo\n")
	w, _ := m.open()
	second, err := w.Store.Commit(t.Context(), store.Change{Subject: "second", Time: m.Now.AddDate(0, 0, 1),
		Trailers: []string{"Gitmem-Session: " + session, "Gitmem-Turn: L7", "Gitmem-Op: note Warnings"}})
	if err != nil {
		t.Fatal(err)
	}
	m.Write(m.InRoot(m.rel("a.md")), "one\ntoken "+secret[:10]+"\ntwo\nthree")
	b, err := m.editor().Blame(t.Context(), "a.md")
	if err != nil {
		t.Fatal(err)
	}
	at := func(day string) string { return day + "T12:00:00Z" }
	want := curate.Blamed{Path: m.rel("a.md"), Lines: []curate.BlameLine{
		{Line: 1, Text: "one", Commit: first, Time: at("2025-03-10"), Why: "first"},
		{Line: 2, Text: "token " + secret[:10], Commit: first, Time: at("2025-03-10"), Why: "first"},
		{Line: 3, Text: "two", Commit: second, Time: at("2025-03-11"), Session: session, Turn: "L7", Why: "note Warnings"},
		{Line: 4, Text: "three"},
	}}
	if diff := cmp.Diff(want, b); diff != "" {
		t.Errorf("the file (-want +got):\n%s", diff)
	}
	b, err = m.editor().Blame(t.Context(), "a.md:3")
	if diff := cmp.Diff(want.Lines[2:3], b.Lines); diff != "" || err != nil {
		t.Errorf("a line: %v (-want +got):\n%s", err, diff)
	}
	for what, words := range map[string]string{"../memory": "", "a.md:7": "has 4 lines and no line 7"} {
		if _, err := m.editor().Blame(t.Context(), what); !errors.Is(err, messages.ErrNotFound) &&
			!errors.Is(err, messages.ErrUsage) {
			t.Errorf("%s: %v", what, err)
		} else {
			contains(t, what, err.Error(), words)
		}
	}
}
