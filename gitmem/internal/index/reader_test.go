package index_test

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

func TestReaderOutlivesItsGeneration(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	w := randomWorld(newRand(1), 3, 40)
	refresh(t, s, w)
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	want := expected(w)
	r := newRand(2)
	for range 3 {
		mutate(r, w)
		refresh(t, s, w)
		if runtime.GOOS != "windows" {
			if left := generations(t, s); len(left) != 1 {
				t.Errorf("generations left: %v", left)
			}
		}
		if diff := cmp.Diff(want, readSnapshot(t, snap)); diff != "" {
			t.Fatalf("the old snapshot changed (-want +got):\n%.2000s", diff)
		}
	}
	check(t, s, w)
}

func TestClosedSnapshot(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	refresh(t, s, randomWorld(newRand(1), 1, 20))
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for {
				err := snap.Postings(t.Context(), index.Text, "relai", func(row int32, _, _ int) { snap.Row(int(row)) })
				if errors.Is(err, index.ErrClosed) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	if err := errors.Join(snap.Close(), snap.Close()); err != nil {
		t.Error(err)
	}
	group.Wait()
	for _, err := range snap.Terms(index.Text, "") {
		if !errors.Is(err, index.ErrClosed) {
			t.Errorf("Terms of a closed snapshot: %v", err)
		}
	}
}

// TestClosedFiles opens snapshots and builds generations that stay reachable: closed ones keep no file mapped, whether
// or not the garbage collector runs.
func TestClosedFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := index.Open(dir, index.Options{})
	w, r := randomWorld(newRand(1), 2, 20), newRand(2)
	var closed []*index.Snapshot
	for range 8 { // some of them join parts
		mutate(r, w)
		refresh(t, s, w)
		snap, err := s.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		closed = append(closed, snap)
		if runtime.GOOS == "linux" && len(mappedBelow(t, dir)) == 0 {
			t.Error("no file of an open snapshot is seen, so that the check below says nothing")
		}
		if err := snap.Close(); err != nil {
			t.Error(err)
		}
	}
	if files := mappedBelow(t, dir); len(files) > 0 {
		t.Errorf("%d files of %d closed snapshots are mapped:\n%s", len(files), len(closed), strings.Join(files, ""))
	}
	runtime.KeepAlive(closed)
}

// mappedBelow returns the mapped files below a folder, if the system lists them.
func mappedBelow(t *testing.T, dir string) (files []string) {
	t.Helper()
	b, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skipf("the system does not tell of mapped files: %v", err)
	}
	for line := range strings.Lines(string(b)) {
		if strings.Contains(line, dir) {
			files = append(files, line)
		}
	}
	return files
}

// TestCloseWithinARead closes a snapshot during a read, which is completed.
func TestCloseWithinARead(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	refresh(t, s, randomWorld(newRand(1), 3, 40))
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	var before, after int
	count := func(n *int) error {
		return snap.Postings(t.Context(), index.Text, "relai", func(row int32, _, _ int) {
			if *n++; n == &after && snap.Row(int(row)).ID == "" {
				t.Error("a row that is read is empty")
			}
			if n == &after {
				_ = snap.Close()
			}
		})
	}
	if err := errors.Join(count(&before), count(&after)); err != nil || before != after || before < 2 {
		t.Errorf("%d postings, %d of a snapshot that is closed meanwhile: %v", before, after, err)
	}
	if err := count(&before); !errors.Is(err, index.ErrClosed) {
		t.Errorf("Postings of a closed snapshot: %v", err)
	}
}

func TestPostingsEndWithTheContext(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	refresh(t, s, randomWorld(newRand(1), 1, 20))
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := snap.Postings(ctx, index.Text, "relai", func(int32, int, int) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("Postings = %v", err)
	}
}

// TestOneWriter stops a build in the middle: a second writer gets an error, and readers use the previous generation.
func TestOneWriter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := index.Open(dir, index.Options{})
	w := randomWorld(newRand(1), 2, 20)
	first := refresh(t, s, w)
	inside, goOn := make(chan struct{}), make(chan struct{})
	extra := index.Doc{ID: "x:1", Source: "x", Text: "late"}
	done := make(chan error, 1)
	go func() {
		_, err := s.Refresh(t.Context(), func(map[string]index.Mark, index.State) (index.Update, error) {
			return index.Update{Docs: func(yield func(index.Doc, error) bool) {
				close(inside)
				<-goOn
				yield(extra, nil)
			}}, nil
		})
		done <- err
	}()
	<-inside
	check(t, s, w)
	w["x"] = []index.Doc{extra}
	for _, wait := range []time.Duration{0, 30 * time.Millisecond} {
		second := index.Open(dir, index.Options{LockWait: wait})
		res := refresh(t, second, w)
		if !res.Busy || res.Rebuilt || res.Generation != first.Generation {
			t.Errorf("second writer, waiting %v = %+v", wait, res)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := index.Open(dir, index.Options{LockWait: time.Hour}).Refresh(ctx, w.plan); !errors.Is(err,
		context.Canceled) {
		t.Errorf("cancelled while waiting: %v", err)
	}
	waiter := make(chan bool, 1)
	go func() {
		res, err := index.Open(dir, index.Options{LockWait: 5 * time.Minute}).Refresh(t.Context(), w.plan)
		waiter <- err == nil && !res.Busy
	}()
	close(goOn)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if !<-waiter {
		t.Error("the patient writer did not get its turn")
	}
	check(t, s, w)
}

// TestReadersBesideWriters opens snapshots as fast as possible while another goroutine replaces generations.
func TestReadersBesideWriters(t *testing.T) {
	t.Parallel()
	s := index.Open(t.TempDir(), index.Options{})
	w := randomWorld(newRand(1), 2, 10)
	refresh(t, s, w)
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for ctx.Err() == nil {
				snap, err := s.Snapshot()
				if err != nil {
					t.Errorf("Snapshot beside a writer: %v", err)
					return
				}
				err = snap.Postings(ctx, index.Text, "relai", func(row int32, _, _ int) { snap.Row(int(row)) })
				if err := errors.Join(err, snap.Close()); err != nil && ctx.Err() == nil {
					t.Errorf("reading beside a writer: %v", err)
					return
				}
			}
		})
	}
	r := newRand(3)
	for range 8 {
		mutate(r, w)
		refresh(t, s, w)
	}
	stop()
	group.Wait()
	check(t, s, w)
}
