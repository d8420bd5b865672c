package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const purgedWord = "unsaid"

// wordless is a purge of purgedWord.
type wordless struct{}

func (wordless) File(_ string, b []byte) []byte {
	return bytes.ReplaceAll(b, []byte("- "+purgedWord+"\n"), nil)
}

func (wordless) Message(s string) string { return strings.ReplaceAll(s, purgedWord, "[forgotten]") }

func (wordless) Name(s string) string { return s }

// purgeTemplate returns the root of a store with a word in two branches, a tag and the index, with one pack and some
// loose objects.
func purgeTemplate(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git in PATH, so what it thinks of our repository is NOT checked")
	}
	root := t.TempDir()
	s := faultStore(t, root)
	add := func(rel, text string) {
		if err := os.WriteFile(s.abs(rel), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Commit(context.Background(), Change{Subject: "note: " + purgedWord}); err != nil {
			t.Fatal(err)
		}
	}
	add("gitmem/a.md", "- one\n- "+purgedWord+"\n")
	mustGit(t, root, "branch", "side")
	mustGit(t, root, "-c", "user.name=x", "-c", "user.email=x", "tag", "-a", "-m", "tag", "v1")
	mustGit(t, root, "update-ref", "refs/remotes/origin/main", "HEAD")
	mustGit(t, root, "pack-refs", "--all")
	mustGit(t, root, "gc", "-q", "--prune=now")
	add("gitmem/a.md", "- one\n")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return root
}

func copyStore(t *testing.T, from string) *Store {
	t.Helper()
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	mustGit(t, root, "update-index", "--refresh") // the copies have other timestamps
	return faultStore(t, root)
}

// installGit inserts the faults between a store, its disk and its git.
func (f *faults) installGit(s *Store) {
	s.disk.around = func(st *step, do func() error) error {
		if st.op == "read" {
			return do()
		}
		return f.around(st, do)
	}
}

// TestPurgeFaults makes each step of a purge fail. Afterwards the repository is intact, and a second attempt completes
// it.
func TestPurgeFaults(t *testing.T) {
	t.Parallel()
	from := purgeTemplate(t)
	all := modes()
	stride := 6 * len(all) // each step takes ten runs of git
	if os.Getenv("GITMEM_NIGHTLY") != "" {
		stride = 1
	}
	for i, name := range slices.Sorted(maps.Keys(all)) {
		mode := all[name]
		f := mode(1 << 30)
		s := copyStore(t, from)
		f.installGit(s)
		if _, err := s.Purge(context.Background(), wordless{}); err != nil {
			t.Fatal(err)
		}
		steps := f.step
		unknown := func(k int) bool { // a lock that only its record identified remains, see gitLock.release
			return name == "no hard links" && strings.HasPrefix(f.ops[k-1], "remove") && strings.HasSuffix(f.ops[k-1], ".lock")
		}
		if steps < 40 {
			t.Errorf("%s: only %d steps, are all seams in use?", name, steps)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for k := 1 + 6*i%stride; k <= steps; k += stride {
				if unknown(k) {
					continue
				}
				checkPurgeFault(t, fmt.Sprintf("%s at step %d of %d", name, k, steps), copyStore(t, from), mode(k))
			}
		})
	}
}

