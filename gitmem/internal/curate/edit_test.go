package curate_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/curate"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

func TestEdit(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.commit("begin", map[string]string{"a.md": "# A\n\n## Door\n\n- It sticks\n"})
	for _, tt := range []struct {
		what, path string
		line       int
		text       string
	}{
		{"", m.rel("MEMORY.md"), 0, ""},
		{"a.md", m.rel("a.md"), 0, m.files()["a.md"]},
		{"a.md:5", m.rel("a.md"), 5, m.files()["a.md"]},
		{"new.md", m.rel("new.md"), 0, ""},
		{"gitmem/profile.md", "gitmem/profile.md", 0, ""},
	} {
		e, err := m.editor().Edit(t.Context(), tt.what)
		if err != nil {
			t.Errorf("%q: %v", tt.what, err)
			continue
		}
		if diff := cmp.Diff(curate.Editing{Path: tt.path, Line: tt.line, Text: []byte(tt.text)}, *e,
			cmp.Transformer("text", func(b []byte) string {
				return string(b)
			})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.what, diff)
		}
	}
	if e, err := m.editor().Edit(t.Context(), "tasks.md"); err != nil || strings.HasPrefix(e.Path, "projects/") {
		t.Errorf("a file of gitmem's own lies in the client's folder: %+v, %v", e, err)
	}
	for what, want := range map[string]error{
		"a.txt": messages.ErrNotFound, ".gitignore": messages.ErrUsage, filepath.Join(m.Home, ".claude",
			"gitmem"): messages.ErrUsage, "decision:none": messages.ErrNotFound, "../../a.md": messages.ErrNotFound,
	} {
		if e, err := m.editor().Edit(t.Context(), what); !errors.Is(err, want) {
			t.Errorf("%q: %+v, %v", what, e, err)
		}
	}
}

