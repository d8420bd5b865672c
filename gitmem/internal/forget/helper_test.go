package forget_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/forget"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// memory is one with a store, which is asked from a folder outside any repository.
type memory struct {
	t         *testing.T
	home, dir string
	now       time.Time
	env       map[string]string
}

func newMemory(t *testing.T) *memory {
	t.Helper()
	m := &memory{t: t, home: workspace.RealPath(t.TempDir()), now: time.Date(2025, 3, 10, 12, 0, 0, 0, time.UTC), env: map[string]string{}}
	m.dir = filepath.Join(m.home, "pump")
	if err := os.MkdirAll(m.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	w, _ := m.open()
	if _, err := w.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	return m
}

// open is the memory of one call.
func (m *memory) open() (*workspace.Workspace, *forget.Forgetter) {
	m.t.Helper()
	w, err := workspace.New(workspace.Options{
		Dir: m.dir, Home: m.home, CacheDir: filepath.Join(m.home, "cache"), LockWait: 5 * time.Minute, Machine: "bench",
		Now: func() time.Time { return m.now }, Getenv: func(name string) string { return m.env[name] }, Warn: func(string) {},
	}, redact.New())
	if err != nil {
		m.t.Fatal(err)
	}
	src := ingest.New(w)
	m.t.Cleanup(func() { _ = errors.Join(src.Close(), w.Close()) })
	return w, forget.New(w, src, query.New(w, src, &search.Ranker{}))
}

// plan is what would be forgotten.
func (m *memory) plan(history bool, what ...string) (*forget.Forgetting, error) {
	m.t.Helper()
	_, fg := m.open()
	return fg.PlanForget(m.t.Context(), what, history)
}

// forget forgets what a plan finds.
func (m *memory) forget(history bool, what ...string) forget.Forgotten {
	m.t.Helper()
	_, fg := m.open()
	f, err := fg.PlanForget(m.t.Context(), what, history)
	if err != nil {
		m.t.Fatal(err)
	}
	done, err := fg.Do(m.t.Context(), f)
	if err != nil {
		m.t.Fatal(err)
	}
	return done
}

func (m *memory) path(rel string) string {
	return filepath.Join(m.home, ".claude", filepath.FromSlash(rel))
}

// rel is the path below the root of a file in the folder's memory.
func (m *memory) rel(name string) string {
	return "projects/" + transcript.ProjectFolder(m.dir) + "/memory/" + name
}

func (m *memory) write(name, text string) string {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
	return name
}

func (m *memory) read(name string) string {
	m.t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		m.t.Fatal(err)
	}
	return string(b)
}

// commit writes files below the root and commits them.
func (m *memory) commit(files map[string]string) {
	m.t.Helper()
	for rel, text := range files {
		m.write(m.path(rel), text)
	}
	w, _ := m.open()
	if _, err := w.Store.Commit(m.t.Context(), store.Change{Subject: "write", Time: m.now}); err != nil {
		m.t.Fatal(err)
	}
}
