package osfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// TestReplace checks that a failed write leaves the file unchanged, without other files beside it.
func TestReplace(t *testing.T) {
	t.Parallel()
	for _, temp := range []string{"", "state.new"} {
		dir := t.TempDir()
		name := filepath.Join(dir, "state")
		if temp != "" {
			temp = filepath.Join(dir, temp)
			if err := os.WriteFile(temp, []byte("left by a killed process"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := osfile.Replace(name, temp, osfile.Bytes([]byte("old"))); err != nil {
			t.Fatal(err)
		}
		full := errors.New("the disk is full")
		err := osfile.Replace(name, temp, func(w io.Writer) error {
			_, _ = w.Write([]byte("ha"))
			return full
		})
		if !errors.Is(err, full) {
			t.Errorf("got %v, want %v", err, full)
		}
		if b, err := os.ReadFile(name); err != nil || string(b) != "old" {
			t.Errorf("the file holds %q, %v", b, err)
		}
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("the file has mode %v, %v", info.Mode(), err)
		}
		if all, err := os.ReadDir(dir); err != nil || len(all) != 1 {
			t.Errorf("the folder holds %v, %v", all, err)
		}
	}
}

func TestLock(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "new", "lock")
	unlock, ok, err := osfile.Lock(name)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if _, ok, err := osfile.Lock(name); ok || err != nil {
		t.Errorf("taken twice: %v, %v", ok, err)
	}
	if locked, err := osfile.IsLocked(name); !locked || err != nil {
		t.Errorf("locked: %v, %v", locked, err)
	}
	unlock()
	if locked, err := osfile.IsLocked(name); locked || err != nil {
		t.Errorf("free: %v, %v", locked, err)
	}
}