func TestSave(t *testing.T) {
	t.Parallel()
	const head = "---\nformat: 1\nkind: memory\n---\n"
	m := newMemory(t)
	for _, tt := range []struct {
		name, old, text string
		now             string // what others wrote in the meantime
		refused         string // text of the error
		saved           string // "" if nothing changes
	}{
		{name: "the same", old: "# A\n", text: "# A\n"},
		{name: "more", old: "# A\n", text: "# A\n\n- b\n", saved: "# A\n\n- b\n"},
		{name: "beside others", old: "# A\n\n- b\n\n- c\n", text: "# A\n\n- B\n\n- c\n", now: "# A\n\n- b\n\n- C\n",
			saved: "# A\n\n- B\n\n- C\n"},
		{name: "as others", old: "# A\n", text: "# A\n\n- b\n", now: "# A\n\n- b\n"},
		{name: "against others", old: "# A\n\n- b\n", text: "# A\n\n- B\n", now: "# A\n\n- x\n",
			refused: "others changed the same lines"},
		{name: "empty", old: "# A\n", text: " \n", refused: "this is empty"},
		{name: "bytes", old: "# A\n", text: "# A\n\xff\n", refused: "line 2: this is not UTF-8 text"},
		{name: "a NUL", old: "# A\n", text: "# A\n\n\x00\n", refused: "line 3: this is not UTF-8 text"},
		{name: "a conflict", old: "# A\n", text: "# A\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n",
			refused: "line 2: a conflict is still marked"},
		{name: "a secret", old: "# A\n", text: "# A\n\nThe token is " + secret + "\n",
			refused: "line 3: this holds a secret"},
		{name: "no frontmatter", old: head + "# A\n", text: "# A\n",
			refused: "line 1: the frontmatter between the two lines --- is gone"},
		{name: "no format", old: head + "# A\n", text: "---\nkind: memory\n---\n# A\n",
			refused: "the frontmatter has lost its field format"},
		{name: "another format", old: head + "# A\n", text: "---\nformat: 2\n---\n# A\n", refused: "says format 2"},
		{name: "broken frontmatter", old: head + "# A\n", text: "---\nformat: [1\n---\n# A\n", refused: "frontmatter"},
		{name: "twice one id", old: "# A\n", text: "# A\n\n## B ^b\n\n## C ^b\n", refused: "block id"},
	} {
		name := strings.ReplaceAll(tt.name, " ", "-") + ".md"
		m.commit("begin", map[string]string{name: tt.old})
		e, err := m.editor().Edit(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		want := tt.old
		if tt.now != "" {
			m.commit("others", map[string]string{name: tt.now})
			want = tt.now
		}
		out, err := m.editor().Save(t.Context(), e, []byte(tt.text))
		if tt.refused != "" {
			want := map[bool]error{true: store.ErrConflict}[tt.now != ""] // the caller may try again
			refuses(t, tt.name, err, want, tt.refused)
		} else if err != nil || (out.Commit == "") != (tt.saved == "") || len(out.Files) == 0 != (tt.saved == "") {
			t.Errorf("%s: %+v, %v", tt.name, out, err)
		}
		if tt.saved != "" {
			want = tt.saved
		}
		if diff := cmp.Diff(want, m.files()[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestPreferences(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	set := func(path, value string) (curate.ProfileChanged, error) {
		return m.editor().SetPreference(t.Context(), path, value)
	}
	if p, err := m.editor().Profile(t.Context(), ""); err != nil || len(p.Entries) != 0 {
		t.Errorf("at the start: %+v, %v", p, err)
	}
	for _, tt := range []struct{ path, value, done string }{
		{"tools.editor", "Neovim", "set tools.editor Neovim"}, {"tools.editor", "Neovim\t", ""},
		{"tools.shell", "fish", "set tools.shell fish"},
	} {
		c, err := set(tt.path, tt.value)
		if got := strings.Join(c.Done, ";"); err != nil || tt.done != "" && (got != tt.done || c.Commit == "") {
			t.Errorf("%s %s: %+v, %v", tt.path, tt.value, c, err)
		}
	}
	for name, tt := range map[string][2]string{"no path": {"no path", "a"}, "no value": {"tools.editor", " \n"}} {
		if _, err := set(tt[0], tt[1]); !errors.Is(err, messages.ErrUsage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	m.Env["CLAUDECODE"] = "1"
	if _, err := set("tools.terminal", "kitty"); err != nil {
		t.Fatal(err)
	}
	_, err := m.editor().ConfirmPreference(t.Context(), "tools.terminal")
	refuses(t, "a model confirms", err, messages.ErrUsage, "inside the client")
	m.Env["CLAUDECODE"] = ""
	trust := func() answer.Trust {
		t.Helper()
		p, err := m.editor().Profile(t.Context(), "tools.terminal")
		if err != nil || len(p.Entries) != 1 {
			t.Fatalf("%+v, %v", p, err)
		}
		return p.Entries[0].Trust
	}
	if got := trust(); got != answer.Model {
		t.Errorf("a value of a model is %s", got)
	}
	if c, err := m.editor().ConfirmPreference(t.Context(), "tools.terminal"); err != nil || len(c.Done) != 1 ||
		trust() != answer.Mine {
		t.Errorf("confirmed: %+v, %v, %s", c, err, trust())
	}
	for _, pinned := range []bool{true, false} {
		_, err := m.editor().PinPreference(t.Context(), "tools.shell", pinned)
		p, getErr := m.editor().Profile(t.Context(), "tools.shell")
		if err := errors.Join(err, getErr); err != nil || len(p.Entries) != 1 || p.Entries[0].Pinned != pinned ||
			p.Entries[0].DaysLeft < 0 != pinned {
			t.Errorf("pinned %v: %+v, %v", pinned, p, err)
		}
	}
	if _, err := m.editor().PinPreference(t.Context(), "tools.editor", true); err != nil {
		t.Fatal(err)
	}
	m.Now = m.Now.AddDate(10, 0, 0)
	if c, err := m.editor().DecayProfile(t.Context()); err != nil || len(c.Done) != 2 || c.Commit == "" {
		t.Errorf("decay: %+v, %v", c, err)
	}
	if c, err := m.editor().RemovePreference(t.Context(), "tools.editor"); err != nil || len(c.Done) != 1 {
		t.Errorf("remove: %+v, %v", c, err)
	}
	_, err = m.editor().RemovePreference(t.Context(), "tools.editor")
	refuses(t, "what is gone", err, messages.ErrNotFound, "the profile has no tools.editor")
	log, err := m.editor().ProfileLog(t.Context(), 2)
	if err != nil || len(log) != 2 || !strings.Contains(log[0].Done, "tools.editor") || log[0].Commit == "" ||
		log[0].Time != "2035-03-10T12:00:00Z" {
		t.Errorf("log: %+v, %v", log, err)
	}
	if all, err := m.editor().ProfileLog(t.Context(), 0); err != nil || len(all) < 7 {
		t.Errorf("%d changes, %v", len(all), err)
	}
}

func TestPreferenceText(t *testing.T) {
	t.Parallel()
	p := curate.Preference{Path: "tools.editor", Value: "Neovim", Confidence: 0.5, DaysLeft: 7, Trust: answer.Mine}
	if got, want := p.Metadata(), "tools.editor: Neovim  (0.50, by hand, 7 days left)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.Pinned, p.LastSeen, p.Trust = true, "2025-03-10T12:00:00Z", answer.Model
	if got, want := p.Metadata(), "tools.editor: Neovim (by a model)  (0.50, 2025-03-10, pinned)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
