package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// faults makes steps of a disk fail.
type faults struct {
	mu    sync.Mutex
	step  int // 1-based
	fails func(step int, op string) error
	half  bool // a failing write writes half of its bytes first
	ops   []string
}

func (f *faults) next(op, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.step++
	f.ops = append(f.ops, op+" "+name)
	return f.fails(f.step, op)
}

// install inserts the faults between a store and its disk.
func (f *faults) install(d *disk) {
	d.around = func(st *step, do func() error) error {
		if st.op == "read" || st.op == "git" {
			return do()
		}
		return f.around(st, do)
	}
}

func (f *faults) around(st *step, do func() error) error {
	err := f.next(st.op, st.name)
	switch {
	case err == nil:
		return do()
	case st.op == "open":
		return &fs.PathError{Op: "open", Path: st.name, Err: err}
	case st.op == "write" && f.half:
		st.data = st.data[:len(st.data)/2]
		_ = do()
	case st.op == "truncate":
		return errors.Join(err, do())
	}
	return err
}

// modes are the ways in which a run can go wrong at step k.
func modes() map[string]func(k int) *faults {
	at := func(err error, half bool) func(k int) *faults {
		return func(k int) *faults {
			return &faults{half: half, fails: func(step int, op string) error {
				if step == k {
					return err
				}
				return nil
			}}
		}
	}
	return map[string]func(k int) *faults{
		"one error": at(syscall.EIO, true),
		// Nothing can be added from step k on; removing and truncating works.
		"disk full": func(k int) *faults {
			return &faults{half: true, fails: func(step int, op string) error {
				if step >= k && op != "remove" && op != "truncate" && op != "fsync" && op != "syncDir" {
					return syscall.ENOSPC
				}
				return nil
			}}
		},
		"read-only": func(k int) *faults {
			return &faults{fails: func(step int, op string) error {
				if step >= k {
					return syscall.EROFS
				}
				return nil
			}}
		},
		// The process has died at step k: nothing is cleaned up either.
		"dead": func(k int) *faults {
			return &faults{fails: func(step int, op string) error {
				if step >= k {
					return errors.New("dead")
				}
				return nil
			}}
		},
		"no hard links": func(k int) *faults {
			return &faults{half: true, fails: func(step int, op string) error {
				if op == "link" {
					return syscall.EPERM
				}
				if step == k {
					return syscall.EIO
				}
				return nil
			}}
		},
	}
}

// scenario performs a turn and returns the acknowledged lines and, separately, the attempted ones.
func scenario(s *Store) (acknowledged, tried []string) {
	r := redact.New()
	try := func(line string, do func() error) {
		tried = append(tried, line)
		if do() == nil {
			acknowledged = append(acknowledged, line)
		}
	}
	for _, rel := range []string{"gitmem/old.md", "gitmem/new/dir/log.md", "gitmem/new/dir/log.md"} {
		line := fmt.Sprintf("appended %d to %s", len(tried), rel)
		try(line, func() error { return s.Append(rel, r.Clean("# Header\n"), r.Clean(line)) })
	}
	line := "rewritten into old"
	try(line, func() error {
		return s.Rewrite(context.Background(), "gitmem/old.md", func([]byte) ([]Insertion, error) {
			return []Insertion{{Text: r.Clean(line + "\n")}}, nil
		})
	})
	_, _ = s.Commit(context.Background(), Change{Subject: "one", Fsync: true})
	line = "appended after the commit"
	try(line, func() error { return s.Append("gitmem/old.md", r.Clean(""), r.Clean(line)) })
	_, _ = s.Commit(context.Background(), Change{Subject: "two", Paths: []string{"gitmem/old.md"}})
	return acknowledged, tried
}

