package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/google/go-cmp/cmp"
)

// TestRemoteComesToLocalProject has a project from before its first remote.
func TestRemoteComesToLocalProject(t *testing.T) {
	t.Parallel()
	const remote = "github.com/acme/pump"
	dir := "gitmem/projects/local/" + rootCommit
	for name, file := range map[string]string{
		"made":       "",
		"lists":      "---\nroots:\n  - \"" + rootCommit + "\"\n---\n",
		"only named": "---\nfolders: []\n---\n", // the lists may have been edited
		"no lists":   "by hand\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := initStore(t, t.TempDir())
			if file == "" {
				project(t, s, store.Identity{Root: rootCommit, Folder: "/x"}, true)
			} else {
				write(t, s.Root(), dir+"/project.md", file)
			}
			before := read(t, s.Root(), dir+"/project.md")
			id := store.Identity{Remotes: []string{remote}, Root: rootCommit, Folder: "/x"}
			found := project(t, s, id, false)
			if found.ID != "local/"+rootCommit || found.Dir != dir || read(t, s.Root(), dir+"/project.md") != before {
				t.Errorf("found %+v", found)
			}
			got := project(t, s, id, true)
			want := store.Project{ID: "local/" + rootCommit, Dir: dir, Exists: true, Remotes: []string{remote},
				Roots: []string{rootCommit}, Checkouts: []store.Checkout{{Machine: "testhost", Path: "/x"}}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			// From now on the remote alone leads to it, and so does the root commit.
			for _, id := range []store.Identity{{Remotes: []string{remote}}, {Root: rootCommit}} {
				if p := project(t, s, id, true); p.Dir != dir {
					t.Errorf("%v leads to %s", id, p.Dir)
				}
			}
			if _, err := os.Stat(filepath.Join(s.Root(), "gitmem/projects/github.com")); err == nil {
				t.Error("a second folder was made")
			}
			if all, err := s.Projects(); len(all) != 1 || err != nil {
				t.Errorf("projects: %v, %v", all, err)
			}
		})
	}
}

func TestNewProjectListsRemotesAndRoot(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	id := store.Identity{Remotes: []string{"h.org/a/b", "h.org/c/d"}, Root: rootCommit, Folder: "/x"}
	p := project(t, s, id, true)
	want := store.Project{ID: "h.org/a/b", Dir: "gitmem/projects/h.org/a/b", Exists: true, Remotes: id.Remotes,
		Roots: []string{rootCommit}, Checkouts: []store.Checkout{{Machine: "testhost", Path: "/x"}}}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Error(diff)
	}
	// The same checkout after its remote was renamed.
	renamed := project(t, s, store.Identity{Remotes: []string{"h.org/new/b"}, Root: rootCommit, Folder: "/x"}, true)
	want.Remotes = append(want.Remotes, "h.org/new/b")
	if diff := cmp.Diff(want, renamed); diff != "" {
		t.Error(diff)
	}
}

// TestRootsOutliveTheRedactor has root commits of various forms: an id that a rule considered a secret would be lost,
// and a file with one held back.
func TestRootsOutliveTheRedactor(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	for i := range 60 {
		root := fmt.Sprintf("%08x%032x", uint32(i)*2654435761, uint64(i+1)*0x9e3779b97f4a7c15)
		id := store.Identity{Root: root, Folder: fmt.Sprint("/x", i)}
		if i%2 == 0 {
			id.Remotes = []string{fmt.Sprint("h.org/a/b", i)}
		}
		if p := project(t, s, id, true); len(p.Roots) != 1 || p.Roots[0] != root {
			t.Errorf("%s became %v", root, p.Roots)
		}
	}
	commit(t, s, store.Change{})
	if got := held(t, s); len(got) > 0 {
		t.Errorf("held: %v", got)
	}
	checkSound(t, s)
}

// TestFolderDecidesOnlyForUnnamed has lists emptied by hand: the id still names a repository, and another one in the
// same folder is another project.
func TestFolderDecidesOnlyForUnnamed(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"h.org/a/b", "local/" + rootCommit} {
		s := initStore(t, t.TempDir())
		write(t, s.Root(), "gitmem/projects/"+dir+"/project.md", "---\nfolders: ['testhost: /x']\n---\n")
		p := project(t, s, store.Identity{Remotes: []string{"h.org/other"}, Folder: "/x"}, true)
		if p.ID != "h.org/other" {
			t.Errorf("taken for %s", p.ID)
		}
	}
}
