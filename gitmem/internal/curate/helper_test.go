package curate_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/curate"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/gitmem/internal/workspace/workspacetest"
)

const secret = "ghp_9dKq3Zr7Wm2Xt5Vb8Nc1Lf4Hs6Jy0Pa3Tg7Q"

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
func (m *memory) open() (*workspace.Workspace, *curate.Editor) {
	m.t.Helper()
	w := m.Open(m.Options(m.dir))
	src := ingest.New(w)
	m.t.Cleanup(func() { _ = errors.Join(src.Close(), w.Close()) })
	return w, curate.New(w, src, query.New(w, src, &search.Ranker{}))
}

func (m *memory) editor() *curate.Editor { _, ed := m.open(); return ed }

// rel returns the path below the root of a file in the folder's memory.
func (m *memory) rel(name string) string {
	return "projects/" + transcript.ProjectFolder(m.dir) + "/memory/" + name
}

// commit writes files of the folder's memory, deletes those without text, and returns the commit of all changes.
func (m *memory) commit(subject string, files map[string]string) string {
	m.t.Helper()
	for name, text := range files {
		if text != "" {
			m.Write(m.InRoot(m.rel(name)), text)
		} else if err := os.Remove(m.InRoot(m.rel(name))); err != nil {
			m.t.Fatal(err)
		}
	}
	w, _ := m.open()
	id, err := w.Store.Commit(m.t.Context(), store.Change{Subject: subject, Time: m.Now})
	if err != nil {
		m.t.Fatal(err)
	}
	return id
}

// files returns the texts of the folder's memory.
func (m *memory) files() map[string]string {
	m.t.Helper()
	out := map[string]string{}
	found, err := filepath.Glob(m.InRoot(m.rel("*.md")))
	if err != nil {
		m.t.Fatal(err)
	}
	for _, name := range found {
		out[filepath.Base(name)] = m.Read(name)
	}
	return out
}

func contains(t *testing.T, what, text, want string) {
	t.Helper()
	if !strings.Contains(text, want) {
		t.Errorf("%s: %q lacks %q", what, text, want)
	}
}

// refuses fails unless an error wraps another one and contains some words.
func refuses(t *testing.T, what string, err, want error, words string) {
	t.Helper()
	r, ok := errors.AsType[*messages.Refusal](err)
	if !ok || want != nil && !errors.Is(err, want) {
		t.Errorf("%s: the error is %v", what, err)
		return
	}
	contains(t, what, r.Reason, words)
}
