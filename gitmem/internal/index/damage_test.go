package index_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// damage changes one file of a shard, found by pattern.
type damage struct {
	name  string
	file  string
	edit  func(b []byte) []byte // nil removes the file
	keeps bool                  // size and mtime stay the same, so that only Verify can find it
}

func cutTo(n func(size int) int) func([]byte) []byte {
	return func(b []byte) []byte { return b[:max(0, n(len(b)))] }
}

func scramble(at func(size int) int, n int) func([]byte) []byte {
	return func(b []byte) []byte {
		b = bytes.Clone(b)
		r := newRand(11)
		start := at(len(b))
		for i := start; i < min(start+n, len(b)); i++ {
			b[i] ^= byte(1 + r.IntN(255))
		}
		return b
	}
}

func half(n int) int       { return n / 2 }
func empty(int) int        { return 0 }
func without100(n int) int { return n - 100 }
func footer(n int) int     { return n - 40 }

func damages() []damage {
	const terms, list, rows, links, live = "g*/bleve/*.zap", "g*/bleve/root.bolt", "g*/*.rows", "g*/links", "g*/live"
	return []damage{
		{"segment cut to half", terms, cutTo(half), false},
		{"segment without its last bytes", terms, cutTo(without100), false},
		{"segment empty", terms, cutTo(empty), false},
		{"segment missing", terms, nil, false},
		{"segment footer", terms, scramble(footer, 40), false},
		{"segment footer, same time", terms, scramble(footer, 40), true},
		{"segment middle", terms, scramble(half, 4096), false},
		{"segment middle, same time", terms, scramble(half, 4096), true},
		{"segment start, same time", terms, scramble(empty, 4096), true},
		{"segment missing its last 20 bytes, same time", terms, cutTo(func(n int) int { return n - 20 }), true},
		{"segment footer's last 20 bytes, same time", terms, scramble(func(n int) int { return n - 20 }, 20), true},
		{"list cut", list, cutTo(half), false},
		{"list empty", list, cutTo(empty), false},
		{"list missing", list, nil, false},
		{"list start, same time", list, scramble(empty, 4096), true},
		{"list middle, same time", list, scramble(half, 4096), true},
		{"docs cut", "g*/docs", cutTo(half), false},
		{"docs missing", "g*/docs", nil, false},
		{"docs scrambled, same time", "g*/docs", scramble(half, 10), true},
		{"rows cut", rows, cutTo(half), false},
		{"rows empty", rows, cutTo(empty), false},
		{"rows missing", rows, nil, false},
		{"rows header, same time", rows, scramble(empty, 200), true},
		{"rows middle, same time", rows, scramble(half, 500), true},
		{"links cut", links, cutTo(half), false},
		{"links missing", links, nil, false},
		{"links header, same time", links, scramble(empty, 20), true},
		{"links middle, same time", links, scramble(func(int) int { return 100 }, 200), true},
		{"live cut", live, cutTo(half), false},
		{"live empty", live, cutTo(empty), false},
		{"live scrambled, same time", live, scramble(half, 10), true},
		{"marks missing", "g*/marks", nil, false},
		{"marks scrambled, same time", "g*/marks", scramble(half, 10), true},
		{"manifest cut", "g*/MANIFEST", cutTo(half), false},
		{"manifest empty", "g*/MANIFEST", cutTo(empty), false},
		{"manifest missing", "g*/MANIFEST", nil, false},
		{"CURRENT torn", "CURRENT", cutTo(half), false},
		{"CURRENT empty", "CURRENT", cutTo(empty), false},
		{"CURRENT nonsense", "CURRENT", func([]byte) []byte { return []byte("../../etc\n") }, false},
		{"CURRENT points nowhere", "CURRENT", func([]byte) []byte { return []byte("g00000099\n") }, false},
	}
}

// do applies the damage to a file of the shard.
func (d damage) do(t *testing.T, s *index.Shard) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(s.Dir(), filepath.FromSlash(d.file)))
	if err != nil || len(found) == 0 {
		t.Fatalf("no file %s: %v", d.file, err)
	}
	path := found[0]
	if d.edit == nil {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		return
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, d.edit(raw), 0o600); err != nil {
		t.Fatal(err)
	}
	when := info.ModTime()
	if !d.keeps {
		when = when.Add(time.Second) // whatever the resolution of the file system's clock
	}
	if err := os.Chtimes(path, when, when); err != nil {
		t.Fatal(err)
	}
}

// readAll reads everything that a snapshot offers; damage may cause errors, but no panic.
func readAll(t *testing.T, s *index.Shard) {
	t.Helper()
	snap, err := s.Snapshot()
	if err != nil {
		if !errors.Is(err, index.ErrCorrupt) {
			t.Errorf("Snapshot = %v, want ErrCorrupt", err)
		}
		return
	}
	defer snap.Close()
	for i := range snap.Rows() {
		snap.Row(i)
		_, _ = snap.Next(i), snap.Prev(i)
		if n := snap.SessionOf(i); n >= 0 {
			snap.SessionTokens(n)
		}
	}
	corrupt := func(what string, err error) {
		if err != nil && !errors.Is(err, index.ErrCorrupt) {
			t.Errorf("%s: %v, want ErrCorrupt", what, err)
		}
	}
	known := index.Terms(strings.Join(vocabulary(), " "))
	for _, f := range allFields() {
		for term, err := range snap.Terms(f, "") {
			corrupt("terms of "+string(f), err)
			known = append(known, term)
		}
		for _, term := range known {
			corrupt("postings of "+string(f), snap.Postings(t.Context(), f, term, func(int32, int, int) {}))
		}
	}
}

