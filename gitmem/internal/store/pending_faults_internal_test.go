package store

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// TestBusyFaults makes each step fail, of writing while HEAD is detached, and of restoring what a forced checkout
// removed: in the end a line whose commit gave no error is in HEAD, once.
func TestBusyFaults(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git in PATH, so nothing detaches HEAD")
	}
	stride := 15
	if os.Getenv("GITMEM_NIGHTLY") != "" {
		stride = 1
	}
	for i, name := range slices.Sorted(maps.Keys(modes())) {
		mode := modes()[name]
		for _, later := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, later %v", name, later), func(t *testing.T) {
				t.Parallel()
				steps := busyFault(t, "no fault", mode(1<<30), later)
				if steps < 10 {
					t.Errorf("only %d steps, are all seams in use?", steps)
				}
				for k := 1 + i; k <= steps; k += stride {
					busyFault(t, fmt.Sprintf("step %d of %d", k, steps), mode(k), later)
				}
			})
		}
	}
}

// busyFault returns the number of steps.
func busyFault(t *testing.T, what string, f *faults, later bool) int {
	t.Helper()
	root, r := t.TempDir(), redact.New()
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%s: git %q: %v\n%s", what, args, err, out)
		}
	}
	s := faultStore(t, root)
	git("branch", "-M", "main")
	git("checkout", "-q", "--detach")
	if !later {
		f.install(s.disk)
	}
	var acknowledged, tried []string
	for _, line := range []string{"one", "two"} {
		tried = append(tried, line)
		err := s.Rewrite(context.Background(), "gitmem/old.md", func(old []byte) ([]Insertion, error) {
			return []Insertion{{At: len(old), Text: r.Clean(line + "\n")}}, nil
		})
		if err == nil {
			_, err = s.Commit(context.Background(), Change{Subject: line, Paths: []string{"gitmem/old.md"}, Fsync: true})
		}
		if err == nil {
			acknowledged = append(acknowledged, line)
		}
	}
	s.Close()
	s = faultStore(t, root)
	if err := s.Repair(context.Background()); err != nil { // git needs the lock that a dead process left
		t.Fatalf("%s: %v", what, err)
	}
	s.Close()
	_ = os.Remove(s.abs(s.gitPath("index.lock"))) // without hard links one may remain, which git reports
	git("checkout", "-qf", "main")
	if later {
		s = faultStore(t, root)
		f.install(s.disk)
		_ = s.Restore(context.Background())
		s.Close()
	}
	again := faultStore(t, root)
	if err := again.Append("gitmem/old.md", r.Clean(""), r.Clean("the last line")); err != nil {
		t.Fatalf("%s: append afterwards: %v", what, err)
	}
	if _, err := again.Commit(context.Background(), Change{Subject: "last"}); err != nil {
		t.Fatalf("%s: commit afterwards: %v", what, err)
	}
	if out := gitSays(t, root); out != "" {
		t.Errorf("%s: %s", what, out)
	}
	checkLines(t, what, again, append(acknowledged, "the first line", "the last line"), tried)
	return f.step
}
