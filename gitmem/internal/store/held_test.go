package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/google/go-cmp/cmp"
)

const memoryFile = "projects/-home-me-pump/memory/MEMORY.md"

func secret() string { return "ghp_" + strings.Repeat("a1B2", 9) }

// warned returns a store that collects its warnings.
func warned(t *testing.T) (*store.Store, *[]string) {
	t.Helper()
	o := options(t, t.TempDir())
	told := new([]string)
	o.Warn = func(line string) { *told = append(*told, line) }
	s, _, err := store.Init(t.Context(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, told
}

func held(t *testing.T, s *store.Store) []store.Held {
	t.Helper()
	list, err := s.Held(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// checkNoSecret searches every object that git can find, reachable or not.
func checkNoSecret(t *testing.T, s *store.Store) {
	t.Helper()
	for line := range strings.Lines(inStore(t, s, "cat-file", "--batch-all-objects", "--batch-check")) {
		id, rest, _ := strings.Cut(line, " ")
		if kind, _, _ := strings.Cut(rest, " "); kind == "blob" || kind == "commit" {
			if strings.Contains(inStore(t, s, "cat-file", "-p", id), secret()) {
				t.Errorf("object %s holds the secret", id)
			}
		}
	}
}

func TestCommitOfEverythingHoldsSecretsBack(t *testing.T) {
	t.Parallel()
	needGit(t)
	s, told := warned(t)
	write(t, s.Root(), memoryFile, "# Memory\nold\n")
	write(t, s.Root(), "gitmem/a.md", "1\n")
	commit(t, s, store.Change{})
	dirty := "# Memory\nold\nthe token is " + secret() + "\n"
	write(t, s.Root(), memoryFile, dirty)
	write(t, s.Root(), "gitmem/a.md", "2\n")
	write(t, s.Root(), "gitmem/new.md", "<private>me</private>\n")
	write(t, s.Root(), "gitmem/marks.md", "was [redacted:github-token], [redacted:private]\n")
	write(t, s.Root(), "gitmem/blob.md", "\x00\xff\n\x00"+strings.Repeat("\x00\x01\n", 50_000)+secret())
	want := []store.Held{
		{Path: "gitmem/blob.md", Line: 50_002, Kind: "github-token"},
		{Path: "gitmem/new.md", Line: 1, Kind: "private"},
		{Path: memoryFile, Line: 3, Kind: "github-token"},
	}
	if diff := cmp.Diff(want, held(t, s)); diff != "" {
		t.Error(diff)
	}
	if len(*told) > 0 {
		t.Errorf("asking told: %q", *told)
	}
	if commit(t, s, store.Change{Subject: "all"}) == "" {
		t.Error("the clean files were not committed")
	}
	if len(*told) != len(want) {
		t.Errorf("told: %q", *told)
	}
	for i, line := range *told {
		if i < len(want) && (!strings.Contains(line, want[i].Path) || !strings.Contains(line, want[i].Kind) ||
			strings.Contains(line, secret())) {
			t.Errorf("told: %q", line)
		}
	}
	if b, err := s.Read("HEAD", memoryFile); string(b) != "# Memory\nold\n" || err != nil {
		t.Errorf("HEAD has %q, %v", b, err)
	}
	if b, err := s.Read("HEAD", "gitmem/a.md"); string(b) != "2\n" || err != nil {
		t.Errorf("HEAD has %q, %v", b, err)
	}
	if _, err := s.Read("HEAD", "gitmem/marks.md"); err != nil {
		t.Error(err)
	}
	if got := read(t, s.Root(), memoryFile); got != dirty {
		t.Errorf("the file was altered: %q", got)
	}
	if id := commit(t, s, store.Change{}); id != "" {
		t.Errorf("held files alone made commit %s", id)
	}
	status := "M " + memoryFile + "\n?? gitmem/blob.md\n?? gitmem/new.md"
	if got := inStore(t, s, "status", "--porcelain", "--untracked-files=all"); strings.TrimSpace(got) != status {
		t.Error(cmp.Diff(status, got))
	}
	checkNoSecret(t, s)
}

func TestHeldFileIsTakenOnceItIsClean(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	write(t, s.Root(), memoryFile, secret())
	write(t, s.Root(), "gitmem/gone.md", "1\n")
	commit(t, s, store.Change{})
	if got := held(t, s); len(got) != 1 {
		t.Errorf("held: %v", got)
	}
	write(t, s.Root(), memoryFile, "clean\n")
	os.Remove(filepath.Join(s.Root(), "gitmem/gone.md"))
	if commit(t, s, store.Change{}) == "" {
		t.Error("not committed")
	}
	if got := held(t, s); len(got) > 0 {
		t.Errorf("held: %v", got)
	}
	checkSound(t, s)
	checkNoSecret(t, s)
}

// TestOldSecretsInHeadDoNotBlock has a secret in history from elsewhere: a file in HEAD can be deleted, and its mode
// changed.
func TestOldSecretsInHeadDoNotBlock(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	for _, rel := range []string{"gitmem/a.md", "gitmem/b.md"} {
		write(t, s.Root(), rel, secret())
	}
	inStore(t, s, "add", "-A")
	inStore(t, s, "commit", "-q", "-m", "by hand")
	if got := held(t, s); len(got) > 0 {
		t.Errorf("unchanged, but held: %v", got)
	}
	os.Remove(filepath.Join(s.Root(), "gitmem/a.md"))
	if err := os.Chmod(filepath.Join(s.Root(), "gitmem/b.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	commit(t, s, store.Change{})
	checkSound(t, s)
}

func TestCommitByNameOfHeldFiles(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	write(t, s.Root(), memoryFile, "# Memory\n\nkey "+secret()+"\n")
	err := s.Rewrite(t.Context(), memoryFile, func(old []byte) ([]store.Insertion, error) {
		return []store.Insertion{{At: len(old), Text: clean("- a note\n")}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		id, err := s.Commit(t.Context(), store.Change{Paths: []string{memoryFile}, Fsync: true})
		if !errors.Is(err, store.ErrHeld) || id != "" {
			t.Fatalf("got %q, %v, want ErrHeld", id, err)
		}
		for _, part := range []string{memoryFile, "line 3", "github-token"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not name %q", err, part)
			}
		}
		if strings.Contains(err.Error(), secret()) {
			t.Error("the error tells the secret")
		}
	}
	// The other named files are committed, and the held one must not appear to be committed.
	write(t, s.Root(), "gitmem/b.md", "b\n")
	id, err := s.Commit(t.Context(), store.Change{Paths: []string{memoryFile, "gitmem/b.md"}})
	if !errors.Is(err, store.ErrHeld) || id == "" {
		t.Errorf("got %q, %v, want an id and ErrHeld", id, err)
	}
	if b, err := s.Read("HEAD", "gitmem/b.md"); string(b) != "b\n" {
		t.Errorf("HEAD has %q, %v", b, err)
	}
	if !strings.HasSuffix(read(t, s.Root(), memoryFile), "- a note\n") {
		t.Error("the note is not in the file")
	}
	checkNoSecret(t, s)
}

func TestHeldNeedsARepository(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, "gitmem/a.md", secret())
	s, err := store.Open(options(t, root))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Held(context.Background()); !errors.Is(err, store.ErrNoStore) {
		t.Errorf("got %v, want ErrNoStore", err)
	}
}
