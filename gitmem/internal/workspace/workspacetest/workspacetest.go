// Package workspacetest creates an empty home for tests, and opens workspaces in it. It does not know the layers above
// the workspace: their tests open what they need from its results.
package workspacetest

import (
	"os"
	"path/filepath"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// TB is the part of [testing.TB] that is used.
type TB interface {
	Helper()
	Fatal(args ...any)
	TempDir() string
}

// Machine is an empty home with an environment, a clock, and the warnings of the workspaces on it.
type Machine struct {
	Home   string
	Now    time.Time // 2025-03-10, noon UTC, until a test changes it
	Env    map[string]string
	Warned []string

	t TB
}

// New returns a machine with an empty home.
func New(t TB) *Machine {
	t.Helper()
	now := time.Date(2025, 3, 10, 12, 0, 0, 0, time.UTC)
	return &Machine{t: t, Home: workspace.RealPath(t.TempDir()), Now: now, Env: map[string]string{}}
}

// Options returns the options for a workspace of a folder.
func (m *Machine) Options(dir string) workspace.Options {
	return workspace.Options{
		Dir: dir, Home: m.Home, CacheDir: filepath.Join(m.Home, "cache"), Machine: "bench", LockWait: 5 * time.Minute,
		Now: func() time.Time { return m.Now }, Getenv: func(name string) string { return m.Env[name] },
		Warn: func(text string) { m.Warned = append(m.Warned, text) },
	}
}

// Open returns a workspace, which the caller need not close.
func (m *Machine) Open(o workspace.Options) *workspace.Workspace {
	m.t.Helper()
	w, err := workspace.New(o, redact.New())
	if err != nil {
		m.t.Fatal(err)
	}
	return w
}

// Mkdir creates a folder with its parents, and returns its name.
func (m *Machine) Mkdir(name string) string {
	m.t.Helper()
	if err := os.MkdirAll(name, 0o700); err != nil {
		m.t.Fatal(err)
	}
	return name
}

// Write writes a file, creating its folders, and returns its name.
func (m *Machine) Write(name, text string) string {
	m.t.Helper()
	m.Mkdir(filepath.Dir(name))
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
	return name
}

// Read returns the text of a file.
func (m *Machine) Read(name string) string {
	m.t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		m.t.Fatal(err)
	}
	return string(b)
}

// InRoot returns the path of a file given relative to the root of memory.
func (m *Machine) InRoot(rel string) string {
	return filepath.Join(m.Home, ".claude", filepath.FromSlash(rel))
}

// Configure writes the configuration of memory.
func (m *Machine) Configure(text string) {
	m.t.Helper()
	m.Write(m.InRoot("gitmem/local.yaml"), text)
}

// Repository creates a repository without commits in the home, with a remote unless that is "", and returns its folder.
func (m *Machine) Repository(rel, remote string) string {
	m.t.Helper()
	dir := filepath.Join(m.Home, filepath.FromSlash(rel))
	m.Mkdir(filepath.Join(dir, ".git", "objects"))
	m.Mkdir(filepath.Join(dir, ".git", "refs", "heads"))
	m.Write(filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
	if remote != "" {
		config += "[remote \"origin\"]\n\turl = " + remote + "\n"
	}
	m.Write(filepath.Join(dir, ".git", "config"), config)
	return dir
}
