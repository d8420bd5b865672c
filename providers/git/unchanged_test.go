package git_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/providers/git"
)

// TestUnchanged compares with a walk from commit to commit.
func TestUnchanged(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		dir, tips := importHistory(t, randomHistory(seed, 120, seed%2 == 1))
		r, steps := open(t, dir), open(t, dir)
		rnd := rand.New(rand.NewPCG(seed, 3))
		for range 60 {
			tip := tips[rnd.IntN(len(tips))]
			entries, err := steps.List(tip, "")
			if err != nil {
				t.Fatal(err)
			}
			if len(entries) == 0 {
				continue
			}
			e := entries[rnd.IntN(len(entries))]
			got, _, err := r.LastUnchanged(t.Context(), tip, e.Path)
			if want := lastUnchanged(t, steps, tip, e); got != want || err != nil {
				t.Fatalf("seed %d: %s at %s is unchanged since %s, %v; want %s", seed, e.Path, tip, got, err, want)
			}
		}
	}
}

// lastUnchanged follows first parents as long as an entry is the same.
func lastUnchanged(t *testing.T, r *git.Repository, rev string, e git.Entry) string {
	t.Helper()
	for {
		c, err := r.Commit(rev)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Parents) == 0 {
			return rev
		}
		before, err := r.List(c.Parents[0], e.Path)
		if err != nil || len(before) != 1 || before[0] != e {
			return rev
		}
		rev = c.Parents[0]
	}
}

// The differences between versions of a folder are computed once for all of its files.
func TestUnchangedIsFoundOnce(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	first := commitFile(t, dir, "src/a.go", "a\n", "Add", 0)
	commitFile(t, dir, "src/b.go", "b\n", "Add another one", 1)
	for i := range 20 {
		commitFile(t, dir, fmt.Sprintf("src/%d.go", i), "c\n", "Add one more", 2+2*i)
		commitFile(t, dir, "README.md", fmt.Sprintln(i), "Tell of it", 3+2*i)
	}
	r := open(t, dir)
	got, versions, err := r.LastUnchanged(t.Context(), "HEAD", "src/a.go")
	if got != first || err != nil {
		t.Errorf("unchanged since %s, %v", got, err)
	}
	for _, name := range []string{"src/b.go", "src/0.go"} {
		if _, now, err := r.LastUnchanged(t.Context(), "HEAD", name); now != versions || err != nil {
			t.Errorf("%s: %d versions of the folder were looked at after %d, %v", name, now, versions, err)
		}
	}
}

// Searches for removed files read each commit once.
func TestSearchesShareCommits(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	commits := []string{commitFile(t, dir, "a.go", "a\n", "Add", 0),
		commitFile(t, dir, "b.go", "b\n", "Add another one", 1)}
	run(t, dir, "rm", "-q", "a.go")
	gone := commit(t, dir, "Remove", 2)
	for i := range 5 {
		commits = append(commits, commitFile(t, dir, "c.go", fmt.Sprintln(i), "Change", 3+i))
	}
	r := open(t, dir)
	if got, err := r.Removed(t.Context(), "HEAD", "a.go"); got != gone || err != nil {
		t.Fatalf("%s, %v", got, err)
	}
	for _, id := range append(commits[:len(commits)-1], gone) { // HEAD is looked up again
		if err := os.Remove(filepath.Join(dir, ".git", "objects", id[:2], id[2:])); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := r.Removed(t.Context(), "HEAD", "a.go"); got != gone || err != nil || len(r.Skipped()) > 0 {
		t.Errorf("after the commits are gone: %s, %v, %v", got, err, r.Skipped())
	}
}

// The comparisons of a blame are reused for the changes of the same lines.
func TestVersionsAreComparedOnce(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	text, ids := "one\n", []string{}
	for i := range 5 {
		text += fmt.Sprintf("line %d\n", i)
		commitFile(t, dir, "a.go", text, "Change", i)
		ids = append(ids, strings.TrimSpace(run(t, dir, "rev-parse", "HEAD:a.go")))
	}
	r := open(t, dir)
	if _, err := r.Blame(t.Context(), "HEAD", "a.go", 0, 0); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids[:len(ids)-1] {
		if err := os.Remove(filepath.Join(dir, ".git", "objects", id[:2], id[2:])); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for _, err := range r.LineLog(t.Context(), "HEAD", "a.go", 1, 1) {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	if n != 1 || len(r.Skipped()) > 0 {
		t.Errorf("%d changes, %v", n, r.Skipped())
	}
}
