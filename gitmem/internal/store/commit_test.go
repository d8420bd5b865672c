package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/google/go-cmp/cmp"
)

// TestCommitMakesGitsTree makes random changes and compares each commit with the tree that the real git makes of the
// same files.
func TestCommitMakesGitsTree(t *testing.T) {
	t.Parallel()
	needGit(t)
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
			s := initStore(t, t.TempDir())
			commit(t, s, store.Change{Paths: []string{".gitignore"}})
			for range 12 {
				paths := changeFiles(t, r, s.Root())
				if r.IntN(2) == 0 {
					paths = nil
				}
				id := commit(t, s, store.Change{Paths: paths, Subject: "s", Fsync: r.IntN(4) == 0})
				if r.IntN(5) == 0 {
					inStore(t, s, "gc", "-q")
				}
				want := treeByGit(t, s, paths != nil)
				if got := inStore(t, s, "rev-parse", "HEAD^{tree}"); got != want {
					t.Fatalf("commit %s has tree %s, git makes %s", id, got, want)
				}
				if paths == nil {
					checkSound(t, s)
				}
				if pending, err := s.Pending(t.Context()); err != nil || paths == nil && len(pending) > 0 {
					t.Errorf("pending: %v, %v", pending, err)
				}
			}
		})
	}
}

// changeFiles makes some changes and returns the paths.
func changeFiles(t *testing.T, r *rand.Rand, root string) []string {
	t.Helper()
	// Folders have names that files have elsewhere, so that one replaces the other.
	dirs := []string{"gitmem", "gitmem/a.md", "gitmem/a-b", "gitmem/a.md/b.md", "gitmem/a.b.md/c", "projects/p/memory",
		"projects/p/memory/x.md"}
	var paths []string
	for range 1 + r.IntN(6) {
		rel := dirs[r.IntN(len(dirs))] + "/" + []string{"a", "b", "a.b", "c", "a-b", "x"}[r.IntN(6)] + ".md"
		name := filepath.Join(root, filepath.FromSlash(rel))
		switch r.IntN(4) {
		case 0:
			os.RemoveAll(name)
		default:
			clearWay(root, rel)
			write(t, root, rel, strings.Repeat(fmt.Sprintln(r.Uint64()), r.IntN(400)))
		}
		paths = append(paths, rel)
	}
	return paths
}

// clearWay removes what prevents a path from being a file: files at the paths of its folders, and a folder of its name.
func clearWay(root, rel string) {
	for i := range rel {
		if at := filepath.Join(root, rel[:i]); rel[i] == '/' {
			if fi, err := os.Lstat(at); err == nil && !fi.IsDir() {
				os.Remove(at)
			}
		}
	}
	os.RemoveAll(filepath.Join(root, rel))
}

// treeByGit makes a tree with a separate index: from all files, or, if only some paths were committed, from our index,
// which then must contain those.
func treeByGit(t *testing.T, s *store.Store, ours bool) string {
	t.Helper()
	if ours {
		return inStore(t, s, "write-tree")
	}
	index := filepath.Join(t.TempDir(), "index")
	run := func(args ...string) string {
		return git(t, s.Root(),
			append([]string{"-c", "core.fsmonitor=false", "--git-dir=" + s.GitDir(), "--work-tree=" + s.Root()}, args...)...)
	}
	// git has no flag for another index, so our own is moved aside.
	real := filepath.Join(s.GitDir(), "index")
	if err := os.Rename(real, index); err != nil {
		t.Fatal(err)
	}
	run("add", "-A")
	tree := run("write-tree")
	if err := os.Rename(index, real); err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestCommitLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	write(t, s.Root(), "gitmem/a.md", "1\n")
	write(t, s.Root(), "gitmem/b.md", "1\n")
	write(t, s.Root(), "other.txt", "1\n")
	inStore(t, s, "add", "--sparse", "-f", "other.txt", ".gitignore")
	inStore(t, s, "commit", "-q", "-m", "by hand")
	write(t, s.Root(), "other.txt", "2\n")
	inStore(t, s, "add", "--sparse", "other.txt")
	commit(t, s, store.Change{Paths: []string{"gitmem/a.md"}})
	want := "M  other.txt\n?? gitmem/b.md"
	if got := inStore(t, s, "status", "--porcelain", "--untracked-files=all"); got != want {
		t.Error(cmp.Diff(want, got))
	}
	os.Remove(filepath.Join(s.Root(), "gitmem", "a.md"))
	commit(t, s, store.Change{})
	want = "M  other.txt"
	if got := inStore(t, s, "status", "--porcelain", "--untracked-files=all"); got != want {
		t.Error(cmp.Diff(want, got))
	}
	if got := inStore(t, s, "fsck", "--strict"); got != "" {
		t.Error(got)
	}
}

