package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/google/go-cmp/cmp"
)

func TestInitIsIdempotent(t *testing.T) {
	t.Parallel()
	needGit(t)
	root := filepath.Join(t.TempDir(), "new", "root")
	for i := range 3 {
		s, created, err := store.Init(t.Context(), options(t, root), nil)
		if err != nil || created != (i == 0) || s.GitDir() != filepath.Join(root, ".git") {
			t.Fatalf("round %d: created %v, %v, %v", i, created, s.GitDir(), err)
		}
		if i == 0 {
			commit(t, s, store.Change{})
		}
		checkSound(t, s)
		s.Close()
	}
}

func TestInitKeepsAnIgnoreFile(t *testing.T) {
	t.Parallel()
	needGit(t)
	root := t.TempDir()
	write(t, root, ".gitignore", "mine\n")
	write(t, root, "secret.json", "{}")
	s := initStore(t, root)
	if got := read(t, root, ".gitignore"); got != "mine\n" {
		t.Errorf("got %q", got)
	}
	commit(t, s, store.Change{})
	checkSound(t, s)
}

// snapshotOf lists a folder's files with their contents.
func snapshotOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		files[name] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestInitBesideAnotherRepository(t *testing.T) {
	t.Parallel()
	needGit(t)
	for name, c := range map[string]struct {
		setup func(t *testing.T, top string) (git string) // returns the folder of the other repository
		root  string
		line  string
	}{
		"at the root": {func(t *testing.T, top string) string {
			git(t, top, "init", "-q")
			return filepath.Join(top, ".git")
		}, ".", "/gitmem/"},
		"above": {func(t *testing.T, top string) string {
			git(t, top, "init", "-q")
			return filepath.Join(top, ".git")
		}, "a [b]/.claude", `/a \[b]/.claude/gitmem/`},
		"separate git dir": {separateGitDir, ".claude", "/.claude/gitmem/"},
		"linked worktree":  {linkedWorktree, ".claude", "/.claude/gitmem/"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := filepath.Join(t.TempDir(), "top")
			write(t, top, "dotfile", "x")
			other := c.setup(t, top)
			git(t, top, "add", "dotfile")
			git(t, top, "commit", "-q", "-m", "theirs")
			root := filepath.Join(top, c.root)
			write(t, root, "settings.json", "{}")
			status := git(t, top, "status", "--porcelain", "--untracked-files=all")
			before := snapshotOf(t, other)

			s := initStore(t, root)
			if got, want := s.GitDir(), filepath.Join(root, "gitmem", ".git"); got != want {
				t.Fatalf("got %s, want %s", got, want)
			}
			if err := s.Append("gitmem/profile.md", clean(""), clean("x")); err != nil {
				t.Fatal(err)
			}
			write(t, root, ".gitignore", "theirs\n")
			if _, err := s.Commit(t.Context(), store.Change{Paths: []string{".gitignore"}}); err == nil {
				t.Error("their .gitignore was committed")
			}
			os.Remove(filepath.Join(root, ".gitignore"))
			commit(t, s, store.Change{})
			checkSound(t, s)
			if got := inStore(t, s, "ls-files"); got != "gitmem/profile.md\ngitmem/store.md" {
				t.Errorf("tracked: %s", got)
			}
			checkOther(t, top, other, before, c.line)
			if got := git(t, top, "status", "--porcelain", "--untracked-files=all"); got != status {
				t.Errorf("their status was\n%s\nand is\n%s", status, got)
			}
			again, created, err := store.Init(t.Context(), options(t, root), nil)
			if err != nil || created {
				t.Errorf("again: %v, %v", created, err)
			}
			again.Close()
		})
	}
}

// checkOther checks that a repository has only changed by the lines of our paths.
func checkOther(t *testing.T, top, other string, before map[string]string, line string) {
	t.Helper()
	after := snapshotOf(t, other)
	for name := range after {
		if filepath.Base(name) == "index" { // git status refreshes it
			delete(after, name)
			delete(before, name)
		}
	}
	exclude := filepath.Join(other, "info", "exclude")
	before[exclude] += line + "\n" + strings.TrimSuffix(line, "gitmem/") + "projects/*/memory/\n"
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("their repository changed: %s", diff)
	}
}

func separateGitDir(t *testing.T, top string) string {
	dir := filepath.Join(filepath.Dir(top), "elsewhere")
	git(t, top, "init", "-q", "--separate-git-dir", dir)
	return dir
}

func linkedWorktree(t *testing.T, top string) string {
	main := filepath.Join(filepath.Dir(top), "main")
	git(t, filepath.Dir(top), "init", "-q", main)
	git(t, main, "commit", "-q", "--allow-empty", "-m", "first")
	os.RemoveAll(top)
	git(t, main, "worktree", "add", "-q", top)
	write(t, top, "dotfile", "x")
	return filepath.Join(main, ".git")
}

func TestInitAtOnce(t *testing.T) {
	t.Parallel()
	needGit(t)
	root := t.TempDir()
	var wg sync.WaitGroup
	made := make(chan bool, 8)
	for range 8 {
		wg.Go(func() {
			s, created, err := store.Init(t.Context(), options(t, root), nil)
			if err != nil {
				t.Error(err)
				return
			}
			made <- created
			s.Close()
		})
	}
	wg.Wait()
	close(made)
	n := 0
	for created := range made {
		if created {
			n++
		}
	}
	s := initStore(t, root)
	commit(t, s, store.Change{})
	checkSound(t, s)
	if n != 1 {
		t.Errorf("%d made the repository", n)
	}
	left, err := os.ReadDir(s.IndexDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range left {
		if strings.HasPrefix(d.Name(), "new-") {
			t.Errorf("%s is left", d.Name())
		}
	}
}
