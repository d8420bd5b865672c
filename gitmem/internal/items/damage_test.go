package items_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/items"
	"github.com/gitmem/gitmem/providers"
)

// stride is the step between the damaged places: each of them costs several syncs.
const stride = 9

// copyOf copies the files of a cache.
func copyOf(t *testing.T, c *items.Cache) *items.Cache {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(c.Dir())); err != nil {
		t.Fatal(err)
	}
	return items.Open(dir)
}

func logOf(c *items.Cache, s items.State) string { return filepath.Join(c.Dir(), s.Log) }

// TestCut truncates the log at many places, as a kill or a power failure may. Complete records stay; the cursor stays
// only if all records that it covers are there.
func TestCut(t *testing.T) {
	t.Parallel()
	c := items.Open(t.TempDir())
	fill(t, c, "c1", item(1, "one"), item(2, "two"))
	counts := state(t, c)
	// Records that were appended and not saved, as by a killed process.
	w := writer(t, c)
	put(t, w, item(3, "three"), item(2, "again"))
	if err := w.Save(items.Fetch{Cursor: providers.Cursor{Value: "c2"}}); err != nil {
		t.Fatal(err)
	}
	all := state(t, c).Length
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(c.Dir(), "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	old := items.Open(t.TempDir())
	fill(t, old, "c1", item(1, "one"), item(2, "two"))
	saved, err := os.ReadFile(filepath.Join(old.Dir(), "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	for cut := int64(0); cut <= all; cut += stride {
		for _, st := range [][]byte{before, saved} {
			d := copyOf(t, c)
			if err := errors.Join(os.Truncate(logOf(d, counts), cut), os.WriteFile(filepath.Join(d.Dir(), "state.json"), st,
				0o600)); err != nil {
				t.Fatal(err)
			}
			length := state(t, d).Length
			if n := len(held(t, d)); n > 3 {
				t.Fatalf("cut at %d: %d items are read", cut, n)
			}
			w := writer(t, d)
			lost := cut < length
			if lost != (w.Damaged > 0) || lost != (w.State().Fetch.Cursor.Value == "") {
				t.Fatalf("cut at %d of %d: %d damaged, cursor %q", cut, length, w.Damaged, w.State().Fetch.Cursor.Value)
			}
			put(t, w, item(1, "one"), item(2, "again"), item(3, "three"))
			if err := errors.Join(w.Save(items.Fetch{}), w.Close()); err != nil {
				t.Fatal(err)
			}
			want := map[string]providers.Item{"github:pr:1": item(1, "one"), "github:pr:2": item(2, "again"),
				"github:pr:3": item(3, "three")}
			if diff := cmp.Diff(want, held(t, d)); diff != "" {
				t.Fatalf("cut at %d: %s", cut, diff)
			}
		}
	}
}

// TestFlip inverts many bytes of the log in turn: one item may be lost, none is changed, and the cursor is discarded.
func TestFlip(t *testing.T) {
	t.Parallel()
	c := items.Open(t.TempDir())
	want := map[string]providers.Item{}
	for n := range 3 {
		it := item(n+1, fmt.Sprint("text ", n))
		want[it.ID] = it
		fill(t, c, "c", it)
	}
	s := state(t, c)
	for at := int64(0); at < s.Length; at += stride {
		d := copyOf(t, c)
		b, err := os.ReadFile(logOf(d, s))
		if err != nil {
			t.Fatal(err)
		}
		b[at] ^= 0x04
		if err := os.WriteFile(logOf(d, s), b, 0o600); err != nil {
			t.Fatal(err)
		}
		got := held(t, d)
		if len(got) < 1 {
			t.Fatalf("flip at %d: %d items are left", at, len(got))
		}
		for id, it := range got {
			if diff := cmp.Diff(want[id], it); diff != "" {
				t.Fatalf("flip at %d: %s", at, diff)
			}
		}
		w := writer(t, d)
		if w.Damaged == 0 || w.State().Fetch.Cursor.Value != "" {
			t.Fatalf("flip at %d: %d damaged, cursor %q", at, w.Damaged, w.State().Fetch.Cursor.Value)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, held(t, d)); diff != "" {
			t.Fatalf("flip at %d, written anew: %s", at, diff)
		}
	}
}

// TestLogGone deletes the log, as a user may.
func TestLogGone(t *testing.T) {
	t.Parallel()
	c := items.Open(t.TempDir())
	fill(t, c, "c", item(1, "one"))
	if err := os.Remove(logOf(c, state(t, c))); err != nil {
		t.Fatal(err)
	}
	if n := len(held(t, c)); n != 0 {
		t.Errorf("%d items are read", n)
	}
	w := writer(t, c)
	defer w.Close()
	if w.Damaged != 1 || w.State().Fetch.Cursor.Value != "" {
		t.Errorf("%d damaged, cursor %q", w.Damaged, w.State().Fetch.Cursor.Value)
	}
}

// TestSyncFails: if syncing the log fails, the state must not mention the new items.
func TestSyncFails(t *testing.T) {
	t.Parallel()
	c := items.Open(t.TempDir())
	fill(t, c, "c1", item(1, "one"))
	before := state(t, c)
	full := errors.New("no space left")
	w := writer(t, items.Broken(c, full))
	put(t, w, item(2, "two"))
	if err := w.Save(items.Fetch{Cursor: providers.Cursor{Value: "c2"}}); !errors.Is(err, full) {
		t.Errorf("Save: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, state(t, c)); diff != "" {
		t.Error(diff)
	}
}
