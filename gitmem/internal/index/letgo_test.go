package index_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Reads return the same data, whenever memory is released.
func TestLetGo(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	w := randomWorld(newRand(7), 3, 40)
	refresh(t, s, w)
	mutate(newRand(8), w) // so that links differ from their file
	refresh(t, s, w)
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				snap.ReleasePages()
			}
		}
	})
	for range 3 {
		if diff := cmp.Diff(expected(w), readSnapshot(t, snap)); diff != "" {
			t.Errorf("(-want +got):\n%.2000s", diff)
		}
	}
	close(done)
	group.Wait()
	snap.ReleasePages()
	if kb := resident(t, snap); kb != 0 {
		t.Errorf("%d KB of rows and terms stayed", kb)
	}
	if snap.Row(0); resident(t, snap) == 0 {
		t.Error("what was read again is not seen in memory, so that the check above says nothing")
	}
}

// resident returns the resident memory of the mapped rows and terms of a snapshot, in KB.
func resident(t *testing.T, snap *index.Snapshot) (kb int) {
	t.Helper()
	b, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skipf("the system does not tell of mapped files: %v", err)
	}
	mapped := snap.Mapped()
	ours := false
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if !strings.HasSuffix(f[0], ":") {
			var begin uint64
			if _, err := fmt.Sscanf(f[0], "%x-", &begin); err != nil {
				t.Fatal(err)
			}
			ours = slices.Contains(mapped, begin)
		}
		if n := 0; ours && f[0] == "Rss:" {
			if _, err := fmt.Sscan(f[1], &n); err != nil {
				t.Fatal(err)
			}
			kb += n
		}
	}
	return kb
}
