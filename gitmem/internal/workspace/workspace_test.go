package workspace_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

func TestIsOffline(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{"": false, "0": false, "false": false, " OFF ": false, "No": false, "1": true,
		"yes": true, "x": true} {
		m := newMachine(t)
		m.env["GITMEM_OFFLINE"] = value
		if got := m.open(m.home).IsOffline(); got != want {
			t.Errorf("%q: %v", value, got)
		}
	}
	m := newMachine(t)
	o := m.options(m.home)
	o.Offline = true
	if !m.openWith(o).IsOffline() {
		t.Error("the option does not count")
	}
}

func TestCaveatsAreKeptOnce(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	w := m.open(m.home)
	w.Caveat("known")
	for range 2 {
		w.Caveat("%s could not be read: %v", "a", &os.PathError{Op: "open", Path: "a", Err: os.ErrPermission})
	}
	if len(w.Caveats) != 2 {
		t.Errorf("caveats: %q", w.Caveats)
	}
	w.WarnOfCaveats(1)
	if diff := cmp.Diff(w.Caveats[1:], m.warned); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestMomentOfTheQuestion(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	w := m.open(m.home)
	if !w.Present() || !w.AtHead() || !w.Now().Equal(m.now) || w.Newer(m.now.AddDate(1, 0, 0)) || w.AsOfText() != "" {
		t.Error("a question of now is not about now")
	}
	past := w.Fork()
	at := m.now.AddDate(0, -1, 0)
	past.Past, past.AsOf = &workspace.Past{At: at, Until: at.Add(time.Second - 1)}, at
	if past.Present() || !past.Now().Equal(at) || past.Newer(at.Add(time.Second-1)) || !past.Newer(at.Add(time.Second)) ||
		past.AsOfText() != "2025-02-10T12:00:00Z" {
		t.Errorf("the question is about %v, %s", past.Now(), past.AsOfText())
	}
	past.Options.TempDir = m.mkdir("temp")
	if !past.UseTemp() || past.UseTemp() {
		t.Error("an index is made in a temporary folder, and once")
	}
	temp := past.IndexDir()
	if _, err := os.Stat(temp); err != nil {
		t.Error(err)
	}
	if past.Leave(); !w.Present() {
		t.Error("the fork changed what it came from")
	}
	if _, err := os.Stat(temp); err == nil {
		t.Error("Leave leaves the index of the fork")
	}
}

// TestUseTemp: in a sandbox the folder for temporary files can't be written either, but one in RAM can.
func TestUseTemp(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	o := m.options(m.home)
	if o.TempDir = m.write("taken", ""); m.openWith(o).UseTemp() {
		t.Error("an index is made in a file")
	}
	o.MemoryDir = m.mkdir("memory")
	w := m.openWith(o)
	if !w.UseTemp() || filepath.Dir(w.IndexDir()) != o.MemoryDir {
		t.Errorf("the index is in %s", w.IndexDir())
	}
}

// TestAuthor takes each of name and email from the first place that has it.
func TestAuthor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name         string
		env, files   map[string]string // HOME is replaced by the home folder
		author, mail string
	}{
		{"nothing", nil, nil, "gitmem", "gitmem@bench"},
		{"variables", map[string]string{"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@a"},
			map[string]string{".gitconfig": "[user]\nname = Bob\nemail = bob@b\n"}, "Ada", "ada@a"},
		{"one variable", map[string]string{"GIT_AUTHOR_NAME": "Ada"},
			map[string]string{".gitconfig": "[user]\nname = Bob\nemail = bob@b\n"}, "Ada", "bob@b"},
		{"two files", nil, map[string]string{".gitconfig": "[user]\nname = Bob\n",
			".config/git/config": "[user]\nname = Eve\nemail = eve@e\n"}, "Bob", "eve@e"},
		{"XDG", map[string]string{"XDG_CONFIG_HOME": "HOME/xdg"}, map[string]string{"xdg/git/config": "[user]\nname = Eve\n",
			".config/git/config": "[user]\nemail = bob@b\n"}, "Eve", "gitmem@bench"},
		{"one file alone", map[string]string{"GIT_CONFIG_GLOBAL": "HOME/mine"},
			map[string]string{"mine": "[user]\nname = Eve\n", ".gitconfig": "[user]\nemail = bob@b\n"}, "Eve", "gitmem@bench"},
	} {
		m := newMachine(t)
		for name, value := range tt.env {
			m.env[name] = strings.ReplaceAll(value, "HOME", m.home)
		}
		for name, text := range tt.files {
			m.write(name, text)
		}
		if diff := cmp.Diff(store.Signature{Name: tt.author, Email: tt.mail},
			m.open(m.home).StoreOptions().Author); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestHomeless checks that nothing can be written if no home is known.
func TestHomeless(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	o := m.options(m.home)
	o.Home = ""
	w := m.openWith(o)
	if _, err := w.Appendable(); !errors.Is(err, workspace.ErrHomeless) {
		t.Errorf("Appendable: %v", err)
	}
	if err := w.Writable(t.Context()); !errors.Is(err, workspace.ErrHomeless) || w.HasStore() {
		t.Errorf("Writable: %v", err)
	}
	m.env["GITMEM_HOME"] = m.path("own")
	if w := m.openWith(o); w.Homeless || w.Root != m.path("own") || w.ClientDir == w.Root {
		t.Errorf("with a folder of its own: %v, %s, %s", w.Homeless, w.Root, w.ClientDir)
	}
}

// TestInit creates a store once, which takes over the existing index.
func TestInit(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	w := m.open(m.home)
	old := w.IndexDir()
	if w.HasStore() || !workspace.Below(old, m.path("cache")) {
		t.Fatalf("without a store the index lies in %s", old)
	}
	m.write(strings.TrimPrefix(filepath.ToSlash(old), filepath.ToSlash(m.home))+"/shards/rules/x", "")
	if _, err := w.Appendable(); err != nil || w.HasStore() {
		t.Errorf("Appendable makes a repository, or: %v", err)
	}
	w = m.open(m.home)
	w.UseCache() // as for a question that finds a store without an index
	for _, want := range []bool{true, false} {
		created, err := w.Init(t.Context())
		if created != want || err != nil || !w.HasStore() {
			t.Fatalf("Init = %v, %v", created, err)
		}
	}
	if err := w.Writable(t.Context()); err != nil || len(m.warned) != 0 {
		t.Errorf("Writable: %v, %q", err, m.warned)
	}
	n := 0
	for _, err := range w.Store.Log(t.Context(), 0, "") {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	if n != 1 {
		t.Errorf("%d commits", n)
	}
}

// TestConfigure changes the configuration, or leaves it unchanged if a change fails.
func TestConfigure(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	w := m.open(m.home)
	if err := w.UseAgent(t.Context(), "claude"); err != nil {
		t.Fatal(err)
	}
	if got := w.Policy(); got.Err != nil || got.Config.Agent.Backend != "claude" || len(m.warned) != 1 {
		t.Errorf("%+v, %q", got.Config, m.warned)
	}
	before, err := os.ReadFile(w.LocalFile())
	if err != nil {
		t.Fatal(err)
	}
	failed := errors.New("failed")
	if err := w.Configure(t.Context(), func([]byte) ([]byte, error) {
		return []byte("capture: off\n"), failed
	}); !errors.Is(err, failed) {
		t.Errorf("the error is %v", err)
	}
	if after, err := os.ReadFile(w.LocalFile()); err != nil || !bytes.Equal(before, after) {
		t.Errorf("a change that failed was written: %v", err)
	}
	if err := w.UseAgent(t.Context(), ""); err != nil || w.Policy().Config.Agent.Backend != "" {
		t.Errorf("switched off: %v, %+v", err, w.Policy().Config.Agent)
	}
}

// TestChangeProfile checks that the actions are returned, and that no secret is written.
func TestChangeProfile(t *testing.T) {
	t.Parallel()
	const secret = "ghp_9dKq3Zr7Wm2Xt5Vb8Nc1Lf4Hs6Jy0Pa3Tg7Q"
	m := newMachine(t)
	w := m.open(m.home)
	if p, err := w.Profile(profile.File); err != nil || p == nil {
		t.Errorf("without a store: %v", err)
	}
	if err := w.Writable(t.Context()); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("not all of it")
	change := func(rel, text string, err error, done ...string) ([]string, error) {
		return w.ChangeProfile(context.Background(), rel, func(old []byte) ([]byte, []string, error) {
			return append(bytes.Clone(old), text...), done, err
		})
	}
	for _, tt := range []struct {
		name, rel, text string
		err, want       error
		done, reported  []string
		written         bool
	}{
		{name: "nothing done", rel: profile.File, text: "One\n"},
		{name: "a secret", rel: profile.File, text: secret + "\n", done: []string{"set a b"}, want: store.ErrHeld},
		{name: "a value", rel: profile.File, text: "Two\n", done: []string{"set a b"}, reported: []string{"set a b"},
			written: true},
		{name: "a value of a project", rel: "gitmem/projects/p/orders.md", text: "Three\n", done: []string{"set a b c"},
			reported: []string{"set project.a b c"}, written: true},
		{name: "not all", rel: profile.File, text: "Four\n", done: []string{"set a b"}, err: failed, want: failed,
			reported: []string{"set a b"}, written: true},
	} {
		done, err := change(tt.rel, tt.text, tt.err, tt.done...)
		if diff := cmp.Diff(tt.reported, done); diff != "" || !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, %s", tt.name, err, diff)
		}
		b, err := w.Store.ReadMaybe("", tt.rel)
		if err != nil || strings.Contains(string(b), tt.text) != tt.written {
			t.Errorf("%s: %v, the file holds %q", tt.name, err, b)
		}
	}
	m.write(".claude/"+profile.File, string(profile.Head(profile.File))+secret+"\n")
	if _, err := change(profile.File, "Five\n", nil, "set a b"); !errors.Is(err, store.ErrHeld) {
		t.Errorf("a file that holds a secret: %v", err)
	}
	m.write(".claude/"+profile.File, "---\nformat: 1\n  kind: [profile\n---\n")
	if _, err := w.Profile(profile.File); !isRefusal(err) {
		t.Errorf("a broken file: %v", err)
	}
}

func isRefusal(err error) bool {
	_, ok := errors.AsType[*messages.Refusal](err)
	return ok
}

// TestRewriteText reports whether a file changed.
func TestRewriteText(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	w := m.open(m.home)
	if err := w.Writable(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, text string // "" for none
		changed    bool
	}{{"new", "a\nb\nc\n", true}, {"the same", "a\nb\nc\n", false}, {"none", "", false}, {"lines", "b\nx\nc\r\nd", true}} {
		changed, err := w.RewriteText(t.Context(), profile.File, func([]byte) ([]byte, error) {
			if tt.text == "" {
				return nil, nil
			}
			return []byte(tt.text), nil
		})
		if changed != tt.changed || err != nil {
			t.Errorf("%s: %v, %v", tt.name, changed, err)
		}
	}
	if b, err := w.Store.Read("", profile.File); string(b) != "b\nx\nc\r\nd" || err != nil {
		t.Errorf("the file holds %q, %v", b, err)
	}
	failed := errors.New("failed")
	if changed, err := w.RewriteText(t.Context(), profile.File, func([]byte) ([]byte, error) {
		return []byte("y"), failed
	}); changed || !errors.Is(err, failed) {
		t.Errorf("a failure: %v, %v", changed, err)
	}
}

// TestDisplayName checks that a project without a remote has the name of its folder.
func TestDisplayName(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{"path/0123": "pump", "local/0123": "pump",
		"github.com/acme/valve": "github.com/acme/valve"} {
		if got := (&workspace.Place{Folder: filepath.Join("a", "pump"),
			Project: store.Project{ID: id}}).DisplayName(); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

// TestSessionName checks that no secret is in the name of a file.
func TestSessionName(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	w := m.open(m.home)
	const secret = "ghp_9dKq3Zr7Wm2Xt5Vb8Nc1Lf4Hs6Jy0Pa3Tg7Q"
	for in, want := range map[string]string{"3f2a91c4": "3f2a91c4", secret: store.ShortHash(secret)} {
		if got := w.SessionName(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
