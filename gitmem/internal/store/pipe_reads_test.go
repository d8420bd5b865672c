package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown"
)

// TestReadsBesidePipes checks that no way of reading a history waits for the writer of a pipe in place of one of git's
// files.
func TestReadsBesidePipes(t *testing.T) {
	t.Parallel()
	needGit(t)
	for _, name := range []string{"HEAD", "refs/heads/main", "packed-refs", "config", "logs/HEAD", "logs/refs/heads/main",
		"index", "shallow",
		"info/grafts", "objects/info/alternates", "objects/info/commit-graph", "objects/pack/multi-pack-index", "object",
		"pack", "idx"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			s := initStore(t, root)
			write(t, root, "gitmem/a.md", "- one\n")
			first := commit(t, s, store.Change{Subject: "one"})
			file := filepath.Join(s.GitDir(), filepath.FromSlash(name))
			switch name {
			case "object":
				file = filepath.Join(s.GitDir(), "objects", first[:2], first[2:])
			case "pack", "idx":
				insist(t, root, "gc", "--quiet")
				found, err := filepath.Glob(filepath.Join(s.GitDir(), "objects", "pack", "*."+name))
				if err != nil || len(found) != 1 {
					t.Fatalf("%v, %v", found, err)
				}
				file = found[0]
			}
			if err := errors.Join(os.RemoveAll(file), os.MkdirAll(filepath.Dir(file), 0o700)); err != nil {
				t.Fatal(err)
			}
			makePipe(t, file)
			done := make(chan string)
			go func() {
				defer close(done)
				readAll(t, root, first, done)
			}()
			step := "opening"
			for {
				select {
				case next, ok := <-done:
					if !ok {
						return
					}
					step = next
				case <-time.After(5 * time.Minute):
					t.Fatalf("%s waits for the pipe", step)
				}
			}
		})
	}
}

// readAll reads a history in every way, and reports each before it begins.
func readAll(t *testing.T, root, first string, begins chan<- string) {
	s, err := store.Open(options(t, root))
	if err != nil {
		t.Log(err)
		return
	}
	defer s.Close()
	for _, rev := range []string{"HEAD", "main", first, first[:7], "HEAD~1"} {
		for what, read := range map[string]func() error{
			"Read":       func() error { _, err := s.Read(rev, "gitmem/a.md"); return err },
			"Look":       func() error { _, err := s.Look(t.Context(), rev); return err },
			"Revision":   func() error { _, err := s.Revision(rev); return err },
			"Blame":      func() error { _, err := s.Blame(t.Context(), rev, "gitmem/a.md"); return err },
			"Difference": func() error { _, err := s.Difference(t.Context(), first, rev, ""); return err },
			"At":         func() error { _, err := s.At(time.Now()); return err },
			"RevisionAt": func() error { _, err := s.RevisionAt(time.Now()); return err },
			"Files": func() error {
				for _, err := range s.FilesAt(rev) {
					if err != nil {
						return err
					}
				}
				return nil
			},
			"Log": func() error {
				for _, err := range s.Log(t.Context(), 0, "gitmem/a.md") {
					if err != nil {
						return err
					}
				}
				return nil
			},
			"LineLog": func() error {
				for _, err := range s.LineLog(t.Context(), "gitmem/a.md", markdown.Lines{Start: 0, End: 1}) {
					if err != nil {
						return err
					}
				}
				return nil
			},
		} {
			begins <- fmt.Sprint(what, " ", rev)
			if err := read(); err != nil {
				t.Logf("%s %s: %v", what, rev, err)
			}
		}
	}
}
