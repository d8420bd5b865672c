package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// differing returns the differences as "path: before>after".
func differing(t *testing.T, s *store.Store, from, to, under string) []string {
	t.Helper()
	found, err := s.Difference(t.Context(), from, to, under)
	if err != nil {
		t.Fatal(err)
	}
	show := func(b []byte) string {
		if b == nil {
			return "-"
		}
		return string(b)
	}
	out := []string{}
	for _, d := range found {
		out = append(out, fmt.Sprintf("%s: %s>%s", d.Path, show(d.Before), show(d.After)))
	}
	return out
}

func TestDifference(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	write(t, s.Root(), "gitmem/a.md", "1")
	write(t, s.Root(), "gitmem/b.md/c.md", "1")
	write(t, s.Root(), notesFile, "")
	first := commit(t, s, store.Change{Subject: "first", Time: time.Unix(1000, 0)})
	write(t, s.Root(), "gitmem/a.md", "2")
	if err := os.Remove(filepath.Join(s.Root(), "gitmem/b.md/c.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(s.Root(), "gitmem", "b.md")); err != nil {
		t.Fatal(err)
	}
	write(t, s.Root(), "gitmem/b.md", "now a file")
	second := commit(t, s, store.Change{Subject: "second", Time: time.Unix(2000, 0)})
	write(t, s.Root(), "gitmem/a.md", "1")
	write(t, s.Root(), notesFile, "n")
	tests := []struct {
		name, from, to, under string
		want                  []string
	}{
		{"two commits", first, second, "", []string{"gitmem/a.md: 1>2", "gitmem/b.md: ->now a file",
			"gitmem/b.md/c.md: 1>-"}},
		{"below a folder", first, second, "gitmem/b.md", []string{"gitmem/b.md: ->now a file", "gitmem/b.md/c.md: 1>-"}},
		{"one file", first, second, "gitmem/a.md", []string{"gitmem/a.md: 1>2"}},
		{"not committed yet", "HEAD", "", "", []string{"gitmem/a.md: 2>1", notesFile + ": >n"}},
		{"changed back", first, "", "", []string{"gitmem/b.md: ->now a file", "gitmem/b.md/c.md: 1>-", notesFile + ": >n"}},
		{"from nothing", "", first, "projects/", []string{notesFile + ": ->"}},
		{"equal", second, "HEAD", "", []string{}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, differing(t, s, tt.from, tt.to, tt.under)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	for at, want := range map[int64]string{999: "", 1000: first, 1999: first, 5000: second} {
		if got, err := s.At(time.Unix(at, 0)); err != nil || got != want {
			t.Errorf("At(%d) = %s, %v; want %s", at, got, err, want)
		}
	}
}

// TestRewriteAll changes, creates and removes files together, or none of them.
func TestRewriteAll(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	write(t, s.Root(), "gitmem/a.md", "a\n")
	write(t, s.Root(), "gitmem/b.md", "b\n")
	to := func(rel, text string) store.FileEdit {
		return store.FileEdit{Path: rel, Edit: func(old []byte) ([]store.Insertion, bool, error) {
			return []store.Insertion{{Cut: len(old), Text: clean(text)}}, text == "", nil
		}}
	}
	refuse := store.FileEdit{Path: "gitmem/c.md", Edit: func([]byte) ([]store.Insertion, bool, error) {
		return nil, false, os.ErrInvalid
	}}
	if err := s.RewriteAll(t.Context(), []store.FileEdit{to("gitmem/a.md", "x\n"), to("gitmem/b.md", ""),
		refuse}); err == nil || !strings.Contains(err.Error(), "gitmem/c.md") {
		t.Fatalf("an edit that refuses: %v", err)
	}
	if a, b := read(t, s.Root(), "gitmem/a.md"), read(t, s.Root(), "gitmem/b.md"); a != "a\n" || b != "b\n" {
		t.Fatalf("after a refusal the files hold %q and %q", a, b)
	}
	if err := s.RewriteAll(t.Context(), []store.FileEdit{to("gitmem/a.md", "x\n"), to("gitmem/b.md", ""),
		to("gitmem/d/e.md", "e\n"), to("gitmem/none.md", "")}); err != nil {
		t.Fatal(err)
	}
	if a, e := read(t, s.Root(), "gitmem/a.md"), read(t, s.Root(), "gitmem/d/e.md"); a != "x\n" || e != "e\n" {
		t.Errorf("the files hold %q and %q", a, e)
	}
	if _, err := os.Stat(filepath.Join(s.Root(), "gitmem", "b.md")); !os.IsNotExist(err) {
		t.Errorf("the removed file: %v", err)
	}
	if err := s.RewriteAll(t.Context(), []store.FileEdit{to("settings.json", "x")}); err == nil {
		t.Error("a file that is not memory's was written")
	}
}
