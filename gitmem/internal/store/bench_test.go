package store_test

import (
	"fmt"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// BenchmarkAppendCommit is one append and one commit in a store that is opened
// anew each time, as a short-lived process does, beside what git takes for the
// same: two processes. Times are for one commit.
func BenchmarkAppendCommit(b *testing.B) {
	needGit(b)
	for _, files := range []int{100, 1000, 10000} {
		for _, fsync := range []bool{false, true} {
			b.Run(fmt.Sprintf("files=%d/gitmem/fsync=%v", files, fsync), func(b *testing.B) {
				root := benchStore(b, files)
				for b.Loop() {
					s, err := store.Open(options(b, root))
					if err != nil {
						b.Fatal(err)
					}
					if err := s.Append(benchPath, clean(""), clean("a line")); err != nil {
						b.Fatal(err)
					}
					if id, err := s.Commit(b.Context(), store.Change{Paths: []string{benchPath}, Fsync: fsync}); err != nil || id == "" {
						b.Fatal(id, err)
					}
					s.Close()
				}
			})
		}
		b.Run(fmt.Sprintf("files=%d/gitmem/everything", files), func(b *testing.B) {
			root := benchStore(b, files)
			s := initStore(b, root)
			for b.Loop() {
				if err := s.Append(benchPath, clean(""), clean("a line")); err != nil {
					b.Fatal(err)
				}
				commit(b, s, store.Change{})
			}
		})
		b.Run(fmt.Sprintf("files=%d/git", files), func(b *testing.B) {
			root := benchStore(b, files)
			s := initStore(b, root)
			for b.Loop() {
				if err := s.Append(benchPath, clean(""), clean("a line")); err != nil {
					b.Fatal(err)
				}
				git(b, root, "add", benchPath)
				git(b, root, "-c", "gc.auto=0", "commit", "-q", "-m", "x")
			}
		})
	}
}

const benchPath = "gitmem/p0/m0/f0.md"

func benchStore(b *testing.B, files int) string {
	root := b.TempDir()
	s := initStore(b, root)
	for i := range files {
		write(b, root, benchFile(i, files), fmt.Sprintln("file", i))
	}
	commit(b, s, store.Change{})
	git(b, root, "gc", "-q")
	// What was written in the second of the last commit is compared by content.
	git(b, root, "update-index", "-q", "--refresh")
	return root
}

// BenchmarkAppend is what a hook pays.
func BenchmarkAppend(b *testing.B) {
	root := b.TempDir()
	initStore(b, root)
	for b.Loop() {
		s, err := store.Open(options(b, root))
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Append("gitmem/projects/h/o/r/observations/2026-11/20.md", clean("# Log\n"), clean("a line")); err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

func benchFile(i, files int) string {
	return fmt.Sprintf("gitmem/p%d/m%d/f%d.md", i%10, i/10%(1+files/200), i)
}
