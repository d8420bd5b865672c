//go:build unix

package dialect_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// TestContentsOpensNoPipe: reading a pipe could block forever.
func TestContentsOpensNoPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "index.jsonl")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := dialect.Contents(pipe); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("got %v", err)
	}
	if _, err := dialect.Contents(pipe + "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: got %v", err)
	}
}
