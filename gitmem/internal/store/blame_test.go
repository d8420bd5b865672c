package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown"
)

const notesFile = "projects/p/memory/MEMORY.md"

// origins returns "subject: line" for each line; "-" means no commit.
func origins(t *testing.T, s *store.Store, rev, rel string) []string {
	t.Helper()
	found, err := s.Blame(t.Context(), rev, rel)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, o := range found {
		subject := "-"
		if o.Commit != "" {
			c, err := s.Look(t.Context(), o.Commit)
			if err != nil {
				t.Fatal(err)
			}
			subject = c.Subject
		}
		if o.Line != i+1 {
			t.Errorf("line %d is said to be %d", i+1, o.Line)
		}
		out = append(out, subject+": "+o.Text)
	}
	return out
}

func TestBlame(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	if _, err := s.Blame(t.Context(), "", notesFile); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a file that is not there: %v", err)
	}
	for i, text := range []string{"a\nb\nc\n", "a\nx\nb\nc\n", "x\nb\nc\nd", "x\nb\nc\nd\n"} {
		write(t, s.Root(), notesFile, text)
		write(t, s.Root(), "gitmem/profile.md", fmt.Sprint(i)) // so that other files change, too
		commit(t, s, store.Change{Subject: fmt.Sprint(i)})
		write(t, s.Root(), "gitmem/profile.md", fmt.Sprint(i, "again"))
		commit(t, s, store.Change{Subject: "other"})
	}
	write(t, s.Root(), notesFile, "x\nnew\nb\nc\nd\n")
	want := []string{"1: x\n", "-: new\n", "0: b\n", "0: c\n", "3: d\n"}
	if diff := cmp.Diff(want, origins(t, s, "", notesFile)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"1: x\n", "0: b\n", "0: c\n", "2: d"}, origins(t, s, "HEAD~2", notesFile)); diff != "" {
		t.Error(diff)
	}
	write(t, s.Root(), "gitmem/new.md", "n\n")
	if diff := cmp.Diff([]string{"-: n\n"}, origins(t, s, "", "gitmem/new.md")); diff != "" {
		t.Error(diff)
	}
}

// TestBlameWhileCommitting checks that lines and their commits are of one state of memory, however often others commit
// meanwhile.
func TestBlameWhileCommitting(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	write(t, s.Root(), notesFile, "0\n")
	commit(t, s, store.Change{Subject: "0"})
	done, failed := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(failed)
		for running := true; running; {
			select {
			case <-done:
				running = false
			default:
			}
			for _, rev := range []string{"", "HEAD"} {
				if found, err := s.Blame(t.Context(), rev, notesFile); err != nil || len(found) == 0 {
					failed <- fmt.Errorf("%d lines, %w", len(found), err)
					return
				}
			}
		}
	}()
	for i, text := range []string{"0\n1\n", "0\n", "1\n", "0\n1\n2\n", "2\n", "0\n"} {
		write(t, s.Root(), notesFile+".new", text)
		if err := os.Rename(filepath.Join(s.Root(), notesFile+".new"), filepath.Join(s.Root(), notesFile)); err != nil {
			t.Error(err)
		}
		if _, err := s.Commit(t.Context(), store.Change{Subject: fmt.Sprint(i + 1)}); err != nil {
			t.Error(err)
		}
	}
	close(done)
	if err := <-failed; err != nil {
		t.Error(err)
	}
}

// TestBlameIsGits compares with git blame on histories with branches and merges in which every line is written once, so
// that there is one right answer.
func TestBlameIsGits(t *testing.T) {
	t.Parallel()
	needGit(t)
	const rounds = uint64(3)
	for seed := range rounds {
		rnd := rand.New(rand.NewPCG(seed, 5))
		s := initStore(t, t.TempDir())
		n := 0
		lines := []string{}
		change := func(branch string) {
			lines = strings.SplitAfter(strings.TrimSuffix(read(t, s.Root(), notesFile), "\n"), "\n")
			for range 1 + rnd.IntN(3) {
				n++
				lines = slices.Insert(lines, rnd.IntN(len(lines)), fmt.Sprintf("line %d of %s\n", n, branch))
			}
			if at := rnd.IntN(len(lines)); rnd.IntN(2) == 0 {
				lines = slices.Delete(lines, at, at+1)
			}
			write(t, s.Root(), notesFile, strings.TrimRight(strings.Join(lines, ""), "\n")+"\n")
			inStore(t, s, "add", "--all")
			inStore(t, s, "commit", "--quiet", "--allow-empty", "--message", fmt.Sprint(branch, n))
		}
		var first strings.Builder
		for i := range 20 {
			fmt.Fprintf(&first, "first %d\n", i)
		}
		write(t, s.Root(), notesFile, first.String())
		commit(t, s, store.Change{Subject: "first"})
		main := inStore(t, s, "symbolic-ref", "--short", "HEAD")
		for round := range 4 {
			side := fmt.Sprint("side", round)
			inStore(t, s, "checkout", "--quiet", "-b", side)
			change(side)
			change(side)
			inStore(t, s, "checkout", "--quiet", main)
			change("main")
			if out, err := tryGit(s.Root(), "--git-dir="+s.GitDir(), "--work-tree="+s.Root(), "-c",
				"merge.gitmem.driver=git merge-file --ours %A %O %B", "merge", "--quiet", "-m", "merge", side); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		checkBlame(t, s, fmt.Sprint("seed ", seed))
	}
}

// checkBlame compares with git blame.
func checkBlame(t *testing.T, s *store.Store, name string) {
	t.Helper()
	var want []string
	for line := range strings.Lines(inStore(t, s, "blame", "-l", "-s", "--root", notesFile)) {
		id, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		_, text, _ = strings.Cut(text, ") ")
		want = append(want, id+" "+text)
	}
	found, err := s.Blame(t.Context(), "HEAD", notesFile)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range found {
		got = append(got, o.Commit+" "+strings.TrimSuffix(o.Text, "\n"))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-git +ours):\n%s", name, diff)
	}
}

