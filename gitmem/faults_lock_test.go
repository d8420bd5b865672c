//go:build linux || darwin

package gitmem_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// hold takes a lock file as another process would: the lock belongs to the open file.
func (l *lab) hold(name string) (release func()) {
	l.t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		l.t.Fatal(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		l.t.Fatalf("%s: %v", name, err)
	}
	l.t.Cleanup(func() { _ = f.Close() })
	return func() { _ = f.Close() }
}

// TestHeldStoreLock holds the store while hooks append and questions are asked.
func TestHeldStoreLock(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	n := l.note(r.dir, "Wrap the spare fuses in straw")
	release := l.hold(filepath.Join(l.root, "gitmem", ".index", "lock"))
	l.lockWait = 10 * time.Millisecond
	l.observe(r.dir, gitmem.Observation{Session: sessionA, Tool: "Bash", OK: true})
	l.holds(l.ask(r.dir, "wrap the spare fuses", gitmem.Filter{}), "straw")
	l.with(r.dir, func(m *gitmem.Memory) error {
		if _, err := m.Note(t.Context(), "The ladder stands behind the barn", false); !errors.Is(err, gitmem.ErrLocked) {
			t.Errorf("a note beside a held lock: %v", err)
		}
		return nil
	})
	before := l.read(n.File)
	release()
	l.lockWait = 5 * time.Minute
	l.note(r.dir, "The ladder stands behind the barn")
	if text := l.read(n.File); strings.Count(text, "ladder") != 1 ||
		!strings.HasPrefix(text, strings.TrimRight(before, "\n")) {
		t.Errorf("after the lock was free:\n%s", text)
	}
}

// TestHeldGitLock holds git's own lock of the store's index, as a running git does.
func TestHeldGitLock(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "Wrap the spare fuses in straw")
	lock := l.write(filepath.Join(l.root, ".git", "index.lock"), "")
	l.lockWait = 10 * time.Millisecond
	l.with(r.dir, func(m *gitmem.Memory) error {
		if _, err := m.Note(t.Context(), "The ladder stands behind the barn", false); !errors.Is(err, gitmem.ErrLocked) ||
			!strings.Contains(err.Error(), "not committed yet") {
			t.Errorf("a note beside git's lock: %v", err)
		}
		return nil
	})
	l.holds(l.ask(r.dir, "where does the ladder stand?", gitmem.Filter{}), "barn")
	if err := os.Remove(lock); err != nil {
		t.Fatalf("somebody's lock was removed: %v", err)
	}
	l.lockWait = 5 * time.Minute
	l.note(r.dir, "The saw hangs in the shed")
	equal(t, "commits", "note: The saw hangs in the shed\nnote: The ladder stands behind the barn\n",
		l.git(l.root, nil, "log", "-2", "--format=%s"))
	equal(t, "committed", "", l.git(l.root, nil, "status", "--porcelain"))
	equal(t, "lines in HEAD", 1, strings.Count(l.git(l.root, nil, "grep", "-h", "ladder", "HEAD"), "ladder"))
}

// TestHeldIndexLock holds the shards for which a question does not wait.
func TestHeldIndexLock(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2024-01-01", "Ada Example", "a.txt", "Wrap the spare fuses in wool")
	l.note(r.dir, "The saw hangs in the shed")
	l.ask(r.dir, "wrap the spare fuses", gitmem.Filter{})
	r.commit("2024-01-02", "Ada Example", "a.txt", "Paint the barn with the tall ladder")
	var release []func()
	locks, err := filepath.Glob(filepath.Join(l.root, "gitmem", ".index", "shards", "*", "*lock*"))
	if err != nil || len(locks) < 3 {
		t.Fatalf("lock files %q, %v", locks, err)
	}
	for _, lock := range locks {
		if strings.Contains(lock, "history") || strings.Contains(lock, "transcripts") {
			release = append(release, l.hold(lock))
		}
	}
	a := l.ask(r.dir, "wrap the spare fuses", gitmem.Filter{})
	l.holds(a, "wool")
	if text := strings.Join(a.Caveats, "\n"); !strings.Contains(text, "its previous state was searched") {
		t.Errorf("caveats: %q", a.Caveats)
	}
	if a := l.ask(r.dir, "paint the barn with the tall ladder", gitmem.Filter{}); a.Confidence != gitmem.None ||
		len(a.Caveats) == 0 {
		t.Errorf("an index that is held: %s", describe(a))
	}
	l.with(r.dir, func(m *gitmem.Memory) error {
		if _, err := m.Indexes().Rebuild(t.Context()); !errors.Is(err, gitmem.ErrLocked) {
			t.Errorf("a rebuild beside held indexes: %v", err)
		}
		return nil
	})
	for _, f := range release {
		f()
	}
	l.holds(l.ask(r.dir, "paint the barn with the tall ladder", gitmem.Filter{}), "ladder")
}
