package index_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// builderEnv makes the test binary a process that rebuilds and updates the shard in the named directory until it is
// killed.
const builderEnv = "INDEX_TEST_BUILDER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(builderEnv); dir != "" {
		if err := buildForEver(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// buildForEver prints its progress to stdout, so that it can be killed at any step.
func buildForEver(dir string) error {
	s := index.Open(dir, index.Options{LockWait: time.Minute})
	r := newRand(uint64(os.Getpid()))
	w := killWorld()
	for n := 0; ; n++ {
		mutate(r, w)
		_, err := s.Refresh(context.Background(), func(marks map[string]index.Mark, st index.State) (index.Update, error) {
			fmt.Println("plan")
			if n%3 == 2 {
				marks = nil
			}
			up, err := w.plan(marks, st)
			up.Rebuild = len(marks) == 0
			if docs := up.Docs; docs != nil {
				up.Docs = func(yield func(index.Doc, error) bool) {
					for d, err := range docs {
						fmt.Println("document")
						if !yield(d, err) {
							return
						}
					}
				}
			}
			if marks := up.Marks; marks != nil {
				up.Marks = func() []index.Mark {
					fmt.Println("marks")
					return marks()
				}
			}
			return up, err
		})
		if err != nil {
			return err
		}
	}
}

func killWorld() world { return randomWorld(newRand(77), 3, 30) }

// TestKilledBuilder kills builders during their work. Whatever they leave, the next refresh must repair the index.
func TestKilledBuilder(t *testing.T) {
	t.Parallel()
	if os.Getenv("GITMEM_NIGHTLY") == "" {
		t.Skip("SKIPPED: .ci/nightly runs it, or GITMEM_NIGHTLY=1")
	}
	const rounds = 15
	dir := t.TempDir()
	s := index.Open(dir, index.Options{LockWait: 10 * time.Second})
	w := killWorld()
	r := newRand(5)
	for round := range rounds {
		killBuilder(t, dir, 1+r.IntN(260), time.Duration(r.IntN(12_000))*time.Microsecond)
		if st, err := s.State(); err != nil || st != index.Missing && st != index.Current {
			t.Errorf("round %d: State after the kill = %v, %v", round, st, err)
		}
		refresh(t, s, w)
		check(t, s, w)
		if err := s.Verify(); err != nil {
			t.Fatalf("round %d: Verify: %v", round, err)
		}
		mutate(r, w)
	}
	if left := generations(t, s); len(left) > 2 {
		t.Errorf("generations left: %v", left)
	}
}

// killBuilder starts a builder and kills it some time after it has printed the given number of lines.
func killBuilder(t *testing.T, dir string, lines int, after time.Duration) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), builderEnv+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	scan := bufio.NewScanner(out)
	read := 0
	for read < lines && scan.Scan() {
		read++
	}
	<-time.After(after) // a moment between two lines
	if err := cmd.Process.Kill(); err != nil {
		t.Errorf("kill after %d lines: %v", read, err)
	}
	for scan.Scan() { // so that the builder never blocks on a full pipe
	}
	_ = cmd.Wait() // it was killed
	if read < lines {
		t.Errorf("the builder ended after %d of %d lines", read, lines)
	}
}
