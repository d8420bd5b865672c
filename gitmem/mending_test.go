package gitmem_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	zap "github.com/blevesearch/zapx/v17"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// TestDamagedIndexAnswers damages the index of memory in each way: the next question has the same answers and reports
// the repair once, and the one after reports nothing.
func TestDamagedIndexAnswers(t *testing.T) {
	t.Parallel()
	cut := func(b []byte) []byte { return b[:len(b)/2] }
	flip := func(from, end int) func([]byte) []byte {
		return func(b []byte) []byte {
			for i := from; i < len(b)-end; i++ {
				b[i] ^= 0xFF
			}
			return b
		}
	}
	for _, d := range []struct {
		name, file string
		edit       func([]byte) []byte // nil removes the file
		quietly    bool                // size and times are kept
	}{
		{"torn CURRENT", "CURRENT", cut, false},
		{"no generation", "CURRENT", func([]byte) []byte { return []byte("g99999999\n") }, false},
		{"missing segment", "g*/bleve/*.zap", nil, false},
		{"missing rows", "g*/*.rows", nil, false},
		{"torn manifest", "g*/MANIFEST", cut, false},
		{"torn segment", "g*/bleve/*.zap", cut, false},
		{"bytes within a segment", "g*/bleve/*.zap", flip(8, 100), true},
		{"footer of a segment", "g*/bleve/*.zap", flip(100, 0), true},
		{"head of the rows", "g*/*.rows", flip(0, 0), true},
	} {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			c := newChronicle(t)
			for i, text := range []string{"relay one is wired to the pump", "relay two has a fuse"} {
				c.commit("note", map[string]string{string(rune('a'+i)) + ".md": "# Wiring\n\n- " + text + "\n"})
				c.search(c.dir, "relay", gitmem.Filter{}) // one segment after the other
			}
			want := asJSON(t, c.search(c.dir, "relay fuse", gitmem.Filter{}).Hits)
			if !strings.Contains(want, "has a fuse") {
				t.Fatalf("before: %s", want)
			}
			found, err := filepath.Glob(filepath.Join(c.root, "gitmem", ".index", "shards", "memory", d.file))
			if err != nil || len(found) == 0 {
				t.Fatalf("no %s: %v", d.file, err)
			}
			harm(t, found[len(found)-1], d.edit, d.quietly)
			for _, tells := range []int{1, 0} {
				c.warned = nil
				if got := asJSON(t, c.search(c.dir, "relay fuse", gitmem.Filter{}).Hits); got != want {
					t.Errorf("afterwards:\n%s\nwant:\n%s", got, want)
				}
				if n := count(c.warned, "the memory index was damaged"); n != tells || len(c.warned) != tells {
					t.Errorf("told %q, want %d line about the damage", c.warned, tells)
				}
			}
		})
	}
}

// TestDamageFoundByAsk is the same for a question that finds the damage while it is answered.
func TestDamageFoundByAsk(t *testing.T) {
	t.Parallel()
	c := newChronicle(t)
	c.commit("note", map[string]string{"a.md": "# Wiring\n\n- relay one is wired to the pump\n"})
	want := citations(c.ask(c.dir, "what is relay one wired to?", gitmem.Filter{}))
	found, err := filepath.Glob(filepath.Join(c.root, "gitmem", ".index", "shards", "memory", "g*", "bleve", "*.zap"))
	if err != nil || len(found) != 1 || len(want) == 0 {
		t.Fatalf("segments %v, %v; answer %v", found, err, want)
	}
	harm(t, found[0], func(b []byte) []byte {
		for i := 8; i < len(b)-100; i++ {
			b[i] ^= 0xFF
		}
		return b
	}, true)
	got := citations(c.ask(c.dir, "what is relay one wired to?", gitmem.Filter{}))
	if !slices.Equal(got, want) || count(c.warned, "damaged") != 1 {
		t.Errorf("answer %v, want %v; told %q", got, want, c.warned)
	}
}

// TestDamageFoundByWhy: reasons use the index of the history without updating it. If it is damaged they are found
// without it, and the next question repairs it.
func TestDamageFoundByWhy(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t)
	r.commit("2024-02-02", "Bob Example", "valve.c", "Close the valve because it dripped")
	l.search(r.dir, "valve", gitmem.Filter{})
	want := asJSON(t, f.why(l, r.dir, "valve.c:1"))
	var found, noted []string
	for name, into := range map[string]*[]string{"*.zap": &found, "damaged": &noted} {
		must(t, filepath.WalkDir(l.base, func(path string, _ os.DirEntry, err error) error {
			match, _ := filepath.Match(name, filepath.Base(path))
			if err == nil && match && strings.Contains(path, "history-") {
				*into = append(*into, path)
			}
			return err
		}))
	}
	if len(found) != 1 || len(noted) != 0 || !strings.Contains(want, "it dripped") {
		t.Fatalf("segments %v, damage %v, before: %s", found, noted, want)
	}
	seg, err := new(zap.ZapPlugin).Open(found[0])
	must(t, err)
	at, err := seg.(*zap.Segment).DictAddr(string(index.Title)) // not read when it is opened
	must(t, errors.Join(err, seg.Close()))
	harm(t, found[0], func(b []byte) []byte {
		for i := range 40 {
			b[int(at)+i] ^= 0xFF
		}
		return b
	}, true)
	if got := asJSON(t, f.why(l, r.dir, "valve.c:1")); got != want {
		t.Errorf("afterwards:\n%s\nwant:\n%s", got, want)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(filepath.Dir(found[0])), "damaged")); err != nil {
		t.Errorf("the index was not asked: %v", err)
	}
}

func harm(t *testing.T, name string, edit func([]byte) []byte, quietly bool) {
	t.Helper()
	info, err := os.Stat(name)
	must(t, err)
	if edit == nil {
		must(t, os.Remove(name))
		return
	}
	b, err := os.ReadFile(name)
	must(t, err)
	when := info.ModTime()
	if !quietly {
		when = when.Add(time.Second)
	}
	must(t, os.WriteFile(name, edit(b), 0o600))
	must(t, os.Chtimes(name, when, when))
}

func count(lines []string, part string) (n int) {
	for _, s := range lines {
		if strings.Contains(s, part) {
			n++
		}
	}
	return n
}
