package index_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

func TestErase(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "shard")
	s := index.Open(dir, index.Options{Fingerprint: "f", Now: time.Now})
	if gone, err := s.Erase(t.Context()); !gone || err != nil {
		t.Errorf("a shard that is not there: %v, %v", gone, err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("erasing made a shard")
	}
	all := func(map[string]index.Mark, index.State) (index.Update, error) {
		return index.Update{Docs: func(yield func(index.Doc, error) bool) {
			yield(index.Doc{ID: "memory:p#x", Source: "x.md", Text: "the word is swordfish", Time: time.Unix(1e9, 0)}, nil)
		}}, nil
	}
	for range 2 {
		if _, err := s.Refresh(t.Context(), all); err != nil {
			t.Fatal(err)
		}
		if st, err := s.State(); st != index.Current || err != nil {
			t.Fatalf("state %v, %v", st, err)
		}
		if gone, err := s.Erase(t.Context()); !gone || err != nil {
			t.Fatalf("%v, %v", gone, err)
		}
		left, _ := filepath.Glob(filepath.Join(dir, "*"))
		if st, err := s.State(); st != index.Missing || err != nil || len(left) > 1 {
			t.Errorf("state %v, %v, left %q", st, err, left)
		}
	}
}
