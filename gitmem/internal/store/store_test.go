package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/google/go-cmp/cmp"
)

func TestFindRoot(t *testing.T) {
	t.Parallel()
	home := filepath.FromSlash("/home/me")
	for _, c := range []struct {
		name string
		env  map[string]string
		want string
	}{
		{"default", nil, "/home/me/.claude"},
		{"client", map[string]string{"CLAUDE_CONFIG_DIR": "/c"}, "/c"},
		{"own first", map[string]string{"CLAUDE_CONFIG_DIR": "/c", "GITMEM_HOME": "/g/"}, "/g"},
		{"tilde", map[string]string{"GITMEM_HOME": "~/mem"}, "/home/me/mem"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := store.FindRoot(func(k string) string { return c.env[k] }, home)
			if got != filepath.FromSlash(c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestOpenWithoutStore(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, dir := range []string{root, filepath.Join(root, "missing")} {
		if _, err := store.Open(options(t, dir)); !errors.Is(err, store.ErrNoStore) {
			t.Errorf("%s: got %v, want ErrNoStore", dir, err)
		}
	}
	if entries, _ := os.ReadDir(root); len(entries) > 0 {
		t.Errorf("Open made %v", entries)
	}
}

func TestOpenWithoutRepository(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "gitmem/profile.md", "x\n")
	s, err := store.Open(options(t, root))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.HasRepository() || s.GitDir() != "" {
		t.Error("a repository from nothing")
	}
	if err := s.Append("gitmem/profile.md", clean(""), clean("y")); err != nil {
		t.Error(err)
	}
	if _, err := s.Commit(t.Context(), store.Change{}); !errors.Is(err, store.ErrNoStore) {
		t.Errorf("got %v, want ErrNoStore", err)
	}
}

func TestAppendAndCommit(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, filepath.Join(t.TempDir(), "root"))
	const rel = "gitmem/projects/github.com/acme/pump/tasks.md"
	for i, text := range []string{"one", "two\n", "three"} {
		if err := s.Append(rel, clean("# Tasks"), clean(text)); err != nil {
			t.Fatal(err)
		}
		id := commit(t, s, store.Change{Subject: "Add " + text, Trailers: []string{"Gitmem-Op: note " + text}, Fsync: i == 1})
		if head := inStore(t, s, "rev-parse", "HEAD"); id != head {
			t.Errorf("got %q, HEAD is %s", id, head)
		}
		checkSound(t, s)
	}
	if got, want := read(t, s.Root(), rel), "# Tasks\none\ntwo\nthree\n"; got != want {
		t.Error(cmp.Diff(want, got))
	}
	if id := commit(t, s, store.Change{}); id != "" {
		t.Errorf("nothing differs, but got %s", id)
	}
	want := "Add three\n\nGitmem-Op: note three\n\nAdd two\n\nGitmem-Op: note two\n\nAdd one\n\nGitmem-Op: note one"
	if got := inStore(t, s, "log", "--format=%B"); strings.TrimSpace(got) != want {
		t.Error(cmp.Diff(want, got))
	}
	if got, want := inStore(t, s, "reflog", "--format=%gs"),
		"commit: Add three\ncommit: Add two\ncommit (initial): Add one"; got != want {
		t.Error(cmp.Diff(want, got))
	}
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files have no such permissions here")
	}
	root := filepath.Join(t.TempDir(), "root")
	s := initStore(t, root)
	if err := s.Append("gitmem/a/b.md", clean(""), clean("x")); err != nil {
		t.Fatal(err)
	}
	commit(t, s, store.Change{})
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, _ error) error {
		fi, err := d.Info()
		if err == nil && fi.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is open to others: %v", name, fi.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
