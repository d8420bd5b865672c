package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// machine is an empty home with an environment, and the warnings of the workspaces on it.
type machine struct {
	t      *testing.T
	home   string
	now    time.Time
	env    map[string]string
	warned []string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	return &machine{t: t, home: workspace.RealPath(t.TempDir()), now: time.Date(2025, 3, 10, 12, 0, 0, 0, time.UTC),
		env: map[string]string{}}
}

func (m *machine) path(rel string) string { return filepath.Join(m.home, filepath.FromSlash(rel)) }

func (m *machine) mkdir(rel string) string {
	m.t.Helper()
	dir := m.path(rel)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		m.t.Fatal(err)
	}
	return dir
}

func (m *machine) write(rel, text string) string {
	m.t.Helper()
	m.mkdir(filepath.ToSlash(filepath.Dir(rel)))
	if err := os.WriteFile(m.path(rel), []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
	return m.path(rel)
}

// configure writes the configuration of memory.
func (m *machine) configure(text string) { m.t.Helper(); m.write(".claude/gitmem/local.yaml", text) }

// repository creates a repository without commits, with a remote unless that is "".
func (m *machine) repository(rel, remote string) string {
	m.t.Helper()
	m.mkdir(rel + "/.git/objects")
	m.mkdir(rel + "/.git/refs/heads")
	m.write(rel+"/.git/HEAD", "ref: refs/heads/main\n")
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
	if remote != "" {
		config += "[remote \"origin\"]\n\turl = " + remote + "\n"
	}
	m.write(rel+"/.git/config", config)
	return m.path(rel)
}

func (m *machine) options(dir string) workspace.Options {
	return workspace.Options{
		Dir: dir, Home: m.home, CacheDir: m.path("cache"), Machine: "bench", LockWait: 5 * time.Minute,
		Now: func() time.Time { return m.now }, Getenv: func(name string) string { return m.env[name] },
		Warn: func(text string) { m.warned = append(m.warned, text) },
	}
}

// open returns the workspace of a folder.
func (m *machine) open(dir string) *workspace.Workspace {
	m.t.Helper()
	return m.openWith(m.options(dir))
}

func (m *machine) openWith(o workspace.Options) *workspace.Workspace {
	m.t.Helper()
	w, err := workspace.New(o, redact.New())
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { _ = w.Close() })
	return w
}

// contains fails unless a text contains another one.
func contains(t *testing.T, what, text, want string) {
	t.Helper()
	if !strings.Contains(text, want) {
		t.Errorf("%s: %q lacks %q", what, text, want)
	}
}