func TestDamageIsRebuilt(t *testing.T) {
	t.Parallel()
	for _, d := range damages() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			s := index.Open(t.TempDir(), index.Options{})
			w := randomWorld(newRand(1), 2, 40)
			refresh(t, s, w)
			d.do(t, s)
			st, err := s.State()
			if err != nil || !d.keeps && st != index.Corrupt {
				t.Errorf("State = %v, %v", st, err)
			}
			if !d.keeps {
				readAll(t, s)
			}
			if err := s.Verify(); !errors.Is(err, index.ErrCorrupt) {
				t.Errorf("Verify = %v, want ErrCorrupt", err)
			}
			var seen []index.State
			res, err := s.Refresh(t.Context(), func(m map[string]index.Mark, st index.State) (index.Update, error) {
				if seen = append(seen, st); len(m) > 0 {
					t.Errorf("plan got %d marks of a damaged generation", len(m))
				}
				return w.plan(m, st)
			})
			if err != nil || !res.Rebuilt || res.State != index.Corrupt || len(seen) != 1 || seen[0] != index.Corrupt {
				t.Errorf("Refresh = %+v, %v; plan saw %v", res, err, seen)
			}
			check(t, s, w)
			if err := s.Verify(); err != nil {
				t.Errorf("Verify after the rebuild: %v", err)
			}
		})
	}
}

// TestVerifyFinds damages bytes without changing size and time: only Verify reads all of them.
func TestVerifyFinds(t *testing.T) {
	t.Parallel()
	for _, d := range damages() {
		if !d.keeps {
			continue
		}
		s := index.Open(t.TempDir(), index.Options{})
		refresh(t, s, randomWorld(newRand(1), 2, 40))
		d.do(t, s)
		if err := s.Verify(); !errors.Is(err, index.ErrCorrupt) {
			t.Errorf("%s: Verify = %v, want ErrCorrupt", d.name, err)
		}
		if st, err := s.State(); st != index.Corrupt || err != nil {
			t.Errorf("%s: State after Verify = %v, %v", d.name, st, err)
		}
	}
}

// TestDamageIsNotCarriedOn damages bytes without changing size and time, and then updates.
func TestDamageIsNotCarriedOn(t *testing.T) {
	t.Parallel()
	for _, d := range damages() {
		if !d.keeps || strings.HasPrefix(d.name, "marks") {
			continue // damaged marks are found at once
		}
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			s := index.Open(t.TempDir(), index.Options{})
			w := randomWorld(newRand(1), 2, 40)
			refresh(t, s, w)
			d.do(t, s)
			w["src00"] = w["src00"][:30]
			if res := refresh(t, s, w); !res.Rebuilt || res.State != index.Corrupt || res.Added != 70 {
				t.Errorf("Refresh = %+v", res)
			}
			check(t, s, w)
		})
	}
}

// TestOtherVersion changes the manifest to that of another version.
func TestOtherVersion(t *testing.T) {
	t.Parallel()
	for _, edit := range [][2]string{
		{`"Format": 11`, `"Format": 3`}, {`"Analyzer": "`, `"Analyzer": "x`},
	} {
		s := index.Open(t.TempDir(), index.Options{})
		w := randomWorld(newRand(1), 1, 10)
		refresh(t, s, w)
		damage{file: "g*/MANIFEST", edit: func(b []byte) []byte {
			body := bytes.Replace(b[:len(b)-9], []byte(edit[0]), []byte(edit[1]), 1)
			return index.SealManifest(body)
		}}.do(t, s)
		if st, err := s.State(); st != index.Version || err != nil {
			t.Errorf("%s: State = %v, %v", edit[1], st, err)
		}
		if _, err := s.Snapshot(); !errors.Is(err, index.ErrMissing) {
			t.Errorf("%s: Snapshot = %v, want ErrMissing", edit[1], err)
		}
		if res := refresh(t, s, w); !res.Rebuilt || res.State != index.Version {
			t.Errorf("%s: Refresh = %+v", edit[1], res)
		}
		check(t, s, w)
	}
}

// TestUnreadableIsNotMissing: an unreadable shard is an error and is not rebuilt.
func TestUnreadableIsNotMissing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "CURRENT"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := index.Open(dir, index.Options{})
	if st, err := s.State(); err == nil {
		t.Errorf("State = %v without an error", st)
	}
	if _, err := s.Refresh(t.Context(), world{}.plan); err == nil {
		t.Error("Refresh built over it")
	}
}
