package store_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// childEnv turns the test binary into a gitmem process: "root id count".
const childEnv = "GITMEM_TEST_CHILD"

func TestMain(m *testing.M) {
	if what := os.Getenv(childEnv); what != "" {
		os.Exit(child(what))
	}
	if root := os.Getenv(sectionEnv); root != "" {
		os.Exit(sectionChild(root))
	}
	if root := os.Getenv(purgeEnv); root != "" {
		os.Exit(purgeChild(root))
	}
	os.Exit(m.Run())
}

// child appends and commits lines, and prints each once it is acknowledged.
func child(what string) int {
	root, rest, _ := strings.Cut(what, "\n")
	id, number, _ := strings.Cut(rest, "\n")
	count, err := strconv.Atoi(number)
	if err != nil {
		return fail(err)
	}
	s, err := store.Open(store.Options{Root: root, Now: time.Now, Machine: id, LockWait: 5 * time.Minute,
		Warn: func(w string) { fmt.Fprintln(os.Stderr, "warning:", w) }})
	if err != nil {
		return fail(err)
	}
	for i := range count {
		line := fmt.Sprintf("line %d of %s", i, id)
		rel := fmt.Sprintf("gitmem/log/%d/shared.md", i%3)
		if err := s.Append(rel, clean("# Log\n"), clean(line)); err != nil {
			return fail(err)
		}
		fmt.Println(line)
		paths := []string{rel}
		if i%4 == 0 {
			paths = nil
		}
		if _, err := s.Commit(context.Background(), store.Change{Paths: paths, Subject: line, Fsync: i%5 == 0}); err != nil {
			return fail(err)
		}
	}
	return 0
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// childOf returns the test binary as another process.
func childOf(env, value string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(gitEnv(), env+"="+value)
	return cmd
}

func startChild(t *testing.T, root, id string, count int) (*exec.Cmd, *bufio.Scanner, *strings.Builder) {
	t.Helper()
	cmd := childOf(childEnv, fmt.Sprintf("%s\n%s\n%d", root, id, count))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out), &stderr
}

// nightlyEnv enables tests that are slow, or depend on chance or on the clock.
const nightlyEnv = "GITMEM_NIGHTLY"

// nightly skips tests that only .ci/nightly runs.
func nightly(t *testing.T) {
	t.Helper()
	if os.Getenv(nightlyEnv) == "" {
		t.Skip("SKIPPED: .ci/nightly runs it, or " + nightlyEnv + "=1")
	}
}

// checkLines checks that HEAD has each line once.
func checkLines(t *testing.T, s *store.Store, lines []string) {
	t.Helper()
	seen := map[string]int{}
	for f, err := range s.FilesAt("HEAD") {
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Read("HEAD", f.Path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			seen[strings.TrimSuffix(line, "\n")]++
		}
	}
	for _, line := range lines {
		if seen[line] != 1 {
			t.Errorf("%q is there %d times", line, seen[line])
		}
	}
}