func TestLineLog(t *testing.T) {
	t.Parallel()
	s := initStore(t, t.TempDir())
	for i, text := range []string{
		"# A\n- a\n# B\n- b\n", "# A\n- a\n- a2\n# B\n- b\n", "# A\n- a\n- a2\n# B\n- b changed\n",
		"# A\n- a\n# B\n- b changed\n", "# 0\n- zero\n# A\n- a\n# B\n- b changed\n- b2\n",
	} {
		write(t, s.Root(), notesFile, text)
		commit(t, s, store.Change{Subject: fmt.Sprint(i)})
	}
	log := func(start, end int) string {
		out := ""
		for c, err := range s.LineLog(t.Context(), notesFile, markdown.Lines{Start: start, End: end}) {
			if err != nil {
				t.Fatal(err)
			}
			out += c.Subject
		}
		return out
	}
	for _, tt := range []struct {
		name       string
		start, end int
		want       string
	}{
		{"one line that never changed", 3, 4, "0"},
		{"a changed line", 5, 6, "20"},
		{"the section B", 4, 7, "420"},
		{"the section A and behind: a line came and went between", 2, 5, "310"},
		{"the new section", 0, 2, "4"},
		{"everything", 0, 7, "43210"},
	} {
		if got := log(tt.start, tt.end); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	write(t, s.Root(), notesFile, "not committed\n"+read(t, s.Root(), notesFile))
	if got := log(6, 7); got != "20" {
		t.Errorf("below an uncommitted line: %q", got)
	}
	if got := log(0, 1); got != "" {
		t.Errorf("an uncommitted line: %q", got)
	}
}

// TestLineLogOfMerge tests lines that one side of a merge changed.
func TestLineLogOfMerge(t *testing.T) {
	t.Parallel()
	needGit(t)
	s := initStore(t, t.TempDir())
	write(t, s.Root(), notesFile, "a\n1\n2\n3\nb\n")
	commit(t, s, store.Change{Subject: "first"})
	main := inStore(t, s, "symbolic-ref", "--short", "HEAD")
	inStore(t, s, "checkout", "--quiet", "-b", "side")
	write(t, s.Root(), notesFile, "a\n1\n2\n3\nb of side\n")
	commit(t, s, store.Change{Subject: "side"})
	inStore(t, s, "checkout", "--quiet", main)
	write(t, s.Root(), notesFile, "a of main\n1\n2\n3\nb\n")
	commit(t, s, store.Change{Subject: "main"})
	inStore(t, s, "merge", "--quiet", "-m", "merge", "side")
	for line, want := range map[int]string{0: "main first ", 4: "side first ", 2: "first "} {
		got := ""
		for c, err := range s.LineLog(t.Context(), notesFile, markdown.Lines{Start: line, End: line + 1}) {
			if err != nil {
				t.Fatal(err)
			}
			got += c.Subject + " "
		}
		if got != want {
			t.Errorf("line %d: %q, want %q", line, got, want)
		}
	}
	checkBlame(t, s, "merge")
}

// BenchmarkBlame blames the lines of a file that each of 2,000 commits changed, and of one that only the first did.
func BenchmarkBlame(b *testing.B) {
	s := initStore(b, b.TempDir())
	var text strings.Builder
	deep := "gitmem/projects/example.org/acme/pump/sessions/2026/2026-11-20.md"
	write(b, s.Root(), deep, "one\n")
	for i := range 2000 {
		fmt.Fprintf(&text, "- note number %d\n", i)
		write(b, s.Root(), notesFile, text.String())
		commit(b, s, store.Change{Subject: fmt.Sprint(i), Time: time.Unix(int64(1_700_000_000+i), 0)})
	}
	ask := func(b *testing.B, rel string) {
		for b.Loop() {
			if _, err := s.Blame(b.Context(), "", rel); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("changed", func(b *testing.B) { ask(b, notesFile) })
	b.Run("unchanged", func(b *testing.B) { ask(b, deep) })
	if out, err := tryGit(s.Root(), "--git-dir="+s.GitDir(), "gc", "--quiet"); err != nil {
		b.Skipf("no packs: %v %s", err, out)
	}
	b.Run("packed", func(b *testing.B) { ask(b, notesFile) })
	b.Run("line log", func(b *testing.B) {
		for b.Loop() {
			for _, err := range s.LineLog(b.Context(), notesFile, markdown.Lines{Start: 10, End: 20}) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
