package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func mark(t *testing.T, m *Sessions, session string, keys ...string) {
	t.Helper()
	if err := m.MarkInjected(session, keys); err != nil {
		t.Fatal(err)
	}
}

func TestInjectedIsKeptBySession(t *testing.T) {
	t.Parallel()
	m := seer(t, time.Now())
	mark(t, m, "s1", "idea:abc", "the words")
	mark(t, m, "../../evil\x00/s2", "idea:other")
	set := m.Injected("s1")
	if !set.Has("idea:abc") || !set.Has("the words") || set.Has("idea:other") || m.Injected("s3").Has("idea:abc") {
		t.Errorf("s1 was told %v", set)
	}
	if !m.Injected("../../evil\x00/s2").Has("idea:other") {
		t.Error("a session of a strange name was forgotten")
	}
	files, err := filepath.Glob(filepath.Join(m.seenDir(), "*.seen"))
	if err != nil || len(files) != 2 {
		t.Errorf("files %v, %v: want both in %s", files, err, m.seenDir())
	}
}

func TestInjectedOutlivesDamage(t *testing.T) {
	t.Parallel()
	m := seer(t, time.Now())
	mark(t, m, "s1", "a")
	f, err := os.OpenFile(m.seenFile("s1"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("\x00\xff half\n" + strings.Repeat("x", 5000) + "\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	mark(t, m, "s1", "b")
	if set := m.Injected("s1"); !set.Has("a") || !set.Has("b") || len(set) != 2 {
		t.Errorf("after damage: %v", set)
	}
}

// Hooks of one session run concurrently: none overwrites the records of another.
func TestInjectedByManyAtOnce(t *testing.T) {
	t.Parallel()
	m := seer(t, time.Now())
	var group sync.WaitGroup
	for i := range 40 {
		group.Go(func() {
			if err := m.MarkInjected("s1", []string{fmt.Sprint("a", i), fmt.Sprint("b", i)}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	set := m.Injected("s1")
	for i := range 40 {
		if !set.Has(fmt.Sprint("a", i)) || !set.Has(fmt.Sprint("b", i)) {
			t.Errorf("%d was lost", i)
		}
	}
}

func TestInjectedStaysSmall(t *testing.T) {
	t.Parallel()
	m := seer(t, time.Now())
	for round := range 30 {
		keys := make([]string, 200)
		for i := range keys {
			keys[i] = fmt.Sprint(round, "-", i)
		}
		mark(t, m, "s1", keys...)
	}
	if info, err := os.Stat(m.seenFile("s1")); err != nil || info.Size() > 2*maxSeenBytes {
		t.Errorf("file of %v, %v", info.Size(), err)
	}
	if set := m.Injected("s1"); !set.Has("29-199") || !set.Has("25-0") || set.Has("0-0") {
		t.Errorf("the newest of %d are not there, or the oldest still are", len(set))
	}
}

func TestInjectedForgetsOldSessions(t *testing.T) {
	t.Parallel()
	now := time.Now()
	m := seer(t, now)
	mark(t, m, "old", "a")
	long := now.Add(-maxSeenAge - time.Hour)
	if err := os.Chtimes(m.seenFile("old"), long, long); err != nil {
		t.Fatal(err)
	}
	for i := range maxSeenFiles + 20 {
		name := m.seenFile(fmt.Sprint(i))
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := now.Add(-time.Duration(i+1) * time.Minute)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	mark(t, m, "new", "a")
	files, err := os.ReadDir(m.seenDir())
	if err != nil || len(files) != maxSeenFiles {
		t.Errorf("%d files, %v: want %d", len(files), err, maxSeenFiles)
	}
	if m.Injected("old").Has("a") || !m.Injected("new").Has("a") {
		t.Error("the old one is still there, or the new one is not")
	}
}

func TestInjectedWritesNothingForNothing(t *testing.T) {
	t.Parallel()
	m := seer(t, time.Now())
	mark(t, m, "s1")
	mark(t, m, "", "a")
	m.ws.ReadOnly = true
	mark(t, m, "s1", "a")
	if _, err := os.Stat(m.seenDir()); err == nil {
		t.Error("a folder was made")
	}
}
