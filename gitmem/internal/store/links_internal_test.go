package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// foreignText must never reach history; no redactor recognises it as a secret.
const foreignText = "the theme is dark\n"

// needLinks skips if the user can't create links.
func needLinks(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: making links needs a privilege here")
	}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// neverCommitted searches every object of the repository.
func neverCommitted(t *testing.T, s *Store, text string) {
	t.Helper()
	for f, err := range s.FilesAt("HEAD") {
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Read("HEAD", f.Path)
		if err != nil || strings.Contains(string(b), text) {
			t.Errorf("%s in HEAD: %q, %v", f.Path, b, err)
		}
	}
}

// TestSwapBetweenLookAndOpen replaces a file, or a parent folder, by a link between the check and the use.
func TestSwapBetweenLookAndOpen(t *testing.T) {
	t.Parallel()
	needLinks(t)
	for name, swap := range map[string]func(root string) error{
		"file inside":  func(root string) error { return relink(root+"/gitmem/dir/log.md", "../../settings.json") },
		"file outside": func(root string) error { return relink(root+"/gitmem/dir/log.md", root+"/../outside/log.md") },
		"folder":       func(root string) error { return relink(root+"/gitmem/dir", "../else") },
		"folder above": func(root string) error { return relink(root+"/gitmem/dir", "../../outside") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := filepath.Join(t.TempDir(), "root")
			s := faultStore(t, root)
			put(t, root+"/settings.json", foreignText)
			put(t, root+"/else/log.md", foreignText)
			put(t, root+"/../outside/log.md", foreignText)
			put(t, root+"/gitmem/dir/log.md", "ours\n")
			swapped := false
			s.disk.around = func(st *step, do func() error) error {
				if (st.op == "open" || st.op == "read") && strings.HasSuffix(st.name, "log.md") && !swapped {
					swapped = true
					if err := swap(root); err != nil {
						t.Error(err)
					}
				}
				return do()
			}
			b, _, err := s.disk.readPlain("gitmem/dir/log.md")
			if err == nil || strings.Contains(string(b), foreignText) || !swapped {
				t.Errorf("read %q, %v, swapped %v", b, err, swapped)
			}
			if err := s.Append("gitmem/dir/log.md", redact.New().Clean(""), redact.New().Clean("x")); err == nil {
				t.Error("appended through a link")
			}
			if _, err := s.Commit(context.Background(), Change{}); err != nil {
				t.Error(err)
			}
			neverCommitted(t, s, foreignText)
			for _, at := range []string{"/settings.json", "/else/log.md", "/../outside/log.md"} {
				if b, err := os.ReadFile(root + at); err != nil || string(b) != foreignText {
					t.Errorf("%s: %q, %v", at, b, err)
				}
			}
		})
	}
}

func relink(name, to string) error {
	return errors.Join(os.RemoveAll(name), os.Symlink(to, name))
}

// TestHardLinksAreHeld gives a file of memory a second name elsewhere.
func TestHardLinksAreHeld(t *testing.T) {
	t.Parallel()
	needLinks(t)
	root := t.TempDir()
	s := faultStore(t, root)
	var told []string
	s.o.Warn = func(text string) { told = append(told, text) }
	put(t, root+"/settings.json", foreignText)
	if err := os.Link(root+"/settings.json", root+"/gitmem/linked.md"); err != nil {
		t.Skip("SKIPPED: no hard links here")
	}
	put(t, root+"/gitmem/plain.md", "plain\n")
	if id, err := s.Commit(context.Background(), Change{}); id == "" || err != nil {
		t.Fatalf("the rest is not committed: %v", err)
	}
	neverCommitted(t, s, foreignText)
	if len(told) != 1 || !strings.Contains(told[0], "gitmem/linked.md is a hard link") {
		t.Errorf("told %q", told)
	}
	held, err := s.Held(context.Background())
	if err != nil || len(held) != 1 || held[0] != (Held{Path: "gitmem/linked.md", Kind: HardLink}) {
		t.Errorf("held %v, %v", held, err)
	}
	if _, err := s.Commit(context.Background(), Change{Paths: []string{"gitmem/linked.md"}}); !errors.Is(err, ErrHeld) {
		t.Errorf("committed by name: %v", err)
	}
	if err := os.Remove(root + "/settings.json"); err != nil {
		t.Fatal(err)
	}
	if id, err := s.Commit(context.Background(), Change{}); id == "" || err != nil {
		t.Errorf("with one name left: %q, %v", id, err)
	}
}

// TestOwnTemporaryNameIsNoOtherName has the leftovers of a process that died while it created a new file: the file and
// its temporary name are one inode.
func TestOwnTemporaryNameIsNoOtherName(t *testing.T) {
	t.Parallel()
	s := faultStore(t, t.TempDir())
	s.disk.around = func(st *step, do func() error) error {
		if st.op == "remove" && isTemp(filepath.Base(st.name)) {
			return errors.New("dead")
		}
		return do()
	}
	if err := s.Append("gitmem/log.md", redact.New().Clean("# Log\n"), redact.New().Clean("x")); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(s.abs("gitmem/" + tempPrefix + "*")); len(left) != 1 {
		t.Fatalf("temporary names: %q", left)
	}
	if id, err := s.Commit(context.Background(), Change{Paths: []string{"gitmem/log.md"}}); id == "" || err != nil {
		t.Errorf("held back: %v", err)
	}
}