func TestFaults(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git in PATH, so what it thinks of our repository is NOT checked")
	}
	all := modes()
	stride := len(all)
	if os.Getenv("GITMEM_NIGHTLY") != "" {
		stride = 1
	}
	for i, name := range slices.Sorted(maps.Keys(all)) {
		mode := all[name]
		steps := countSteps(t, mode)
		if steps < 60 {
			t.Errorf("%s: only %d steps, are all seams in use?", name, steps)
		}
		// Each step fails in one of the ways; in all of them on demand.
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for k := 1 + i%stride; k <= steps; k += stride {
				checkFault(t, fmt.Sprintf("%s at step %d of %d", name, k, steps), mode(k))
			}
		})
	}
}

func countSteps(t *testing.T, mode func(int) *faults) int {
	t.Helper()
	f := mode(1 << 30)
	s := faultStore(t, t.TempDir())
	f.install(s.disk)
	scenario(s)
	return f.step
}

func faultStore(t *testing.T, root string) *Store {
	t.Helper()
	o := Options{Root: root, Now: func() time.Time { return time.Unix(1e9, 0) }, LockWait: 2 * time.Second}
	s, created, err := Init(context.Background(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if created {
		r := redact.New()
		if err := s.Append("gitmem/old.md", r.Clean("# Old\n"), r.Clean("the first line")); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Commit(context.Background(), Change{}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func checkFault(t *testing.T, what string, f *faults) {
	t.Helper()
	root := t.TempDir()
	s := faultStore(t, root)
	f.install(s.disk)
	acknowledged, tried := scenario(s)
	s.Close()
	op := "none"
	if len(f.ops) > 0 {
		op = fmt.Sprint(len(f.ops), " steps done")
	}

	again := faultStore(t, root)
	r := redact.New()
	if err := again.Append("gitmem/old.md", r.Clean(""), r.Clean("the last line")); err != nil {
		t.Fatalf("%s (%s): append afterwards: %v", what, op, err)
	}
	if _, err := again.Commit(context.Background(), Change{Subject: "last"}); err != nil {
		t.Fatalf("%s (%s): commit afterwards: %v\n%s", what, op, err, strings.Join(f.ops, "\n"))
	}
	if out := gitSays(t, root); out != "" {
		t.Errorf("%s: %s\n%s", what, out, strings.Join(f.ops, "\n"))
	}
	checkLines(t, what, again, append(acknowledged, "the first line", "the last line"), tried)
}

// gitSays returns git's report of problems with a repository.
func gitSays(t *testing.T, root string) string {
	t.Helper()
	var out strings.Builder
	for _, args := range [][]string{{"status", "--porcelain", "--untracked-files=all"},
		{"fsck", "--strict", "--no-dangling", "--no-progress"}} {
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "core.excludesFile="}, args...)...)
		b, err := cmd.CombinedOutput()
		if len(b) > 0 || err != nil {
			fmt.Fprintf(&out, "git %s: %v\n%s", args[0], err, b)
		}
	}
	left, _ := filepath.Glob(filepath.Join(root, ".git", "*.lock"))
	more, _ := filepath.Glob(filepath.Join(root, ".git", "refs", "heads", "*.lock"))
	for _, name := range append(left, more...) {
		fmt.Fprintf(&out, "%s is left\n", name)
	}
	return out.String()
}

// checkLines checks HEAD: acknowledged lines are there once, attempted ones at most once, and nothing else but headers.
func checkLines(t *testing.T, what string, s *Store, acknowledged, tried []string) {
	t.Helper()
	seen := map[string]int{}
	for f, err := range s.FilesAt("HEAD") {
		if err != nil {
			t.Fatal(err)
		}
		if f.Path == MarkFile {
			continue
		}
		b, err := s.Read("HEAD", f.Path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			if text := strings.TrimSuffix(line, "\n"); text != "" && !strings.HasPrefix(text, "# ") {
				seen[text]++
			}
		}
	}
	for _, line := range acknowledged {
		if seen[line] != 1 {
			t.Errorf("%s: %q was acknowledged and is there %d times", what, line, seen[line])
		}
		delete(seen, line)
	}
	for _, line := range tried {
		if seen[line] > 1 {
			t.Errorf("%s: %q is there %d times", what, line, seen[line])
		}
		delete(seen, line)
	}
	for line := range seen {
		t.Errorf("%s: torn line %q", what, line)
	}
}
