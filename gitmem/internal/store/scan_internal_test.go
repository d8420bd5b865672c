package store

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestLocksOfTheDead distinguishes a lock of a dead process of ours from one of somebody else's and from one that is
// held, without changing anything.
func TestLocksOfTheDead(t *testing.T) {
	t.Parallel()
	root := lagging(t)
	s := faultStore(t, root)
	foreign := filepath.Join(root, ".git", "packed-refs.lock")
	if err := os.WriteFile(foreign, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	look := func() map[string]Trouble {
		found, err := s.Locks(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		by := map[string]Trouble{}
		for _, f := range found {
			by[f.Path] = f
		}
		return by
	}
	got := look()
	if f := got[".git/index.lock"]; f.Level != Fail || !f.Fixable || !strings.Contains(f.Detail, "died") {
		t.Errorf("the dead lock: %+v", f)
	}
	if f := got[".git/packed-refs.lock"]; f.Level == Note || f.Fixable ||
		!strings.Contains(f.Detail, "not made by gitmem") {
		t.Errorf("somebody else's: %+v", f)
	}
	unlock, err := s.Lock(t.Context()) // another process of ours is working
	if err != nil {
		t.Fatal(err)
	}
	if f := look()[".git/index.lock"]; f.Level != Note || f.Fixable {
		t.Errorf("a lock that is held: %+v", f)
	}
	unlock()
	state, err := s.IndexState(t.Context())
	if err != nil || len(state) != 1 || !state[0].Fixable {
		t.Errorf("the index lags: %+v, %v", state, err)
	}
	if err := s.Repair(t.Context()); err != nil {
		t.Fatal(err)
	}
	got = look()
	if _, left := got[".git/index.lock"]; left || len(got) != 1 {
		t.Errorf("after the repair: %+v", got)
	}
	if state, err := s.IndexState(t.Context()); err != nil || len(state) != 0 {
		t.Errorf("the index after the repair: %+v, %v", state, err)
	}
}

// crowd makes a gc due: the sampled folder gets as many objects as it would have with some 3,000 in total.
func crowd(t *testing.T, s *Store, round int) {
	t.Helper()
	b := s.objects.batch()
	for i := 0; len(b.order) < 12; i++ {
		if body := fmt.Appendln(nil, "object", round, i); hashObject("blob", body)[0] == 0x17 {
			b.add("blob", body)
		}
	}
	if _, err := b.flush(s.o.Now(), false); err != nil {
		t.Fatal(err)
	}
}

// TestMaintainBesideCommits packs repeatedly while commits are made, with user settings that make gc prune at once: no
// commit may lose an object.
func TestMaintainBesideCommits(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git in PATH")
	}
	s := faultStore(t, t.TempDir())
	s.o.Now = time.Now // the age of objects matters
	mustGit(t, s.Root(), "config", "gc.pruneExpire", "now")
	packer := faultStore(t, s.Root())
	packs := func() int {
		found, _ := filepath.Glob(filepath.Join(s.GitDir(), "objects", "pack", "*.pack"))
		return len(found)
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for round := 0; ; round++ {
			crowd(t, packer, round)
			if err := packer.Maintain(context.Background()); err != nil {
				t.Error(err)
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	r := s.o.Redactor
	for n := range 60 {
		if err := s.Append("gitmem/old.md", r.Clean(""), r.Clean(fmt.Sprintf("line %d", n))); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Commit(t.Context(), Change{Subject: fmt.Sprintf("commit %d", n)}); err != nil {
			t.Fatalf("commit %d: %v", n, err)
		}
	}
	close(done)
	wg.Wait()
	if packs() == 0 {
		t.Error("nothing was packed")
	}
	if n := strings.TrimSpace(mustGit(t, s.Root(), "rev-list", "--count", "HEAD")); n != "61" {
		t.Errorf("%s commits, want 61", n)
	}
	checkClean(t, s.Root())
	if out := mustGit(t, s.Root(), "fsck", "--full", "--no-dangling"); out != "" {
		t.Error(out)
	}
}

// TestFolderTakenAway: a gc removes the folder that was created for an object before the object is there.
func TestFolderTakenAway(t *testing.T) {
	t.Parallel()
	s := faultStore(t, t.TempDir())
	taken := 0
	s.disk.around = func(st *step, do func() error) error {
		err := do()
		if st.op == "mkdir" && strings.HasPrefix(st.name, ".git/objects/") && taken < 3 {
			taken++
			err = s.disk.root.Remove(st.name)
		}
		return err
	}
	r := s.o.Redactor
	if err := s.Append("gitmem/old.md", r.Clean(""), r.Clean("after all")); err != nil {
		t.Fatal(err)
	}
	if id, err := s.Commit(t.Context(), Change{}); id == "" || err != nil || taken != 3 {
		t.Errorf("commit %q, %v; %d folders were taken away", id, err, taken)
	}
}

// TestMaintainRespectsOthers checks that a running gc is not disturbed, and that none is started if none is due or
// there is no git.
func TestMaintainRespectsOthers(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git in PATH")
	}
	s := faultStore(t, t.TempDir())
	var started [][]string
	s.disk.around = func(st *step, do func() error) error {
		if st.op == "git" {
			started, st.args = append(started, st.args), []string{"version"}
		}
		return do()
	}
	if ok, err := s.StartMaintenance(); ok || err != nil {
		t.Errorf("not due: %v, %v", ok, err)
	}
	crowd(t, s, 0)
	if ok, err := s.StartMaintenance(); !ok || err != nil || len(started) != 1 ||
		!strings.Contains(strings.Join(started[0], " "), "gc.pruneExpire=2.weeks.ago") {
		t.Errorf("due: %v, %v, started %q", ok, err, started)
	}
	WithoutGit(s)
	if ok, err := s.StartMaintenance(); ok || err != nil {
		t.Errorf("without git: %v, %v", ok, err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	pid := filepath.Join(s.GitDir(), "gc.pid")
	if err := os.WriteFile(pid, fmt.Appendf(nil, "%d %s\n", os.Getpid(), host), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Maintain(t.Context()); err != nil {
		t.Error(err)
	}
	if found, _ := filepath.Glob(filepath.Join(s.GitDir(), "objects", "pack", "*.pack")); len(found) > 0 {
		t.Errorf("packed beside another gc: %v", found)
	}
	if b, err := os.ReadFile(pid); err != nil || !strings.HasPrefix(string(b), fmt.Sprint(os.Getpid())) {
		t.Errorf("the other gc's file: %q, %v", b, err)
	}
}

// TestPacksAreClosed checks that files written by gc are not more open than ours.
func TestPacksAreClosed(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil || os.PathSeparator != '/' {
		t.Skip("SKIPPED: no git in PATH, or no permission bits")
	}
	s := faultStore(t, t.TempDir())
	crowd(t, s, 0)
	if err := s.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(s.GitDir(), "objects", "pack", "*"))
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	for _, name := range found {
		if fi, err := os.Stat(name); err != nil || fi.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", name, fi.Mode(), err)
		}
	}
	if found, err := s.Permissions(); err != nil || len(found) > 0 {
		t.Errorf("Permissions: %+v, %v", found, err)
	}
}

// TestUntrackKeepsOthersWork removes a file from HEAD and leaves other staged changes as they are.
func TestUntrackKeepsOthersWork(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git in PATH")
	}
	s := faultStore(t, t.TempDir())
	for name, text := range map[string]string{".credentials.json": "{}", "gitmem/staged.md": "staged"} {
		if err := os.WriteFile(s.abs(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mustGit(t, s.Root(), "add", "--sparse", "-f", ".credentials.json")
	mustGit(t, s.Root(), "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "--message", "oops")
	mustGit(t, s.Root(), "add", "gitmem/staged.md")
	found, err := s.Refused()
	if err != nil || len(found) != 1 || found[0].Path != ".credentials.json" {
		t.Fatalf("%+v, %v", found, err)
	}
	if err := s.Untrack(t.Context(), found); err != nil {
		t.Fatal(err)
	}
	if found, err = s.Refused(); err != nil || len(found) > 0 {
		t.Errorf("afterwards: %+v, %v", found, err)
	}
	if got := mustGit(t, s.Root(), "status", "--porcelain"); strings.TrimSpace(got) != "A  gitmem/staged.md" {
		t.Errorf("git status: %q", got)
	}
	if _, err := os.Stat(s.abs(".credentials.json")); err != nil {
		t.Errorf("the file is gone from disk: %v", err)
	}
	if got := mustGit(t, s.Root(), "ls-tree", "-r", "--name-only", "HEAD"); strings.Contains(got, "credentials.json\n") {
		t.Errorf("HEAD still has it:\n%s", got)
	}
	if err := s.Untrack(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// TestUnfinishedPurge checks that an unfinished purge is reported and completed by the repair.
func TestUnfinishedPurge(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git in PATH")
	}
	s := faultStore(t, t.TempDir())
	if err := os.WriteFile(s.abs(purgeFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := s.IndexState(t.Context())
	if err != nil || len(found) != 1 || !found[0].Fixable || !strings.Contains(found[0].Detail, "was not finished") {
		t.Errorf("%+v, %v", found, err)
	}
	if err := s.Repair(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found, err := s.IndexState(t.Context()); err != nil || len(found) != 0 {
		t.Errorf("after the repair: %+v, %v", found, err)
	}
}

// TestSyncOfFolderThatIsGone: a gc that packs the loose objects removes their folders.
func TestSyncOfFolderThatIsGone(t *testing.T) {
	t.Parallel()
	s := faultStore(t, lagging(t))
	if err := (syncs{dirs: []string{".git/objects/zz"}}).do(s.disk); err != nil {
		t.Error(err)
	}
}
