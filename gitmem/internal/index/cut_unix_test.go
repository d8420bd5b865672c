//go:build unix

package index_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// A file that is truncated while it is being opened counts as damage and does not end the process, whichever goroutine
// opens it.
func TestOpenWhileCut(t *testing.T) {
	t.Parallel()
	s, _ := grown(t, index.Options{ReadOnly: true})
	names, err := filepath.Glob(filepath.Join(s.Dir(), "g*", "*.rows"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	whole, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(names[0])
	if err != nil {
		t.Fatal(err)
	}
	ended, cutting := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(cutting)
		for {
			select {
			case <-ended:
				return
			default:
			}
			err := errors.Join(os.Truncate(names[0], 0), os.WriteFile(names[0], whole, 0o600),
				os.Chtimes(names[0], info.ModTime(), info.ModTime()))
			if err != nil {
				t.Error(err)
				return
			}
		}
	}()
	defer func() {
		close(ended)
		<-cutting
	}()
	for range 2000 {
		snap, err := s.Snapshot()
		if (snap == nil) == (err == nil) {
			t.Fatalf("%v, %v", snap, err)
		}
	}
}
