package index_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

func TestMoveTo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open := func(name string) *index.Shard {
		return index.Open(filepath.Join(dir, name), index.Options{Now: func() time.Time { return time.Unix(0, 0) }})
	}
	w := world{"k": {{ID: "a", Source: "k", Text: "relay"}}}
	if moved, err := open("from").MoveTo(t.Context(), filepath.Join(dir, "to")); moved || err != nil {
		t.Fatalf("nothing there: moved %v, %v", moved, err)
	}
	if _, err := open("from").Refresh(t.Context(), w.plan); err != nil {
		t.Fatal(err)
	}
	if moved, err := open("from").MoveTo(t.Context(), filepath.Join(dir, "deep", "to")); !moved || err != nil {
		t.Fatalf("moved %v, %v", moved, err)
	}
	res, err := open("deep/to").Refresh(t.Context(), w.plan)
	if err != nil || res.Rebuilt || res.State != index.Current {
		t.Errorf("the moved shard should be current: %+v, %v", res, err)
	}
	if _, err := open("from").Refresh(t.Context(), w.plan); err != nil {
		t.Fatal(err)
	}
	if moved, err := open("from").MoveTo(t.Context(), filepath.Join(dir, "deep", "to")); moved || err != nil {
		t.Errorf("a shard is there already: moved %v, %v", moved, err)
	}
}
