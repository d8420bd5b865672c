//go:build unix

package git_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/gitmem/gitmem/providers/git"
)

// TestPipesInsteadOfFiles replaces each file of a repository that is read with a pipe without a writer:
// opening it would block for ever.
func TestPipesInsteadOfFiles(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"HEAD", "config", "config.worktree", "shallow", "commondir", "packed-refs", "refs/heads/main", "reftable/tables.list",
		"objects/info/alternates", "objects/pack", "objects/pack/pack-1.idx", "commit", ".git",
	} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			dir := newRepo(t)
			head := commitFile(t, dir, "a.txt", "a", "First", 0)
			path := filepath.Join(dir, ".git", filepath.FromSlash(name))
			switch name {
			case "commit":
				path = filepath.Join(dir, ".git", "objects", head[:2], head[2:])
			case "config.worktree":
				run(t, dir, "config", "extensions.worktreeConfig", "true")
			case ".git":
				path = filepath.Join(dir, ".git")
			case "objects/pack/pack-1.idx":
				writeFile(t, dir, ".git/objects/pack/pack-1.pack", "PACK")
			}
			if err := errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Dir(path), 0o755),
				syscall.Mkfifo(path, 0o644)); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- lookOver(t, dir) }()
			select {
			case err := <-done:
				t.Logf("%v", err)
			case <-time.After(5 * time.Minute):
				f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0) // releases the reader
				t.Errorf("a pipe holds its reader: %v", err)
				_ = f.Close()
			}
		})
	}
}

// lookOver reads what a hook or an indexer reads from a repository.
func lookOver(t *testing.T, dir string) error {
	loc, err := git.Discover(dir, nil)
	if err != nil {
		return err
	}
	r, err := git.Open(loc)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err1 := r.Remotes()
	_, err2 := r.Root()
	_, err3 := r.Tags()
	_, err4 := r.Commit("HEAD")
	return errors.Join(err1, err2, err3, err4)
}

// TestReadFile reads regular files up to a size.
func TestReadFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "config")
	writeFile(t, dir, "config", "12345")
	if b, err := git.ReadFile(name, 5); err != nil || string(b) != "12345" {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := git.ReadFile(name, 4); !errors.Is(err, git.ErrTooLarge) {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := git.ReadFile(os.DevNull, 4); err == nil {
		t.Errorf("of a device: %q", b)
	}
	if _, err := git.ReadFile(name+"x", 4); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of nothing: %v", err)
	}
}