// TestCommitOnKinds commits to repositories in states that git leaves behind.
func TestCommitOnKinds(t *testing.T) {
	t.Parallel()
	needGit(t)
	for name, prepare := range map[string]func(t *testing.T, s *store.Store){
		"plain":          func(*testing.T, *store.Store) {},
		"packed refs":    func(t *testing.T, s *store.Store) { inStore(t, s, "pack-refs", "--all") },
		"gc":             func(t *testing.T, s *store.Store) { inStore(t, s, "gc", "-q") },
		"other branch":   func(t *testing.T, s *store.Store) { inStore(t, s, "checkout", "-q", "-b", "a/b/c") },
		"unborn branch":  func(t *testing.T, s *store.Store) { inStore(t, s, "checkout", "-q", "--orphan", "new/one") },
		"index 4":        func(t *testing.T, s *store.Store) { inStore(t, s, "update-index", "--index-version=4") },
		"split index":    func(t *testing.T, s *store.Store) { inStore(t, s, "update-index", "--split-index") },
		"untracked":      func(t *testing.T, s *store.Store) { inStore(t, s, "update-index", "--force-untracked-cache") },
		"missing index":  func(t *testing.T, s *store.Store) { os.Remove(filepath.Join(s.GitDir(), "index")) },
		"damaged index":  func(t *testing.T, s *store.Store) { write(t, s.GitDir(), "index", "DIRC....") },
		"alternate zero": func(t *testing.T, s *store.Store) { inStore(t, s, "repack", "-adq") },
		"intent to add": func(t *testing.T, s *store.Store) {
			write(t, s.Root(), "gitmem/ita.md", "x\n")
			inStore(t, s, "add", "-N", "gitmem/ita.md")
		},
	} {
		for _, withGit := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, git %v", name, withGit), func(t *testing.T) {
				t.Parallel()
				s := initStore(t, t.TempDir())
				if !withGit {
					store.WithoutGit(s)
				}
				for i := range 4 {
					write(t, s.Root(), fmt.Sprintf("gitmem/d%d/f.md", i), fmt.Sprintln(i))
				}
				commit(t, s, store.Change{})
				prepare(t, s)
				write(t, s.Root(), "gitmem/d1/f.md", "changed\n")
				write(t, s.Root(), "gitmem/new/f.md", "new\n")
				os.Remove(filepath.Join(s.Root(), "gitmem/d2/f.md"))
				before := read(t, s.GitDir(), "logs/HEAD")
				if id := commit(t, s, store.Change{Subject: "second"}); id != inStore(t, s, "rev-parse", "HEAD") {
					t.Error("HEAD is elsewhere")
				}
				checkSound(t, s)
				if after := read(t, s.GitDir(), "logs/HEAD"); after == before {
					t.Error("no reflog entry")
				}
				inStore(t, s, "commit", "-q", "--allow-empty", "-m", "git goes on")
				write(t, s.Root(), "gitmem/d1/f.md", "again\n")
				commit(t, s, store.Change{Paths: []string{"gitmem/d1/f.md"}})
				checkSound(t, s)
			})
		}
	}
}

func TestCommitLastFileGoes(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	os.Remove(filepath.Join(s.Root(), ".gitignore"))
	write(t, s.Root(), "gitmem/a.md", "1\n")
	commit(t, s, store.Change{})
	os.Remove(filepath.Join(s.Root(), "gitmem/a.md"))
	if commit(t, s, store.Change{}) == "" {
		t.Error("not committed")
	}
	checkSound(t, s)
	if id := commit(t, s, store.Change{Paths: []string{"gitmem/never.md"}}); id != "" {
		t.Errorf("a path that never was made commit %s", id)
	}
}

func TestCommitUnmerged(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	write(t, s.Root(), "gitmem/a.md", "base\n")
	commit(t, s, store.Change{})
	inStore(t, s, "branch", "other")
	write(t, s.Root(), "gitmem/a.md", "ours\n")
	commit(t, s, store.Change{})
	inStore(t, s, "checkout", "-q", "other")
	write(t, s.Root(), "gitmem/a.md", "theirs\n")
	commit(t, s, store.Change{})
	if _, err := tryGit(s.Root(), "merge", "main"); err == nil {
		t.Fatal("the merge has no conflict")
	}
	if _, err := s.Commit(t.Context(), store.Change{Paths: []string{"gitmem/a.md"}}); !errors.Is(err, store.ErrConflict) {
		t.Errorf("got %v, want ErrConflict", err)
	}
	write(t, s.Root(), "gitmem/b.md", "b\n")
	if commit(t, s, store.Change{}) == "" {
		t.Error("an unmerged file keeps the others from being committed")
	}
	if got := inStore(t, s, "ls-files", "-u"); !strings.Contains(got, "gitmem/a.md") {
		t.Errorf("unmerged: %q", got)
	}
}

