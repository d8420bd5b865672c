package forget_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/forget"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/gitmem/internal/workspace/workspacetest"
)

// memory has a store and is used from a folder outside any repository.
type memory struct {
	*workspacetest.Machine
	t   *testing.T
	dir string
}

func newMemory(t *testing.T) *memory {
	t.Helper()
	m := &memory{Machine: workspacetest.New(t), t: t}
	m.dir = m.Mkdir(filepath.Join(m.Home, "pump"))
	w, _ := m.open()
	if _, err := w.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	return m
}

// open opens the memory for one call.
func (m *memory) open() (*workspace.Workspace, *forget.Forgetter) {
	m.t.Helper()
	w := m.Open(m.Options(m.dir))
	src := ingest.New(w)
	m.t.Cleanup(func() { _ = errors.Join(src.Close(), w.Close()) })
	return w, forget.New(w, src, query.New(w, src, &search.Ranker{}))
}

// plan returns what would be forgotten.
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

// rel returns the path below the root of a file in the folder's memory.
func (m *memory) rel(name string) string {
	return "projects/" + transcript.ProjectFolder(m.dir) + "/memory/" + name
}

// commit writes files below the root and commits them.
func (m *memory) commit(files map[string]string) {
	m.t.Helper()
	for rel, text := range files {
		m.Write(m.InRoot(rel), text)
	}
	w, _ := m.open()
	if _, err := w.Store.Commit(m.t.Context(), store.Change{Subject: "write", Time: m.Now}); err != nil {
		m.t.Fatal(err)
	}
}
