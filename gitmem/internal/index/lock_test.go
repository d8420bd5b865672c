package index_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// TestRefreshWaitsForNoLockInVain: a reader waits until the documents that it needs are indexed, and no longer, even if
// the lock is still held.
func TestRefreshWaitsForNoLockInVain(t *testing.T) {
	t.Parallel()
	dir, aside := filepath.Join(t.TempDir(), "shard"), filepath.Join(t.TempDir(), "shard")
	w := world{"a": {{ID: "x:1", Source: "a", Layer: "l", Text: "one"}}}
	if _, err := index.Open(dir, index.Options{}).Refresh(t.Context(), w.plan); err != nil {
		t.Fatal(err)
	}
	w["b"] = []index.Doc{{ID: "x:2", Source: "b", Layer: "l", Text: "two"}}
	res, err := index.Open(aside, index.Options{}).Refresh(t.Context(), w.plan)
	if err != nil {
		t.Fatal(err)
	}
	const next = "g00000002"
	if err := os.Rename(filepath.Join(aside, res.Generation), filepath.Join(dir, next)); err != nil {
		t.Fatal(err)
	}

	unlock, ok, err := osfile.Lock(filepath.Join(dir, "lock"))
	if err != nil || !ok {
		t.Fatalf("lock: %v %v", ok, err)
	}
	defer unlock()
	planned := make(chan struct{}, 9)
	plan := func(marks map[string]index.Mark, st index.State) (index.Update, error) {
		planned <- struct{}{}
		return w.plan(marks, st)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	done := make(chan error, 1)
	var got index.Result
	var snap *index.Snapshot
	go func() {
		var err error
		snap, got, err = index.Open(dir, index.Options{LockWait: 5 * time.Minute}).Fresh(ctx, plan)
		done <- err
	}()
	<-planned // the plan found a missing document, and Fresh waits
	if err := os.WriteFile(filepath.Join(dir, "CURRENT"), []byte(next+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	if got.Busy || got.Generation != next || snap.Live() != 2 {
		t.Errorf("%+v with %d documents, want %s", got, snap.Live(), next)
	}
}

// TestAskingWhetherBusy: Busy does not keep the lock from a writer.
func TestAskingWhetherBusy(t *testing.T) {
	t.Parallel()
	s := index.Open(filepath.Join(t.TempDir(), "shard"), index.Options{})
	if busy, err := s.Busy(); busy || err != nil {
		t.Errorf("nothing there: %v %v", busy, err)
	}
	unlock, ok, err := osfile.Lock(filepath.Join(s.Dir(), "lock"))
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if busy, err := s.Busy(); !busy || err != nil {
		t.Errorf("locked: %v %v", busy, err)
	}
	unlock()
	if busy, err := s.Busy(); busy || err != nil {
		t.Errorf("unlocked: %v %v", busy, err)
	}
}
