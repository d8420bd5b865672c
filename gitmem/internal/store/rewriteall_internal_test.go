package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// TestRewriteAllPutsBack fills the disk at each rename, and checks that all files are unchanged.
func TestRewriteAllPutsBack(t *testing.T) {
	t.Parallel()
	text := func(s string) redact.Clean { return redact.New().Clean(s) }
	for k := 1; k <= 4; k++ {
		root := t.TempDir()
		s, _, err := Init(t.Context(), Options{Root: root, Now: time.Now}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		was := map[string]string{"a.md": "a\n", "b.md": "b\n", "c.md": "c\n"}
		var files []FileEdit
		for _, name := range []string{"a.md", "b.md", "new.md", "c.md"} {
			if body, ok := was[name]; ok {
				if err := os.WriteFile(filepath.Join(root, "gitmem", name), []byte(body), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			files = append(files, FileEdit{"gitmem/" + name, func(old []byte) ([]Insertion, bool, error) {
				return []Insertion{{Cut: len(old), Text: text("x\n")}}, name == "b.md", nil
			}})
		}
		left := k
		s.disk.around = func(st *step, do func() error) error {
			if st.op == "rename" || st.op == "link" || st.op == "remove" && !isTemp(filepath.Base(st.name)) {
				if left--; left == 0 {
					return syscall.ENOSPC
				}
			}
			return do()
		}
		err = s.RewriteAll(t.Context(), files)
		if err == nil && k == 3 {
			continue // the new file: without hard links it is renamed
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("step %d: %v", k, err)
		}
		for name, want := range was {
			if b, err := os.ReadFile(filepath.Join(root, "gitmem", name)); err != nil || string(b) != want {
				t.Errorf("step %d: %s holds %q, %v", k, name, b, err)
			}
		}
		if _, err := os.Stat(filepath.Join(root, "gitmem", "new.md")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("step %d: the new file stays: %v", k, err)
		}
	}
}

// TestAppendBesideRemoval appends at the moment when a file is removed: the line must be in a file afterwards.
func TestAppendBesideRemoval(t *testing.T) {
	t.Parallel()
	clean := redact.New().Clean
	for _, when := range []string{"before the last look", "after it"} {
		root := t.TempDir()
		s, _, err := Init(t.Context(), Options{Root: root, Now: time.Now}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		const rel = "gitmem/log.md"
		if err := s.Append(rel, clean("# head\n"), clean("old\n")); err != nil {
			t.Fatal(err)
		}
		remove := FileEdit{rel, func(old []byte) ([]Insertion, bool, error) {
			return nil, string(old) == "# head\nold\n", nil
		}}
		done := make(chan error, 1)
		if when == "after it" {
			s.disk.around = func(st *step, do func() error) error {
				if string(st.data) == "new\n" { // already open, not yet written
					done <- s.RewriteAll(t.Context(), []FileEdit{remove})
				}
				return do()
			}
			err = s.Append(rel, clean("# head\n"), clean("new\n"))
		} else {
			s.disk.around = func(st *step, do func() error) error {
				if st.op == "remove" && st.name == rel {
					f, err := os.OpenFile(filepath.Join(root, rel), os.O_APPEND|os.O_WRONLY, 0)
					if err != nil {
						return err
					}
					if _, err := f.WriteString("new\n"); err != nil {
						return err
					}
					if err := f.Close(); err != nil {
						return err
					}
				}
				return do()
			}
			done <- s.RewriteAll(t.Context(), []FileEdit{remove})
		}
		if err := errors.Join(err, <-done); err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		b, err := os.ReadFile(filepath.Join(root, rel))
		if err != nil || len(b) < 4 || string(b[len(b)-4:]) != "new\n" {
			t.Errorf("%s: the line is lost: %q, %v", when, b, err)
		}
	}
}

// TestRewriteBesideLateWrites appends to the file that a rewrite replaces, and to its replacement: both lines are kept,
// and the edit exists once.
func TestRewriteBesideLateWrites(t *testing.T) {
	t.Parallel()
	clean := redact.New().Clean
	for _, late := range []int{0, 1, 2, 2 * rewriteTries} {
		root := t.TempDir()
		s, _, err := Init(t.Context(), Options{Root: root, Now: time.Now}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		const rel = "gitmem/log.md"
		if err := s.Append(rel, clean("# head\n"), clean("old\n")); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(root, rel)
		renames := 0
		s.disk.around = func(st *step, do func() error) error {
			if st.op != "rename" {
				return do()
			}
			renames++
			if st.name != rel || renames > 2+late {
				return do()
			}
			replaced, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer replaced.Close()
			if err := do(); err != nil {
				return err
			}
			now, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer now.Close()
			_, err = fmt.Fprintf(replaced, "replaced %d\n", renames)
			_, inPlace := fmt.Fprintf(now, "in place %d\n", renames)
			return errors.Join(err, inPlace)
		}
		err = s.Rewrite(t.Context(), rel, func([]byte) ([]Insertion, error) {
			return []Insertion{{Text: clean("top\n")}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := "top\n# head\nold\n"
		for i := range 2 + late {
			want += fmt.Sprintf("replaced %d\nin place %d\n", i+1, i+1)
		}
		if diff := cmp.Diff(want, string(b)); diff != "" {
			t.Errorf("%d renames (-want +got):\n%s", renames, diff)
		}
	}
}
