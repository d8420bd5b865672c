package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

func TestRevisions(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	put := func(rel, text string) {
		name := filepath.Join(s.Root(), filepath.FromSlash(rel))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	day := func(n int) time.Time { return time.Date(2024, 3, n, 9, 0, 0, 0, time.UTC) }
	commitOn := func(n int) string {
		id, err := s.Commit(t.Context(), store.Change{Subject: "test", Time: day(n)})
		if err != nil || id == "" {
			t.Fatalf("commit %q, %v", id, err)
		}
		return id
	}
	const project = "gitmem/projects/github.com/acme/pump/project.md"
	put("projects/-w-pump/memory/MEMORY.md", "# Notes\n")
	first := commitOn(1)
	put(project, "---\nformat: 1\nremotes:\n  - github.com/acme/pump\nfolders:\n  - 'testhost: /w/pump'\n---\n")
	second := commitOn(3)
	put("gitmem/projects/github.com/acme/pump/tasks.md", "# Tasks\n")

	if _, err := s.RevisionAt(day(1).Add(-time.Second)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("before the first commit: %v", err)
	}
	if _, err := s.Revision("nosuch"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a revision that is not there: %v", err)
	}
	munge := func(folder string) string { return "-" + filepath.Base(folder) }
	for _, tt := range []struct {
		at      int
		commit  string
		files   []string
		project string // of the folder /w/pump, "" for none
	}{
		{1, first, []string{"projects/-w-pump/memory/MEMORY.md"}, ""},
		{2, first, []string{"projects/-w-pump/memory/MEMORY.md"}, ""},
		{9, second, []string{project, "projects/-w-pump/memory/MEMORY.md"}, "github.com/acme/pump"},
	} {
		r, err := s.RevisionAt(day(tt.at))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		entries, err := r.Files()
		var files []string
		for _, e := range entries {
			files = append(files, e.Path)
		}
		if diff := cmp.Diff(tt.files, files); diff != "" || err != nil {
			t.Errorf("day %d: %v, files (-want +got):\n%s", tt.at, err, diff)
		}
		if r.Commit() != tt.commit || r.Newest() != (tt.commit == second) || r.Time().After(day(tt.at)) {
			t.Errorf("day %d: commit %s of %v, newest %v", tt.at, r.Commit(), r.Time(), r.Newest())
		}
		p, ok, err := r.ProjectAt("/w/pump")
		if p.ID != tt.project || ok != (tt.project != "") || err != nil {
			t.Errorf("day %d: ProjectAt is %q, %v, %v", tt.at, p.ID, ok, err)
		}
		byName, err := r.ProjectsByMunged(munge)
		if byName["-pump"] != tt.project || err != nil {
			t.Errorf("day %d: ProjectsByMunged is %v, %v", tt.at, byName, err)
		}
		p, err = r.Project(store.Identity{Remotes: []string{"github.com/acme/pump"}})
		if p.ID != "github.com/acme/pump" || p.Exists != (tt.project != "") || err != nil {
			t.Errorf("day %d: Project is %+v, %v", tt.at, p, err)
		}
	}
}
