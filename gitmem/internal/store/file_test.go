package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/google/go-cmp/cmp"
)

func TestAppendForms(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	for name, c := range map[string]struct {
		old          *string
		header, text string
		want         string
	}{
		"new":              {nil, "# H\n", "a\n", "# H\na\n"},
		"new, no newlines": {nil, "# H", "a", "# H\na\n"},
		"new, no header":   {nil, "", "a", "a\n"},
		"new, only header": {nil, "# H", "", "# H\n"},
		"old":              {ptr("x\n"), "# H\n", "a\n", "x\na\n"},
		"old, open line":   {ptr("x"), "# H\n", "a", "x\na\n"},
		"old, empty":       {ptr(""), "# H\n", "a", "a\n"},
		"old, no text":     {ptr("x"), "# H\n", "", "x"},
		"secret":           {ptr(""), "", "k " + "ghp_" + strings.Repeat("a1B2", 9), "k [redacted:github-token]\n"},
	} {
		rel := "gitmem/" + strings.ReplaceAll(name, ", ", "-") + ".md"
		if c.old != nil {
			write(t, s.Root(), rel, *c.old)
		}
		if err := s.Append(rel, clean(c.header), clean(c.text)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, s.Root(), rel); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(s.Root(), "gitmem", ".gitmem-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func ptr(s string) *string { return &s }

func TestAppendRefuses(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	outside := filepath.Join(t.TempDir(), "outside.md")
	if err := os.WriteFile(outside, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, s.Root(), "gitmem/real/a.md", "x\n")
	write(t, s.Root(), "gitmem/file", "x\n")
	for name, to := range map[string]string{"link.md": outside, "inner.md": "real/a.md", "dir": "real",
		"out": filepath.Dir(outside), "dangling.md": "nowhere.md"} {
		if err := os.Symlink(to, filepath.Join(s.Root(), "gitmem", name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	for _, rel := range []string{"settings.json", "gitmem/../x.md", "gitmem/.index/x.md",
		"gitmem/link.md", "gitmem/inner.md", "gitmem/dir/a.md", "gitmem/dir/new.md", "gitmem/out/new.md",
		"gitmem/dangling.md"} {
		if err := s.Append(rel, clean("h"), clean("t")); !errors.Is(err, store.ErrNotAllowed) {
			t.Errorf("%s: got %v, want ErrNotAllowed", rel, err)
		}
		err := s.Rewrite(t.Context(), rel, func([]byte) ([]store.Insertion, error) {
			return []store.Insertion{{Text: clean("t")}}, nil
		})
		if !errors.Is(err, store.ErrNotAllowed) {
			t.Errorf("rewrite %s: got %v, want ErrNotAllowed", rel, err)
		}
		if _, err := s.Read("", rel); !errors.Is(err, store.ErrNotAllowed) {
			t.Errorf("read %s: got %v, want ErrNotAllowed", rel, err)
		}
	}
	for _, rel := range []string{"gitmem/real", "gitmem/file/x.md"} {
		if err := s.Append(rel, clean("h"), clean("t")); err == nil {
			t.Errorf("%s: no error", rel)
		}
	}
	for _, name := range []string{outside, filepath.Join(s.Root(), "gitmem/real/a.md")} {
		if b, _ := os.ReadFile(name); string(b) != "x\n" {
			t.Errorf("%s was written to", name)
		}
	}
	if id := commit(t, s, store.Change{}); id == "" {
		t.Error("links keep the other files from being committed")
	}
}

func TestAppendAtOnce(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	const writers, lines = 8, 25
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range lines {
				rel := fmt.Sprintf("gitmem/log-%d.md", i%5)
				if err := s.Append(rel, clean("# Log\n"), clean(fmt.Sprintf("line %d of %d", i, w))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	seen := map[string]int{}
	for i := range 5 {
		text := read(t, s.Root(), fmt.Sprintf("gitmem/log-%d.md", i))
		if !strings.HasPrefix(text, "# Log\n") || strings.Count(text, "# Log\n") != 1 {
			t.Errorf("torn header: %q", text)
		}
		for line := range strings.Lines(text) {
			seen[line]++
		}
	}
	for w := range writers {
		for i := range lines {
			if line := fmt.Sprintf("line %d of %d\n", i, w); seen[line] != 1 {
				t.Errorf("%q is there %d times", line, seen[line])
			}
		}
	}
}

// TestRewriteBesideAppend rewrites the files to which others append: no line may be lost or duplicated.
func TestRewriteBesideAppend(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	const rel, writers, lines = "gitmem/tasks.md", 4, 40
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range lines {
				if err := s.Append(rel, clean("# Tasks\n"), clean(fmt.Sprintf("line %d of %d", i, w))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	rounds := 0
	wg.Go(func() {
		for range 40 {
			err := s.Rewrite(t.Context(), rel, func(old []byte) ([]store.Insertion, error) {
				return []store.Insertion{{Text: clean("top\n")}}, nil
			})
			if err == nil {
				rounds++
			} else if !errors.Is(err, store.ErrConflict) {
				t.Error(err)
			}
		}
	})
	wg.Wait()
	seen := map[string]int{}
	for line := range strings.Lines(read(t, s.Root(), rel)) {
		seen[line]++
	}
	for w := range writers {
		for i := range lines {
			if line := fmt.Sprintf("line %d of %d\n", i, w); seen[line] != 1 {
				t.Errorf("%q is there %d times", line, seen[line])
			}
		}
	}
	if seen["top\n"] < rounds {
		t.Errorf("%d rewrites, but %d lines of theirs", rounds, seen["top\n"])
	}
}

func TestRewrite(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	const rel = "projects/p/memory/MEMORY.md"
	edit := func(e ...store.Insertion) error {
		return s.Rewrite(t.Context(), rel, func([]byte) ([]store.Insertion, error) { return e, nil })
	}
	if err := edit(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read("", rel); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("no edits made a file: %v", err)
	}
	for _, c := range []struct {
		edits []store.Insertion
		want  string
	}{
		{[]store.Insertion{{Text: clean("abcdef\n")}}, "abcdef\n"},
		{[]store.Insertion{{At: 1, Text: clean("X")}, {At: 1, Cut: 2, Text: clean("Y")}, {At: 7, Text: clean("end\n")}},
			"aXYdef\nend\n"},
		{[]store.Insertion{{At: 0, Cut: 11}}, ""},
	} {
		if err := edit(c.edits...); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, read(t, s.Root(), rel)); diff != "" {
			t.Error(diff)
		}
	}
	for _, bad := range []store.Insertion{{At: -1}, {At: 1}, {At: 0, Cut: 1}, {At: 0, Cut: -1}} {
		if err := edit(bad); err == nil {
			t.Errorf("%+v was done", bad)
		}
	}
	mine := errors.New("mine")
	err := s.Rewrite(t.Context(), rel, func([]byte) ([]store.Insertion, error) { return nil, mine })
	if !errors.Is(err, mine) {
		t.Errorf("got %v", err)
	}
}

// TestRewriteSeesOtherWriters has somebody without our lock write between the edit and the replacement.
func TestRewriteSeesOtherWriters(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	const rel = "projects/p/memory/MEMORY.md"
	write(t, s.Root(), rel, "one\n")
	calls := 0
	err := s.Rewrite(t.Context(), rel, func(old []byte) ([]store.Insertion, error) {
		if calls++; calls == 1 {
			write(t, s.Root(), rel, "one\ntheirs\n")
		}
		return []store.Insertion{{At: len(old), Text: clean("ours\n")}}, nil
	})
	if err != nil || calls != 2 {
		t.Errorf("%d calls, %v", calls, err)
	}
	if got, want := read(t, s.Root(), rel), "one\ntheirs\nours\n"; got != want {
		t.Error(cmp.Diff(want, got))
	}
	err = s.Rewrite(t.Context(), rel, func(old []byte) ([]store.Insertion, error) {
		write(t, s.Root(), rel, string(old)+"more\n")
		return []store.Insertion{{Text: clean("never\n")}}, nil
	})
	if !errors.Is(err, store.ErrConflict) {
		t.Errorf("got %v, want ErrConflict", err)
	}
}

func TestLock(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s := initStore(t, root)
	unlock, err := s.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o := options(t, root)
	o.LockWait = 30 * time.Millisecond
	other, err := store.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Lock(t.Context()); !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), "testhost") {
		t.Errorf("got %v, want ErrLocked with the holder's name", err)
	}
	if _, err := other.Commit(t.Context(), store.Change{}); !errors.Is(err, store.ErrLocked) {
		t.Errorf("got %v, want ErrLocked", err)
	}
	if err := other.Append("gitmem/a.md", clean(""), clean("x")); err != nil {
		t.Errorf("append needs the lock: %v", err)
	}
	unlock()
	// A process that another test is just starting may hold it until it runs its program.
	if unlock, err = initStore(t, root).Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	unlock()
}