func checkPurgeFault(t *testing.T, what string, s *Store, f *faults) {
	t.Helper()
	root := s.Root()
	f.installGit(s)
	_, failed := s.Purge(context.Background(), wordless{})
	s.Close()

	again := faultStore(t, root)
	if err := again.Repair(context.Background()); err != nil {
		t.Fatalf("%s: repair: %v\n%s", what, err, strings.Join(f.ops, "\n"))
	}
	if out := gitSays(t, root); out != "" {
		t.Fatalf("%s: %s\n%s", what, out, strings.Join(f.ops, "\n"))
	}
	_, left := again.disk.root.Lstat(purgeFile)
	old := strings.Contains(mustGit(t, root, "log", "--format=%s", "-p", "--all"), purgedWord)
	if gone := !strings.Contains(allObjects(t, root), purgedWord); !old && !gone || left == nil || old && failed == nil {
		t.Fatalf("%s: after the repair, the old history is there: %v, its objects: %v, the journal: %v; it failed with %v\n"+
			"%s",
			what, old, !gone, left, failed, strings.Join(f.ops, "\n"))
	}
	if _, err := again.Purge(context.Background(), wordless{}); err != nil {
		t.Fatalf("%s: once more: %v", what, err)
	}
	if strings.Contains(allObjects(t, root), purgedWord) {
		t.Fatalf("%s: the word is still there", what)
	}
	if out := gitSays(t, root); out != "" {
		t.Fatalf("%s: once more: %s", what, out)
	}
	if refs := mustGit(t, root, "for-each-ref",
		"--format=%(refname)"); refs != "refs/heads/main\nrefs/heads/side\nrefs/tags/v1" {
		t.Fatalf("%s: references %q", what, refs)
	}
}

func allObjects(t *testing.T, root string) string {
	t.Helper()
	return mustGit(t, root, "cat-file", "--batch", "--batch-all-objects", "--unordered")
}

// TestPurgeResumes has a process that died after the references moved: a commit is added to the new history, and the
// repair removes the old one.
func TestPurgeResumes(t *testing.T) {
	t.Parallel()
	s := copyStore(t, purgeTemplate(t))
	dead := false
	f := &faults{fails: func(int, string) error {
		if dead {
			return os.ErrDeadlineExceeded
		}
		return nil
	}}
	f.install(s.disk)
	fails, times := s.disk.around, 0
	s.disk.around = func(st *step, do func() error) error {
		err := fails(st, do)
		if st.op == "rename" && st.name == ".git/packed-refs" {
			times++ // the first time with loose objects
			dead = times == 2
		}
		return err
	}
	if _, err := s.Purge(context.Background(), wordless{}); err == nil {
		t.Fatal("the dead process succeeded")
	}
	again := faultStore(t, s.Root())
	if err := os.WriteFile(again.abs("gitmem/new.md"), []byte("new\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Commit(context.Background(), Change{Subject: "after"}); err != nil {
		t.Fatal(err)
	}
	if log := mustGit(t, s.Root(), "log", "--format=%s", "-p", "--all"); strings.Contains(log, purgedWord) ||
		!strings.Contains(log, "after") {
		t.Errorf("the commit came onto the old history:\n%s", log)
	}
	WithoutGit(again)
	if err := again.Repair(context.Background()); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("a repair without git: %v", err)
	}
	again.disk.around = nil
	if err := again.Repair(context.Background()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(allObjects(t, s.Root()), purgedWord) {
		t.Error("the old objects are still there")
	}
	checkClean(t, s.Root())
}

// TestPurgeMeetsACommit has somebody commit between the rewriting and the move of the branch: the purge starts over and
// includes that commit.
func TestPurgeMeetsACommit(t *testing.T) {
	t.Parallel()
	from := purgeTemplate(t)
	s := copyStore(t, from)
	met := 0
	s.disk.around = func(st *step, do func() error) error {
		if met == 0 && st.op == "link" && st.name == ".git/refs/heads/main.lock" {
			met++
			tree := mustGit(t, s.Root(), "rev-parse", "HEAD^{tree}")
			id := mustGit(t, s.Root(), "-c", "user.name=x", "-c", "user.email=x", "commit-tree", "-p", "HEAD", "-m", "between "+
				purgedWord, tree)
			mustGit(t, s.Root(), "update-ref", "refs/heads/main", id)
		}
		return do()
	}
	if _, err := s.Purge(context.Background(), wordless{}); err != nil {
		t.Fatal(err)
	}
	if log := mustGit(t, s.Root(), "log", "--format=%s"); !strings.HasPrefix(log, "between [forgotten]\n") || met != 1 {
		t.Errorf("the commit in between is lost:\n%s", log)
	}
	if strings.Contains(allObjects(t, s.Root()), purgedWord) {
		t.Error("the old objects are still there")
	}
	checkClean(t, s.Root())
}
