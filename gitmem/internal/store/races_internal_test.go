package store

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

func insertTop(t *testing.T, s *Store, rel string) {
	t.Helper()
	err := s.Rewrite(context.Background(), rel, func([]byte) ([]Insertion, error) {
		return []Insertion{{Text: redact.New().Clean("top\n")}}, nil
	})
	if err != nil {
		t.Error(err)
	}
}

func fileText(t *testing.T, s *Store, rel string) string {
	t.Helper()
	b, err := os.ReadFile(s.abs(rel))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestRewriteTakesOver has somebody write to the file between the last comparison and the rename.
func TestRewriteTakesOver(t *testing.T) {
	t.Parallel()
	s := faultStore(t, t.TempDir())
	const rel = "gitmem/old.md"
	calls := 0
	s.disk.around = func(st *step, do func() error) error {
		if st.op != "rename" {
			return do()
		}
		if calls++; calls == 1 {
			f, err := os.OpenFile(s.abs(rel), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString("theirs\n"); err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
		return do()
	}
	insertTop(t, s, rel)
	if got, want := fileText(t, s, rel), "top\n# Old\nthe first line\ntheirs\n"; got != want || calls != 2 {
		t.Errorf("%d renames, got %q, want %q", calls, got, want)
	}
}

// TestAppendFollowsRewrite finishes a rewrite between the open and the write of an append.
func TestAppendFollowsRewrite(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s, other := faultStore(t, root), faultStore(t, root)
	const rel = "gitmem/old.md"
	written := false
	s.disk.around = func(st *step, do func() error) error {
		if st.op == "write" && !written {
			written = true
			insertTop(t, other, rel)
		}
		return do()
	}
	r := redact.New()
	if err := s.Append(rel, r.Clean(""), r.Clean("mine")); err != nil {
		t.Fatal(err)
	}
	if got, want := fileText(t, s, rel), "top\n# Old\nthe first line\nmine\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSmudge changes a file without changing its size, time or inode right after a commit, as a fast writer with a
// coarse clock would, and lets another commit write a younger index.
func TestSmudge(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git in PATH")
	}
	s := faultStore(t, t.TempDir())
	const rel = "gitmem/old.md"
	name := s.abs(rel)
	second := time.Now().Truncate(time.Second)
	if err := os.Chtimes(name, second, second); err != nil {
		t.Fatal(err)
	}
	put := func(path, text string) {
		if err := os.WriteFile(s.abs(path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(rel, "one\n")
	_ = os.Chtimes(name, second, second)
	commitAll(t, s)
	index := filepath.Join(s.GitDir(), "index")
	if err := os.Chtimes(index, second, second); err != nil {
		t.Fatal(err)
	}
	put("gitmem/other.md", "x\n")
	if _, err := s.Commit(context.Background(), Change{Paths: []string{"gitmem/other.md"}}); err != nil {
		t.Fatal(err)
	}
	put(rel, "two\n")
	_ = os.Chtimes(name, second, second)
	future := second.Add(time.Hour)
	if err := os.Chtimes(index, future, future); err != nil {
		t.Fatal(err)
	}
	// The change of the inode must not reveal the change.
	cmd := exec.Command("git", "-C", s.Root(), "-c", "core.trustctime=false", "status", "--porcelain")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), " M "+rel) {
		t.Errorf("git does not see the change: %v\n%s", err, out)
	}
}

func commitAll(t *testing.T, s *Store) {
	t.Helper()
	if _, err := s.Commit(context.Background(), Change{}); err != nil {
		t.Fatal(err)
	}
}
