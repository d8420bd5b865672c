package store

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// commitOps returns the disk operations of a durable commit of one appended line, in order, as "op name" with names
// relative to the root.
func commitOps(t *testing.T, rel string) []string {
	t.Helper()
	s := faultStore(t, t.TempDir())
	r := redact.New()
	if err := s.Append(rel, r.Clean("# New\n"), r.Clean("a line")); err != nil {
		t.Fatal(err)
	}
	f := &faults{fails: func(int, string) error { return nil }}
	f.install(s.disk)
	if id, err := s.Commit(context.Background(), Change{Paths: []string{rel}, Fsync: true}); id == "" || err != nil {
		t.Fatal(id, err)
	}
	for i, op := range f.ops {
		op = strings.ReplaceAll(op, s.o.Root+string(filepath.Separator), "")
		f.ops[i] = strings.ReplaceAll(filepath.ToSlash(op), "fsync gitmem/.index/locks/.git%2F", "fsync lock ")
	}
	return f.ops
}

// between fails unless there are steps with the prefix what, and all of them come after the last one with prefix after
// and before the first one with prefix before.
func between(t *testing.T, ops []string, after, what, before string) {
	t.Helper()
	first, last := -1, -1
	for i, op := range ops {
		if !strings.HasPrefix(op, what) {
			continue
		}
		if last = i; first < 0 {
			first = i
		}
	}
	is := func(prefix string) func(string) bool {
		return func(op string) bool { return strings.HasPrefix(op, prefix) }
	}
	if first < 0 {
		t.Fatalf("no step %q in\n%s", what, strings.Join(ops, "\n"))
	}
	if after != "" && slices.ContainsFunc(ops[first:], is(after)) {
		t.Errorf("%q comes before the last %q in\n%s", what, after, strings.Join(ops, "\n"))
	}
	if before != "" && slices.ContainsFunc(ops[:last], is(before)) {
		t.Errorf("%q comes after the first %q in\n%s", what, before, strings.Join(ops, "\n"))
	}
}

// TestSyncOrder checks that everything a commit refers to is durable before the reference: a power loss at any moment
// leaves the old state or the new one.
func TestSyncOrder(t *testing.T) {
	t.Parallel()
	for _, rel := range []string{"gitmem/old.md", "gitmem/a/b/new.md"} {
		ops := commitOps(t, rel)
		const ref, index = "rename .git/refs/heads/main", "rename .git/index"
		between(t, ops, "", "fsync .git/objects/tmp_obj_", "rename .git/objects/")
		between(t, ops, "", "fsync "+rel, ref)
		between(t, ops, "", "fsync lock index@", ref)
		between(t, ops, "", "fsync lock refs%2Fheads%2Fmain@", ref)
		between(t, ops, "rename .git/objects/", "syncDir .git/objects", ref)
		between(t, ops, ref, index, "")
		between(t, ops, ref, "syncDir .git/refs/heads", "")
		if got := ops[len(ops)-2:]; !slices.Contains(got, "syncDir .git") {
			t.Errorf("the folder of the index is not synced at the end: %q", got)
		}
		for dir := filepath.ToSlash(filepath.Dir(rel)); ; dir = filepath.ToSlash(filepath.Dir(dir)) {
			if !slices.Contains(ops[:slices.Index(ops, ref)], "syncDir "+dir) {
				t.Errorf("%s: folder %s is not synced before the reference moves", rel, dir)
			}
			if dir == "." {
				break
			}
		}
	}
}

// TestBranchMovesMeanwhile makes somebody else's commit between the objects of ours and the lock of the branch: ours
// starts over on top of theirs.
func TestBranchMovesMeanwhile(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git in PATH")
	}
	root := t.TempDir()
	s := faultStore(t, root)
	theirs := mustGit(t, root, "-c", "user.name=g", "-c", "user.email=g@example.com", "commit-tree", "-p", "HEAD", "-m",
		"theirs", "HEAD^{tree}")
	moved := false
	s.disk.around = func(st *step, do func() error) error {
		if st.op == "link" && st.name == ".git/refs/heads/main.lock" && !moved {
			moved = true
			mustGit(t, root, "update-ref", "refs/heads/main", theirs)
		}
		return do()
	}
	if err := os.WriteFile(s.abs("gitmem/old.md"), []byte("changed\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	id, err := s.Commit(context.Background(), Change{Fsync: true})
	if err != nil || !moved {
		t.Fatal(moved, err)
	}
	if parent := mustGit(t, root, "rev-parse", id+"^"); parent != theirs {
		t.Errorf("the parent is %s, not %s", parent, theirs)
	}
	if out := gitSays(t, root); out != "" {
		t.Error(out)
	}
}
