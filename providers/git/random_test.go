package git_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers/git"
)

// history writes a random history as a stream for "git fast-import": files that appear, change, disappear and
// turn into folders, links or executables, with branches and merges of two and more parents.
type history struct {
	rand *rand.Rand
	skew bool
	b    strings.Builder
	// files[i] is the content of commit i+1.
	files []map[string]string
}

// randomHistory has several commits per minute; with skew, some clocks are wrong.
func randomHistory(seed uint64, commits int, skew bool) string {
	h := &history{rand: rand.New(rand.NewPCG(seed, 1)), skew: skew}
	for n := range commits {
		h.commit(n)
	}
	return h.b.String()
}

func (h *history) commit(n int) {
	parents := h.parents(n)
	files := map[string]string{}
	if len(parents) > 0 {
		for k, v := range h.files[parents[0]] {
			files[k] = v
		}
	}
	when := 1700000000 + 60*(n/4)
	if h.skew && h.rand.IntN(8) == 0 {
		when += h.rand.IntN(1200) - 600
	}
	fmt.Fprintf(&h.b, "commit refs/heads/r%d\nmark :%d\ncommitter Ada <ada@example.org> %d +0%d00\n", n, n+1, when,
		h.rand.IntN(9))
	message := fmt.Sprintf("Change %d\n\nBody of %d", n, n)
	fmt.Fprintf(&h.b, "data %d\n%s\n", len(message), message)
	for i, p := range parents {
		fmt.Fprintf(&h.b, "%s :%d\n", []string{"from", "merge"}[min(i, 1)], p+1)
	}
	for range h.rand.IntN(5) {
		h.edit(files)
	}
	h.b.WriteString("\n")
	h.files = append(h.files, files)
}

// parents returns the last commit in most cases, sometimes an older one, several, or none.
func (h *history) parents(n int) []int {
	if n == 0 || h.rand.IntN(40) == 0 {
		return nil
	}
	parents := []int{n - 1}
	if h.rand.IntN(4) == 0 {
		parents[0] = max(0, n-1-h.rand.IntN(6))
	}
	for len(parents) < 4 && h.rand.IntN(5) == 0 {
		if p := h.rand.IntN(n); !slices.Contains(parents, p) {
			parents = append(parents, p)
		}
	}
	return parents
}

func (h *history) edit(files map[string]string) {
	// Few names, chosen so that a file and a folder with the same name, and names that sort between the two,
	// occur often.
	names := []string{"a", "a-b", "a.c", "a0", "b", "é", "x y"}
	path := names[h.rand.IntN(len(names))]
	for h.rand.IntN(2) == 0 {
		path += "/" + names[h.rand.IntN(len(names))]
	}
	if h.rand.IntN(3) == 0 {
		for _, f := range keys(files) {
			if h.rand.IntN(3) == 0 {
				delete(files, f)
				fmt.Fprintf(&h.b, "D %s\n", f)
				return
			}
		}
	}
	for f := range files {
		if strings.HasPrefix(f, path+"/") || strings.HasPrefix(path, f+"/") {
			delete(files, f)
		}
	}
	mode := []string{"100644", "100644", "100644", "100755", "120000"}[h.rand.IntN(5)]
	text := fmt.Sprint(h.rand.IntN(4))
	files[path] = mode + text
	fmt.Fprintf(&h.b, "M %s inline %s\ndata %d\n%s\n", mode, path, len(text), text)
}

// importHistory creates a bare repository from a stream; all branches are reachable from the returned tips.
func importHistory(tb testing.TB, stream string) (dir string, tips []string) {
	tb.Helper()
	needGit(tb)
	dir = tempDir(tb)
	run(tb, dir, "init", "-q", "--bare", "-b", "main", ".")
	runIn(tb, dir, stream, "fast-import", "--quiet")
	return dir, strings.Fields(run(tb, dir, "for-each-ref", "--format=%(objectname)", "--sort=refname"))
}

func TestWalkEqualsGitLog(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			dir, tips := importHistory(t, randomHistory(seed, 150, seed%2 == 1))
			r := open(t, dir)
			got := nameStatus(walk(t, r, git.WalkOptions{Paths: true}, tips...))
			want := gitNameStatus(t, dir, tips...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Walk and git log differ (-git +walk):\n%s", diff)
			}
			if s := r.Skipped(); len(s) > 0 {
				t.Errorf("skipped %v in a sound repository", s)
			}
		})
	}
}

// TestWalkNotEqualsGitLog leaves out the history of some tips.
func TestWalkNotEqualsGitLog(t *testing.T) {
	t.Parallel()
	dir, tips := importHistory(t, randomHistory(7, 200, false))
	r := open(t, dir)
	random := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		from := []string{tips[random.IntN(len(tips))], tips[random.IntN(len(tips))]}
		not := []string{tips[random.IntN(len(tips))], tips[random.IntN(len(tips))]}
		var got []string
		for _, c := range walk(t, r, git.WalkOptions{Not: not}, from...) {
			got = append(got, c.Hash)
		}
		args := append(append(append([]string{"rev-list"}, from...), "--not"), not...)
		want := strings.Fields(run(t, dir, args...))
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(want, got) {
			t.Errorf("Walk(%v, not %v) = %v, git says %v", from, not, got, want)
		}
		_, err := tryGit(dir, "", "merge-base", "--is-ancestor", not[0], from[0])
		is, err2 := r.Ancestor(t.Context(), not[0], from[0])
		if err2 != nil || is != (err == nil) {
			t.Errorf("Ancestor(%s, %s) = %v, %v; git says %v", not[0], from[0], is, err2, err)
		}
	}
}

func BenchmarkWalk(b *testing.B) {
	dir, tips := importHistory(b, randomHistory(1, 2000, false))
	for _, paths := range []bool{false, true} {
		b.Run(fmt.Sprintf("paths=%v", paths), func(b *testing.B) {
			for b.Loop() {
				loc, err := git.Discover(dir, nil)
				if err != nil {
					b.Fatal(err)
				}
				r, err := git.Open(loc)
				if err != nil {
					b.Fatal(err)
				}
				n := len(walk(b, r, git.WalkOptions{Paths: paths}, tips...))
				b.ReportMetric(float64(n), "commits")
				if err := r.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
