package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/google/go-cmp/cmp"
)

// placesStore returns a store with projects whose folders are listed in every way.
func placesStore(t *testing.T) *store.Store {
	t.Helper()
	s := initStore(t, t.TempDir())
	for dir, folders := range map[string]string{
		"h.org/a/pump": "remotes: [h.org/a/pump]\nfolders: ['testhost: /home/me/pump', '/mnt/any/pump', 'other: " +
			"/home/you/pump', 'other: /both']",
		"h.org/c/reused": "remotes: [h.org/c/reused]\nfolders: ['testhost: /srv/reused']",
		"h.org/d/reused": "remotes: [h.org/d/reused]\nfolders: ['testhost: /srv/reused']", // no id is right for both
		"h.org/b/radio": "remotes: [h.org/b/radio]\nfolders:\n  - testhost: /home/me/radio\n  - testhost: /both\n" +
			"  - unknown: /srv/radio/\n  - other: /home/me-pump",
		"path/0123":    "folders: ['testhost: /home/me/pump', 'testhost: /home/me/alone']",
		"path/4567":    "folders: ['testhost: /home/me/radio']",
		"h.org/c/none": "remotes: [h.org/c/none]",
	} {
		write(t, s.Root(), "gitmem/projects/"+dir+"/project.md", "---\n"+folders+"\n---\n")
	}
	return s
}

func TestProjectAt(t *testing.T) {
	t.Parallel()
	s := placesStore(t)
	for folder, want := range map[string]string{
		"/home/me/pump":     "h.org/a/pump", // also the folder of a project without remote and root commit
		"/home/me/radio":    "h.org/b/radio",
		"/mnt/any/pump":     "h.org/a/pump",
		"/srv/radio":        "h.org/b/radio",
		"/home/me/radio/":   "h.org/b/radio",
		"/home/me/alone":    "path/0123",
		"/both":             "h.org/b/radio",
		"/home/you/pump":    "", // another machine's
		"/home/me":          "",
		"/home/me/pump/sub": "",
		"":                  "",
	} {
		p, ok, err := s.ProjectAt(folder)
		if err != nil || ok != (want != "") || p.ID != want {
			t.Errorf("%q: got %q, %v, %v, want %q", folder, p.ID, ok, err, want)
		}
		if ok && (!p.Exists || p.Dir == "" || len(p.Checkouts) == 0) {
			t.Errorf("%q: incomplete: %+v", folder, p)
		}
	}
}

func TestProjectAtSeesNewProjects(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	id := store.Identity{Remotes: []string{"h.org/a/b"}, Folder: "/x"}
	for range 2 {
		if p, ok, err := s.ProjectAt("/x"); ok || err != nil {
			t.Errorf("got %+v, %v", p, err)
		}
		project(t, s, id, false)
	}
	project(t, s, id, true)
	p, ok, err := s.ProjectAt("/x")
	if !ok || err != nil || p.ID != "h.org/a/b" {
		t.Fatalf("got %+v, %v, %v", p, ok, err)
	}
	// The caller owns the returned value.
	p.Checkouts[0].Path = "/changed"
	if p, _, _ := s.ProjectAt("/x"); p.Checkouts[0].Path != "/x" {
		t.Error("the memory of the store was changed from outside")
	}
	id.Folder = "/y"
	project(t, s, id, true)
	if _, ok, _ := s.ProjectAt("/y"); !ok {
		t.Error("a new folder is not found")
	}
}

// TestProjectAtReadsOnce deletes the files after the first call.
func TestProjectAtReadsOnce(t *testing.T) {
	t.Parallel()
	s := placesStore(t)
	if _, ok, err := s.ProjectAt("/home/me/pump"); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := os.Remove(filepath.Join(s.Root(), "gitmem/projects/h.org/a/pump/project.md")); err != nil {
		t.Fatal(err)
	}
	if p, _, err := s.ProjectAt("/mnt/any/pump"); p.ID != "h.org/a/pump" || err != nil {
		t.Errorf("read again: %q, %v", p.ID, err)
	}
}

func TestProjectsByMunged(t *testing.T) {
	t.Parallel()
	s := placesStore(t)
	munge := func(folder string) string { return strings.ReplaceAll(folder, "/", "-") }
	got, err := s.ProjectsByMunged(munge)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"-home-me-pump":  "h.org/a/pump", // not the other machine's /home/me-pump
		"-home-me-radio": "h.org/b/radio",
		"-home-me-alone": "path/0123",
		"-mnt-any-pump":  "h.org/a/pump",
		"-srv-radio":     "h.org/b/radio",
		"-home-you-pump": "h.org/a/pump",
		"-both":          "h.org/b/radio",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkProjectAt(b *testing.B) {
	s := initStore(b, b.TempDir())
	for i := range 1000 {
		write(b, s.Root(), fmt.Sprintf("gitmem/projects/h.org/a/p%d/project.md", i),
			fmt.Sprintf("---\nremotes: [h.org/a/p%d]\nfolders: ['testhost: /w/p%d']\n---\n", i, i))
	}
	for b.Loop() {
		if _, ok, err := s.ProjectAt("/w/p77"); !ok || err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstProjectAt measures the cost for a short-lived process, with 1,000 projects.
func BenchmarkFirstProjectAt(b *testing.B) {
	root := b.TempDir()
	initStore(b, root)
	for i := range 1000 {
		write(b, root, fmt.Sprintf("gitmem/projects/h.org/a/p%d/project.md", i),
			fmt.Sprintf("---\nremotes: [h.org/a/p%d]\nfolders: ['testhost: /w/p%d']\n---\n", i, i))
	}
	for b.Loop() {
		s, err := store.Open(options(b, root))
		if err != nil {
			b.Fatal(err)
		}
		if _, ok, err := s.ProjectAt("/w/p77"); !ok || err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}
