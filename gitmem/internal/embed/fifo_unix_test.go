//go:build unix

package embed_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/embed"
)

// TestImportOfAPipe: a pipe is refused, since reading it may never end.
func TestImportOfAPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "model.safetensors"), 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := embed.Import(t.Context(), dir, t.TempDir(), "pipe")
	if err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("%v", err)
	}
}
