package git_test

import (
	"os"
	"path/filepath"
	"testing"
)

// Commits that one query visited are not read again for the next: it succeeds although their objects were
// deleted.
func TestCommitsAreReadOnce(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	first := commit(t, dir, "one", 1)
	run(t, dir, "checkout", "-q", "-b", "side")
	side := commit(t, dir, "two", 2)
	run(t, dir, "checkout", "-q", "main")
	commit(t, dir, "three", 3)
	run(t, dir, "merge", "-q", "--no-ff", "-m", "merge", "side")
	merge := run(t, dir, "rev-parse", "HEAD")
	r := open(t, dir)
	ask := func() [2]string {
		t.Helper()
		by, err := r.MergedBy(t.Context(), side)
		if err != nil {
			t.Fatal(err)
		}
		root, err := r.Root()
		if err != nil {
			t.Fatal(err)
		}
		return [2]string{by, root}
	}
	want := [2]string{merge, first}
	if got := ask(); got != want {
		t.Fatalf("got %v, want %v", got, want)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".git", "objects")); err != nil {
		t.Fatal(err)
	}
	if got := ask(); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
