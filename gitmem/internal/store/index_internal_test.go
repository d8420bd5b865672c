package store

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// gitIndexes returns index files created by the real git.
func gitIndexes(tb testing.TB) [][]byte {
	if _, err := exec.LookPath("git"); err != nil {
		return nil
	}
	var out [][]byte
	for _, steps := range [][]string{
		{"add a b c/d c/e/f"}, {"add a c/e/f", "commit -q -m x"}, {"add -N a", "add b"},
		{"add a b c/d c/e/f", "update-index --index-version=4"},
		{"add a b c/d c/e/f", "commit -q -m x", "update-index --split-index"},
		{"update-index --force-untracked-cache", "add a b", "status"},
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
	cmd := exec.CommandContext(context.Background(), "git",
		append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@x"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// FuzzIndexFile checks that the parser survives any input, that entries are written back unchanged, and that an edited
// index can be parsed again.
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
		if len(b) > 20 { // make changed bytes pass the checksum
			check(resum(b[:len(b)-20]))
		}
	})
}

func resum(body []byte) []byte {
	return append(bytes.Clone(body), make([]byte, 20)...) // zero: index.skipHash
}

func checkIndex(t *testing.T, ix *indexFile, b []byte) {
	t.Helper()
	if got := ix.bytes(); !bytes.Equal(got, b) {
		t.Fatalf("unchanged:\n%x\nbecame\n%x", b, got)
	}
	ix.changed = true
	got := ix.bytes()
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
	ix.smudge(time.Unix(1e9, 0))
	ix.edit([]indexChange{{"c", entryPointer("c")}, {"gitmem/a.md", entryPointer("gitmem/a.md")}, {"a", nil}})
	if _, err := parseIndex(ix.bytes()); err != nil {
		t.Fatalf("can't read what was edited: %v", err)
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