// TestProcesses has several gitmem processes and several real git processes commit to one store at the same time.
func TestProcesses(t *testing.T) {
	t.Parallel()
	nightly(t)
	needGit(t)
	s := initStore(t, t.TempDir())
	commit(t, s, store.Change{})
	const children, gits, count = 4, 2, 50
	lines := make([][]string, children+gits)
	var wg sync.WaitGroup
	for c := range children {
		wg.Go(func() {
			cmd, out, stderr := startChild(t, s.Root(), fmt.Sprint("child", c), count)
			for out.Scan() {
				lines[c] = append(lines[c], out.Text())
			}
			if err := cmd.Wait(); err != nil || len(lines[c]) != count {
				t.Errorf("child %d: %d lines, %v\n%s", c, len(lines[c]), err, stderr)
			}
		})
	}
	for g := range gits {
		wg.Go(func() {
			for i := range count {
				line := fmt.Sprintf("line %d of git %d", i, g)
				rel := fmt.Sprintf("gitmem/by-git-%d.md", g)
				old, _ := os.ReadFile(filepath.Join(s.Root(), rel))
				write(t, s.Root(), rel, string(old)+line+"\n")
				insist(t, s.Root(), "add", rel)
				// Ours may have included the line already: a commit of everything does.
				insist(t, s.Root(), "-c", "gc.auto=0", "commit", "-q", "--allow-empty", "-m", line)
				lines[children+g] = append(lines[children+g], line)
			}
		})
	}
	wg.Wait()
	// git commit reads the index before it locks it. In between it can restore an old index, and its next commit then
	// reverts ours in HEAD. The file is unchanged, so the commit of everything repairs that.
	commit(t, s, store.Change{Subject: "after all"})
	history := inStore(t, s, "log", "-p", "--format=")
	for _, some := range lines {
		checkLines(t, s, some)
		for _, line := range some {
			if !strings.Contains(history, "\n+"+line+"\n") {
				t.Errorf("%q was never committed", line)
			}
		}
	}
	checkSound(t, s)
	want := 1 + gits*count
	if n, _ := strconv.Atoi(inStore(t, s, "rev-list", "--count", "HEAD")); n < want || n > want+children*count+1 {
		t.Errorf("%d commits", n)
	}
}

// insist retries git until it gets its locks.
func insist(t *testing.T, root string, args ...string) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Minute)
	for {
		out, err := tryGit(root, args...)
		if err == nil {
			return
		}
		// All processes of git share the message file.
		busy := strings.Contains(out, ".lock") || strings.Contains(out, "cannot lock ref") ||
			strings.Contains(out, "empty commit message")
		if !busy || time.Now().After(deadline) {
			t.Errorf("git %v: %v\n%s", args, err, out)
			return
		}
	}
}

// TestKill kills processes at random moments, two running at a time.
func TestKill(t *testing.T) {
	t.Parallel()
	nightly(t)
	needGit(t)
	if runtime.GOOS == "windows" {
		t.Skip("a killed process can't be told from others by its locks without hard links everywhere")
	}
	s := initStore(t, t.TempDir())
	commit(t, s, store.Change{})
	var mu sync.Mutex
	var acknowledged []string
	r := rand.New(rand.NewPCG(7, 7))
	const pairs = 200
	kills := 0
	for pair := range pairs {
		var wg sync.WaitGroup
		for c := range 2 {
			after, delay := 1+r.IntN(3), time.Duration(r.IntN(6000))*time.Microsecond
			wg.Go(func() {
				cmd, out, stderr := startChild(t, s.Root(), fmt.Sprintf("victim %d.%d", pair, c), 1000)
				for n := 0; out.Scan(); n++ {
					mu.Lock()
					acknowledged = append(acknowledged, out.Text())
					mu.Unlock()
					if n == after {
						time.AfterFunc(delay, func() { _ = cmd.Process.Kill() })
					}
				}
				err := cmd.Wait()
				mu.Lock()
				defer mu.Unlock()
				if kills++; err == nil || !strings.Contains(err.Error(), "killed") {
					t.Errorf("%v\n%s", err, stderr)
				}
			})
		}
		wg.Wait()
		if pair%5 == 4 {
			commit(t, s, store.Change{Subject: "after the kills"})
			checkSound(t, s)
			insist(t, s.Root(), "-c", "gc.auto=0", "commit", "-q", "--allow-empty", "-m", "git is not stalled")
		}
	}
	checkLines(t, s, acknowledged)
	if kills != 2*pairs {
		t.Errorf("%d kills", kills)
	}
	t.Logf("%d kills, %d acknowledged lines", kills, len(acknowledged))
	if left, _ := filepath.Glob(filepath.Join(s.IndexDir(), "locks", "*@*")); len(left) > 0 {
		t.Errorf("records are left: %v", left)
	}
}