func TestCommitWaitsForGit(t *testing.T) {
	t.Parallel()
	needGit(t)
	root := t.TempDir()
	initStore(t, root)
	o := options(t, root)
	o.LockWait = 40 * time.Millisecond
	s, err := store.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, lock := range []string{"index.lock", "refs/heads/main.lock"} {
		write(t, s.GitDir(), lock, "")
		write(t, root, "gitmem/a.md", lock)
		if _, err := s.Commit(t.Context(), store.Change{}); !errors.Is(err, store.ErrLocked) ||
			!strings.Contains(err.Error(), lock) {
			t.Errorf("%s: got %v, want ErrLocked", lock, err)
		}
		_ = s.Repair(t.Context())
		if _, err := os.Stat(filepath.Join(s.GitDir(), lock)); err != nil {
			t.Errorf("somebody else's %s is gone: %v", lock, err)
		}
		os.Remove(filepath.Join(s.GitDir(), lock))
		if commit(t, s, store.Change{}) == "" {
			t.Error("nothing committed")
		}
		checkSound(t, s)
	}
}

func TestReadingHistory(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	for c := range s.Log(t.Context(), 0, "") {
		t.Errorf("a commit in an empty repository: %v", c)
	}
	if _, err := s.Read("HEAD", "gitmem/a.md"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
	var ids []string
	for i := range 4 {
		write(t, s.Root(), "gitmem/a.md", fmt.Sprintln(i))
		write(t, s.Root(), fmt.Sprintf("gitmem/d/%d.md", i), "x")
		write(t, s.Root(), "gitmem/config.yaml", fmt.Sprintln("a:", i))
		at := time.Date(2026, 11, 20, 10, i, 0, 0, time.FixedZone("", 3600))
		ids = append(ids,
			commit(t, s, store.Change{Time: at, Subject: fmt.Sprint("c", i),
				Trailers: []string{"Gitmem-Op: a", "Gitmem-Turn: 1"}}))
		if i == 1 {
			inStore(t, s, "gc", "-q")
		}
	}
	for rev, want := range map[string]string{"HEAD": "3", "HEAD~2": "1", "main^": "2", ids[0]: "0",
		ids[2][:8]: "2", "": "3"} {
		if b, err := s.Read(rev, "gitmem/a.md"); strings.TrimSpace(string(b)) != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", rev, b, err, want)
		}
	}
	for _, bad := range [][2]string{{"HEAD~9", "gitmem/a.md"}, {"nope", "gitmem/a.md"}, {"HEAD", "gitmem/x.md"},
		{"", "gitmem/x.md"}, {"HEAD", "gitmem/d.md"}} {
		if _, err := s.Read(bad[0], bad[1]); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%v: got %v, want ErrNotFound", bad, err)
		}
	}
	var got []string
	for c, err := range s.Log(t.Context(), 2, "gitmem/d/") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c.Hash+" "+c.Subject+" "+strings.Join(c.Trailers, "|")+" "+c.Time.Format(time.RFC3339)+" "+
			strings.Join(c.Paths, "|"))
	}
	want := []string{
		ids[3] + " c3 Gitmem-Op: a|Gitmem-Turn: 1 2026-11-20T10:03:00+01:00 gitmem/a.md|gitmem/config.yaml|gitmem/d/3.md",
		ids[2] + " c2 Gitmem-Op: a|Gitmem-Turn: 1 2026-11-20T10:02:00+01:00 gitmem/a.md|gitmem/config.yaml|gitmem/d/2.md",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for rev, want := range map[string]string{"HEAD~2": "gitmem/a.md 2|gitmem/d/0.md 1|gitmem/d/1.md 1",
		"": "gitmem/a.md 2|gitmem/d/0.md 1|gitmem/d/1.md 1|gitmem/d/2.md 1|gitmem/d/3.md 1"} {
		var files []string
		all := s.Files()
		if rev != "" {
			all = s.FilesAt(rev)
		}
		for f, err := range all {
			if err != nil {
				t.Fatal(err)
			}
			if f.Path != store.MarkFile {
				files = append(files, fmt.Sprint(f.Path, " ", f.Size))
			}
		}
		if got := strings.Join(files, "|"); got != want || !slices.IsSorted(files) {
			t.Errorf("%q: got %s, want %s", rev, got, want)
		}
	}
}
