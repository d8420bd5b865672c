package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A full storm is 8 writers with 50 notes each: go test ./cmd/gitmem -run Storm -storm 50
func stormNotes(t *testing.T) int { return numberFlag(t, "storm") }

// nightlyEnv enables tests that take long, or depend on chance or on the clock.
const nightlyEnv = "GITMEM_NIGHTLY"

func isNightly() bool { return os.Getenv(nightlyEnv) != "" }

// nightly skips a test unless .ci/nightly runs it.
func nightly(t *testing.T) {
	t.Helper()
	if !isNightly() {
		t.Skip("SKIPPED: .ci/nightly runs it, or " + nightlyEnv + "=1")
	}
}

// numberFlag reads a flag of TestMain.
func numberFlag(t *testing.T, name string) int {
	t.Helper()
	f := flag.Lookup(name)
	if f == nil {
		t.Fatalf("flag -%s is not registered", name)
	}
	n, ok := f.Value.(flag.Getter).Get().(int)
	if !ok {
		t.Fatalf("flag -%s is no number", name)
	}
	return n
}

// storm is one store with concurrent writers.
type storm struct {
	t    *testing.T
	home string
	env  []string
}

func newStorm(t *testing.T) *storm {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: nothing to write beside")
	}
	home := t.TempDir()
	t.Cleanup(func() { settle(t, home) })
	s := &storm{t: t, home: home}
	s.env = append(os.Environ(), "HOME="+home, "USERPROFILE="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"),
		"GITMEM_TEST_NOW=", "GITMEM_TEST_WAIT=5m",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
	s.must("gitmem", "init")
	return s
}

// settle waits for background processes that use a home, so that the folder can be removed. It finds them in
// /proc, if that exists.
func settle(tb testing.TB, home string) {
	tb.Helper()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if !atWork(tb, home) {
			return
		}
	}
	tb.Error("something still works in the background after 5 min")
}

func atWork(tb testing.TB, home string) bool {
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		tb.Error(err)
	}
	return slices.ContainsFunc(files, func(name string) bool {
		env, err := os.ReadFile(name)
		return err == nil && bytes.Contains(env, []byte("HOME="+home+"\x00"))
	})
}

func (s *storm) root() string { return filepath.Join(s.home, ".claude") }

func (s *storm) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir, c.Env = s.home, s.env
	return c
}

func (s *storm) must(name string, args ...string) string {
	s.t.Helper()
	out, err := s.command(name, args...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// gitLoop commits with the real git until done is closed, in a separate folder within memory, and retries
// when a lock is busy.
func (s *storm) gitLoop(id int, done <-chan struct{}) (commits int, err error) {
	dir := filepath.Join(s.root(), "projects", fmt.Sprintf("-git-%d", id), "memory")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, err
	}
	for n := 0; ; n++ {
		select {
		case <-done:
			return commits, nil
		default:
		}
		file := filepath.Join(dir, "topic.md")
		if err := os.WriteFile(file, fmt.Appendf(nil, "round %d\n", n), 0o600); err != nil {
			return commits, err
		}
		if s.command("git", "-C", s.root(), "add", file).Run() != nil {
			continue // busy lock
		}
		if s.command("git", "-C", s.root(), "commit", "--quiet", "--message", fmt.Sprintf("git %d %d", id, n), "--",
			file).Run() == nil {
			commits++
		}
	}
}

// verify checks that every note is once in HEAD, and that git finds no error.
func (s *storm) verify(notes []string) {
	s.t.Helper()
	head := s.must("git", "-C", s.root(), "grep", "-h", "note ", "HEAD", "--", "projects")
	for _, n := range notes {
		if c := strings.Count(head, n+"\n"); c != 1 {
			s.t.Errorf("%q stands %d times in HEAD", n, c)
		}
	}
	s.must("git", "-C", s.root(), "fsck", "--strict")
	if out := s.must("git", "-C", s.root(), "status", "--porcelain"); out != "" {
		s.t.Errorf("git status is not clean:\n%s", out)
	}
}

func TestStormOfNotesBesideGit(t *testing.T) {
	t.Parallel()
	nightly(t)
	s := newStorm(t)
	per := stormNotes(t)
	done := make(chan struct{})
	var gits, writers sync.WaitGroup
	commits := make([]int, 4)
	for i := range commits {
		gits.Go(func() {
			var err error
			if commits[i], err = s.gitLoop(i, done); err != nil {
				t.Error(err)
			}
		})
	}
	var notes []string
	for w := range 8 {
		for n := range per {
			notes = append(notes, fmt.Sprintf("note w%d n%03d", w, n))
		}
		writers.Go(func() {
			for n := range per {
				text := fmt.Sprintf("note w%d n%03d", w, n)
				if out, err := s.command("gitmem", "note", "--force", text).CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", text, err, out)
				}
			}
		})
	}
	writers.Wait()
	close(done)
	gits.Wait()
	// Git must finish a round that ended between its add and its commit.
	s.must("git", "-C", s.root(), "add", "projects")
	s.must("git", "-C", s.root(), "commit", "--quiet", "--allow-empty", "--message", "last round")
	s.verify(notes)
	t.Logf("%d notes by 8 processes beside %v commits by git", len(notes), commits)
}

// TestStormOfKills kills writers at random times. Text that was acknowledged with exit code 0 must be in
// HEAD; other text may be. No stale lock of ours may block git.
func TestStormOfKills(t *testing.T) {
	t.Parallel()
	nightly(t)
	if runtime.GOOS == "windows" {
		t.Skip("SIGKILL is not what ends processes on Windows")
	}
	s := newStorm(t)
	rng := rand.New(rand.NewPCG(7, 11))
	began := time.Now()
	s.must("gitmem", "note", "--force", "note first")
	span := int(time.Since(began).Microseconds()) * 3 / 2 // most kills hit a running note
	notes := []string{"note first"}
	killed := 0
	for n := range 4 * stormNotes(t) {
		text := fmt.Sprintf("note k%03d", n)
		c := s.command("gitmem", "note", "--force", text)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(rng.IntN(span))*time.Microsecond, func() { _ = c.Process.Kill() })
		err := c.Wait()
		timer.Stop()
		var exit *exec.ExitError
		switch {
		case err == nil:
			notes = append(notes, text)
		case errors.As(err, &exit) && exit.ExitCode() == -1:
			killed++
		default:
			t.Fatalf("%s: %v", text, err)
		}
		if n%10 == 9 { // our next call removes stale locks, then git must work again
			s.must("gitmem", "note", "--force", fmt.Sprintf("note after %03d", n))
			notes = append(notes, fmt.Sprintf("note after %03d", n))
			s.must("git", "-C", s.root(), "commit", "--quiet", "--allow-empty", "--message", "still going")
		}
	}
	s.must("gitmem", "note", "--force", "note last")
	s.verifyAtLeast(append(notes, "note last"))
	t.Logf("%d acknowledged, %d killed", len(notes)+1, killed)
}

func (s *storm) verifyAtLeast(notes []string) {
	s.t.Helper()
	s.verify(notes)
	if out := s.must("gitmem", "doctor"); strings.Contains(out, "!!") {
		s.t.Errorf("doctor found trouble:\n%s", out)
	}
}
