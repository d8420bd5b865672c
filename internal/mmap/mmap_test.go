package mmap_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gitmem/gitmem/internal/mmap"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, private := range []bool{true, false} {
		data, release, err := mmap.Open(path, 4, private)
		if err != nil || string(data) != "text" {
			t.Fatalf("private %v: %q, %v", private, data, err)
		}
		if private {
			data[0] = 'n'
		}
		release()
	}
	if b, err := os.ReadFile(path); string(b) != "text" || err != nil {
		t.Errorf("the file has %q, %v", b, err)
	}
	if _, _, err := mmap.Open(path, 3, false); err == nil {
		t.Error("a file that is too large was mapped")
	}
	if _, _, err := mmap.Open(dir, 1<<20, false); err == nil {
		t.Error("a folder was mapped")
	}
}
