package git_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers/git"
)

// keptIn opens a repository for one call.
func keptIn(t *testing.T, k *git.Kept, dir string, do func(*git.Repository)) {
	t.Helper()
	loc, err := git.Discover(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := k.Open(loc)
	if err != nil {
		t.Fatal(err)
	}
	do(r)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}

// With the cache, the next call returns the same as without: for new commits and tags, a moved tag, other
// ignored commits, and a history that ends earlier.
func TestKeptIsWhatIsThere(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	first := commitFile(t, dir, "a.txt", "one\ntwo\n", "One", 1)
	run(t, dir, "tag", "v1.0.0")
	var k git.Kept
	look := func(what string) (seen string) {
		t.Helper()
		of := func(r *git.Repository) string {
			lines, _, err := r.BlameLines(t.Context(), "HEAD", "a.txt", []int{1, 2}, 1<<20)
			tags, tagErr := r.Tags()
			return fmt.Sprint(lines, tags, err, tagErr)
		}
		for range 2 {
			keptIn(t, &k, dir, func(r *git.Repository) { seen = of(r) })
		}
		if want := of(open(t, dir)); seen != want {
			t.Errorf("%s: kept %s, there is %s", what, seen, want)
		}
		return seen
	}
	seen := map[string]bool{look("first"): true}
	change := func(what string) {
		t.Helper()
		now := look(what)
		if seen[now] {
			t.Errorf("%s makes no difference: %s", what, now)
		}
		seen[now] = true
	}
	second := commitFile(t, dir, "a.txt", "one\ntwo more\n", "Two", 2)
	change("a commit")
	run(t, dir, "tag", "v1.1.0")
	change("a tag")
	run(t, dir, "tag", "-f", "v1.0.0", second)
	change("a tag that moved")
	writeFile(t, dir, ".git-blame-ignore-revs", second+"\n")
	run(t, dir, "add", ".git-blame-ignore-revs")
	commit(t, dir, "Ignore it", 3)
	change("a commit to ignore")
	run(t, dir, "reset", "-q", "--hard", second)
	writeFile(t, filepath.Join(dir, ".git"), "shallow", second+"\n")
	change("a shallow end")
	if first == second {
		t.Fatal("one commit")
	}
}

// A call with the same query as an earlier one reads no version of the file again except the newest.
func TestKeptSparesWork(t *testing.T) {
	dir := newRepo(t)
	for n := range 60 {
		commitFile(t, dir, "a.txt", fmt.Sprintf("one\n%d\n", n), "Change", n)
	}
	asked := func(k *git.Kept) (out []git.BlameLine) {
		keptIn(t, k, dir, func(r *git.Repository) {
			var err error
			if out, _, err = r.BlameLines(t.Context(), "HEAD", "a.txt", []int{1}, 1<<20); err != nil {
				t.Fatal(err)
			}
		})
		return out
	}
	var k git.Kept
	want := asked(nil)
	cold := testing.AllocsPerRun(2, func() { asked(nil) })
	warm := testing.AllocsPerRun(2, func() {
		if d := cmp.Diff(want, asked(&k)); d != "" {
			t.Fatal(d)
		}
	})
	if warm > cold/3 {
		t.Errorf("%.0f allocations for what is known, %.0f for what is not", warm, cold)
	}
}
