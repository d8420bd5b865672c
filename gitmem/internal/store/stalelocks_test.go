package store_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestDropStaleLocks checks that old locks of references left by git are removed, and no others.
func TestDropStaleLocks(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	now := time.Now()
	for name, left := range map[string]bool{
		"refs/gitmem/synced/origin.lock": false, "refs/gitmem/backup/1.lock": false, "refs/remotes/origin/main.lock": false,
		"packed-refs.lock": false, "refs/heads/main.lock": true, "refs/gitmem/synced/origin": true,
		"refs/gitmem/synced/new.lock": true,
	} {
		write(t, s.GitDir(), name, "x")
		file, age := filepath.Join(s.GitDir(), filepath.FromSlash(name)), 2*time.Minute
		if filepath.Base(name) == "new.lock" {
			age = 0
		}
		if err := os.Chtimes(file, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
		if err := s.DropStaleLocks(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(file); (err == nil) != left {
			t.Errorf("%s: %v, want it left: %v", name, err, left)
		}
	}
}
