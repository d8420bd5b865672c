package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// damage is a defect of a file of the repository.
type damage struct {
	name, file string
	content    string // its content; "dir", "full dir" and "gone" replace it by something else
	logs       bool   // whether the logs are deleted, too
	refused    bool   // no commit is made until it is repaired
	mended     bool   // repaired by Repair
}

func (d damage) do(t *testing.T, git string) {
	t.Helper()
	name := filepath.Join(git, filepath.FromSlash(d.file))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.RemoveAll(name))
	if d.logs {
		must(os.RemoveAll(filepath.Join(git, "logs")))
	}
	switch d.content {
	case "gone":
	case "dir":
		must(os.MkdirAll(name, 0o700))
	case "full dir":
		must(os.MkdirAll(filepath.Join(name, "x"), 0o700))
	case "pipe":
		makePipe(t, name)
	default:
		must(os.WriteFile(name, []byte(d.content), 0o600))
	}
}

// TestDamagedHeadAndIndex checks that after any damage of git's index, HEAD or the branch, a commit continues from the
// last one or is refused with the reason, and never begins another history; the doctor names the damage, and repairs it
// if the right content is known.
func TestDamagedHeadAndIndex(t *testing.T) {
	t.Parallel()
	needGit(t)
	zeros := strings.Repeat("\x00", 41)
	const branch = "refs/heads/main"
	for _, d := range []damage{
		{name: "index empty", file: "index", content: ""},
		{name: "index cut", file: "index", content: "DIRC\x00\x00\x00\x02\x00"},
		{name: "index zeroed", file: "index", content: zeros},
		{name: "index gone", file: "index", content: "gone"},
		{name: "index a folder", file: "index", content: "dir", refused: true, mended: true},
		{name: "index a pipe", file: "index", content: "pipe", refused: true, mended: true},
		{name: "index a full folder", file: "index", content: "full dir", refused: true},
		{name: "branch gone", file: branch, content: "gone", refused: true, mended: true},
		{name: "branch empty", file: branch, content: "", refused: true, mended: true},
		{name: "branch zeroed", file: branch, content: zeros, refused: true, mended: true},
		{name: "branch of zeros", file: branch, content: strings.Repeat("0", 40) + "\n", refused: true, mended: true},
		{name: "branch cut", file: branch, content: "0123456789", refused: true, mended: true},
		{name: "branch unknown", file: branch, content: strings.Repeat("12", 20) + "\n", refused: true, mended: true},
		{name: "branch a loop", file: branch, content: "ref: refs/heads/main\n", refused: true, mended: true},
		{name: "branch a folder", file: branch, content: "dir", refused: true, mended: true},
		{name: "branch a pipe", file: branch, content: "pipe", refused: true, mended: true},
		{name: "branch and logs gone", file: branch, content: "gone", logs: true, refused: true},
		{name: "HEAD gone", file: "HEAD", content: "gone", refused: true, mended: true},
		{name: "HEAD empty", file: "HEAD", content: "", refused: true, mended: true},
		{name: "HEAD zeroed", file: "HEAD", content: zeros, refused: true, mended: true},
		{name: "HEAD a folder", file: "HEAD", content: "dir", refused: true, mended: true},
		{name: "HEAD a pipe", file: "HEAD", content: "pipe", refused: true, mended: true},
		{name: "HEAD a loop", file: "HEAD", content: "ref: HEAD\n", refused: true, mended: true},
		{name: "HEAD outside", file: "HEAD", content: "ref: refs/../../x\n", refused: true, mended: true},
		{name: "HEAD names another branch", file: "HEAD", content: "ref: refs/heads/nope\n"},
		{name: "packed-refs a pipe", file: "packed-refs", content: "pipe"},
		{name: "packed-refs zeroed", file: "packed-refs", content: zeros},
		{name: "log a pipe", file: "logs/HEAD", content: "pipe"},
	} {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			s := initStore(t, root)
			write(t, root, "gitmem/a.md", "- one\n")
			first := commit(t, s, store.Change{Subject: "one"})
			d.do(t, s.GitDir())
			done := make(chan struct{})
			go func() {
				defer close(done)
				checkDamaged(t, s, d, first)
			}()
			select {
			case <-done:
			case <-time.After(5 * time.Minute):
				t.Fatal("it hangs")
			}
		})
	}
}

func checkDamaged(t *testing.T, s *store.Store, d damage, first string) {
	if err := s.Append("gitmem/a.md", clean(""), clean("- two")); err != nil {
		t.Error(err)
	}
	_, err := s.Commit(t.Context(), store.Change{Subject: "two", Paths: []string{"gitmem/a.md"}})
	if (err != nil) != d.refused {
		t.Errorf("commit: %v", err)
	}
	if b, err := os.ReadFile(filepath.Join(s.Root(), "gitmem", "a.md")); string(b) != "- one\n- two\n" {
		t.Errorf("the file holds %q, %v", b, err)
	}
	if !d.refused {
		return
	}
	found, err := s.IndexState(t.Context())
	if err != nil || len(found) == 0 || found[0].Level != store.Fail || found[0].Fixable != d.mended &&
		d.content != "full dir" {
		t.Errorf("found %v, %v", found, err)
	}
	if err := s.Repair(t.Context()); d.mended && err != nil {
		t.Error(err)
	}
	// or the lock's holder has already done so
	_, err = s.Commit(t.Context(), store.Change{Subject: "two", Paths: []string{"gitmem/a.md"}})
	if !d.mended {
		if err == nil {
			t.Error("it was committed")
		}
		return
	}
	if err != nil {
		t.Error(err)
		return
	}
	if parent := inStore(t, s, "rev-parse", "HEAD^"); parent != first {
		t.Errorf("the parent is %s, not %s", parent, first)
	}
	checkSound(t, s)
}
