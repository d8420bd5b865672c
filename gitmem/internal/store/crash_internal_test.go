package store

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// lagging returns the root of a store whose process died after the branch was updated and before the index was.
func lagging(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git in PATH")
	}
	root := t.TempDir()
	s := faultStore(t, root)
	if err := os.WriteFile(s.abs("gitmem/old.md"), []byte("changed\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dead := false
	s.disk.around = func(st *step, do func() error) error {
		dead = dead || st.op == "rename" && st.name == ".git/index"
		if dead && (st.op == "rename" || st.op == "remove" || st.op == "write") {
			return errors.New("dead")
		}
		return do()
	}
	if id, err := s.Commit(context.Background(), Change{}); id == "" || err != nil {
		t.Fatalf("the commit was not made: %v", err)
	}
	if !dead {
		t.Fatal("the index was not renamed")
	}
	return root
}

func mustGit(t *testing.T, root string, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func checkClean(t *testing.T, root string) {
	t.Helper()
	if out := gitSays(t, root); out != "" {
		t.Error(out)
	}
	if got, want := mustGit(t, root, "write-tree"), mustGit(t, root, "rev-parse", "HEAD^{tree}"); got != want {
		t.Errorf("the index makes tree %s, HEAD has %s", got, want)
	}
}

func TestIndexFollowsAfterCrash(t *testing.T) {
	t.Parallel()
	root := lagging(t)
	if out := gitSays(t, root); !strings.Contains(out, "MM gitmem/old.md") ||
		!strings.Contains(out, "index.lock is left") {
		t.Fatalf("the index does not lag: %s", out)
	}
	s := faultStore(t, root)
	if err := os.WriteFile(s.abs("gitmem/other.md"), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Commit(context.Background(), Change{Paths: []string{"gitmem/other.md"}}); err != nil {
		t.Fatal(err)
	}
	checkClean(t, root)
}

// TestIndexFollowsAtAnyRepair checks that each operation that repairs updates the index.
func TestIndexFollowsAtAnyRepair(t *testing.T) {
	t.Parallel()
	for name, heal := range map[string]func(s *Store) error{
		"commit": func(s *Store) error { _, err := s.Commit(context.Background(), Change{}); return err },
		"named": func(s *Store) error {
			_, err := s.Commit(context.Background(), Change{Paths: []string{"gitmem/old.md"}})
			return err
		},
		"repair": func(s *Store) error { return s.Repair(context.Background()) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := lagging(t)
			s := faultStore(t, root)
			if err := heal(s); err != nil {
				t.Fatal(err)
			}
			checkClean(t, root)
		})
	}
}

// TestIndexFollowsBehindAChange has a hook write to the file of the last commit before something else is committed.
func TestIndexFollowsBehindAChange(t *testing.T) {
	t.Parallel()
	root := lagging(t)
	s := faultStore(t, root)
	f, err := os.OpenFile(s.abs("gitmem/old.md"), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString("by a hook\n")
	if err := errors.Join(err, f.Close(), os.WriteFile(s.abs("gitmem/other.md"), []byte("x\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Commit(context.Background(), Change{Paths: []string{"gitmem/other.md"}}); err != nil {
		t.Fatal(err)
	}
	// trimmed; a staged change would be M with two blanks, or MM
	if got := mustGit(t, root, "status", "--porcelain", "gitmem/old.md"); got != "M gitmem/old.md" {
		t.Errorf("git status says %q, want a change of the file alone", got)
	}
}

// TestRepairLeavesWhatWasStaged has a record of the index lock, after which somebody has staged something.
func TestRepairLeavesWhatWasStaged(t *testing.T) {
	t.Parallel()
	root := lagging(t)
	if err := os.Remove(filepath.Join(root, ".git", "index.lock")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "gitmem", "old.md"), []byte("staged since\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustGit(t, root, "add", "gitmem/old.md")
	want := mustGit(t, root, "ls-files", "--stage")
	s := faultStore(t, root)
	unlock, err := s.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if err := s.repairLocked(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := mustGit(t, root, "ls-files", "--stage"); got != want {
		t.Errorf("the index has\n%s\nwas\n%s", got, want)
	}
}

// TestRepairKnowsItsOwn checks that a lock that only looks like ours is kept.
func TestRepairKnowsItsOwn(t *testing.T) {
	t.Parallel()
	root := lagging(t)
	lock := filepath.Join(root, ".git", "index.lock")
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(lock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := faultStore(t, root)
	if _, err := s.Commit(context.Background(), Change{}); !errors.Is(err, ErrLocked) {
		t.Errorf("got %v, want ErrLocked", err)
	}
	if _, err := os.Stat(lock); err != nil {
		t.Error("somebody else's lock is gone")
	}
}
