package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// gitIndexes returns index files that the real git made.
func gitIndexes(tb testing.TB) [][]byte {
	if _, err := exec.LookPath("git"); err != nil {
		return nil
	}
	var out [][]byte
	for _, steps := range [][]string{
		{"add a b c/d c/e/f"}, {"add a c/e/f", "commit -q -m x"}, {"add -N a", "add b"}, {"add a b c/d c/e/f", "update-index --index-version=4"},
		{"add a b c/d c/e/f", "commit -q -m x", "update-index --split-index"}, {"update-index --force-untracked-cache", "add a b", "status"},
	} {
		dir := tb.TempDir()
		run(tb, dir, "init", "-q")
		for _, name := range []string{"a", "b", "c/d", "c/e/f"} {
			_ = os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700)
			if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
				tb.Fatal(err)
			}
		}
		for _, step := range steps {
			var args []string
			for _, f := range bytes.Fields([]byte(step)) {
				args = append(args, string(f))
			}
			run(tb, dir, args...)
		}
		b, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

func run(tb testing.TB, dir string, args ...string) {
	tb.Helper()
	cmd := exec.CommandContext(context.Background(), "git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@x"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// FuzzIndexFile checks that the parser survives anything, that what it reads
// of versions 2 and 3 is written back as it was, and that version 4 says the
// same when it is written in another version.
func FuzzIndexFile(f *testing.F) {
	for _, b := range gitIndexes(f) {
		f.Add(b)
		f.Add(resum(bytes.Clone(b[:len(b)-20])))
	}
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		check := func(b []byte) {
			ix, err := parseIndex(b)
			if err != nil {
				return
			}
			checkIndex(t, ix, b)
		}
		check(b)
		if len(b) > 20 { // let changed bytes pass the checksum
			check(resum(b[:len(b)-20]))
		}
	})
}

func resum(body []byte) []byte {
	return append(bytes.Clone(body), make([]byte, 20)...) // zero: index.skipHash
}

func checkIndex(t *testing.T, ix *indexFile, b []byte) {
	t.Helper()
	checkInPlace(t, bytes.Clone(b))
	b = bytes.Clone(b) // ix writes to it
	ix.changed, ix.moved = true, true
	got := ix.bytes()
	version := binary.BigEndian.Uint32(b[4:])
	if version < 4 && (version == 2 || ix.extended) && !bytes.Equal(got, b) {
		t.Fatalf("version %d:\n%x\nbecame\n%x", version, b, got)
	}
	again, err := parseIndex(got)
	if err != nil {
		t.Fatalf("can't read what was written: %v\n%x", err, got)
	}
	if len(again.entries) != len(ix.entries) {
		t.Fatalf("%d entries became %d", len(ix.entries), len(again.entries))
	}
	for i, e := range ix.entries {
		if !bytes.Equal(e.raw, again.entries[i].raw) || !bytes.Equal(e.name, again.entries[i].name) {
			t.Fatalf("entry %d: %q became %q", i, e.name, again.entries[i].name)
		}
	}
	for _, x := range ix.exts {
		if tree := parseCacheTree(x.data); x.sig == "TREE" && tree != nil {
			if again := parseCacheTree(tree.render(nil)); again == nil {
				t.Fatal("can't read the TREE that was written")
			}
		}
	}
	ix.edit([]indexChange{{"c", entryPointer("c")}, {"gitmem/a.md", entryPointer("gitmem/a.md")}, {"a", nil}})
	ix.setCacheTree(map[string]dirChange{"": {}, "gitmem/": {}}, []string{"a"}, func() *cacheTree { return nil })
	if _, err := parseIndex(ix.bytes()); err != nil {
		t.Fatalf("can't read what was edited: %v", err)
	}
}

// checkInPlace says that entries that are written over where they lie make the
// same file as entries that are all put together anew.
func checkInPlace(t *testing.T, b []byte) {
	t.Helper()
	edited := func(moved bool) []byte {
		ix, err := parseIndex(bytes.Clone(b))
		if err != nil {
			t.Fatal(err)
		}
		var changes []indexChange
		for i, e := range ix.entries {
			if path := string(e.name); i%2 == 0 && e.stage() == 0 {
				changes = append(changes, indexChange{path, entryPointer(path)})
			}
		}
		ix.smudge(time.Unix(1e9, 0))
		ix.edit(changes)
		ix.moved = ix.moved || moved
		ix.setCacheTree(nil, nil, func() *cacheTree { return nil })
		return ix.bytes()
	}
	if got, want := edited(false), edited(true); !bytes.Equal(got, want) {
		t.Fatalf("in place:\n%x\nanew:\n%x", got, want)
	}
}

func entryPointer(path string) *indexEntry {
	e := newEntry(path, modeFile, hash{1}, nil)
	return &e
}

func TestIndexRoundTrip(t *testing.T) {
	t.Parallel()
	for i, b := range gitIndexes(t) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			ix, err := parseIndex(b)
			if err != nil {
				t.Logf("left to git: %v", err)
				return
			}
			if len(ix.entries) == 0 {
				t.Error("no entries")
			}
			checkIndex(t, ix, b)
		})
	}
}

// TestIndexKeepsExtensions puts an extension before one that lies in the bytes
// that are written over.
func TestIndexKeepsExtensions(t *testing.T) {
	t.Parallel()
	undo := bytes.Repeat([]byte("resolve undo "), 10)
	made := &indexFile{version: 2, changed: true, entries: []indexEntry{*entryPointer("a")}, exts: []indexExt{{"REUC", undo}}}
	ix, err := parseIndex(append(make([]byte, 0, 1<<12), made.bytes()...))
	if err != nil {
		t.Fatal(err)
	}
	ix.edit([]indexChange{{"a", entryPointer("a")}})
	ix.exts = append([]indexExt{{"TREE", []byte("\x00-1 0\n")}}, ix.exts...)
	again, err := parseIndex(ix.bytes())
	if err != nil {
		t.Fatal(err)
	}
	if len(again.exts) != 2 || !bytes.Equal(again.exts[1].data, undo) {
		t.Errorf("the extensions became %q", again.exts)
	}
}
