package index_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

func TestRemove(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "shard")
	w := world{"k": {{ID: "a", Source: "k", Text: "relay"}}}
	s := index.Open(dir, index.Options{})
	if gone, err := s.Remove(t.Context()); !gone || err != nil {
		t.Errorf("nothing there: gone %v, %v", gone, err)
	}
	if _, err := s.Refresh(t.Context(), w.plan); err != nil {
		t.Fatal(err)
	}
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	gone, err := s.Remove(t.Context())
	if err != nil || gone != (runtime.GOOS != "windows") {
		t.Errorf("with a reader: gone %v, %v", gone, err)
	}
	if got := snap.Row(0).ID; got != "a" { // a reader keeps its snapshot
		t.Errorf("the open snapshot holds %q", got)
	}
	if err := snap.Close(); err != nil {
		t.Fatal(err)
	}
	if gone, err := s.Remove(t.Context()); !gone || err != nil {
		t.Errorf("without a reader: gone %v, %v", gone, err)
	}
	if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if res, err := s.Refresh(t.Context(), w.plan); err != nil || !res.Rebuilt {
		t.Errorf("after it was removed: %+v, %v", res, err)
	}
}

func TestRemoveLeavesAWriterAlone(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	w := world{"k": {{ID: "a", Source: "k", Text: "relay"}}}
	calls := 0
	_, err := s.Refresh(t.Context(), func(marks map[string]index.Mark, st index.State) (index.Update, error) {
		calls++ // holding the lock, since there is no index yet
		if gone, err := index.Open(s.Dir(), index.Options{}).Remove(t.Context()); gone || err != nil {
			t.Errorf("beside a writer: gone %v, %v", gone, err)
		}
		return w.plan(marks, st)
	})
	if err != nil || calls == 0 {
		t.Fatalf("%d calls, %v", calls, err)
	}
	if st, err := s.State(); err != nil || st != index.Current {
		t.Errorf("the writer's shard is %v, %v", st, err)
	}
}
