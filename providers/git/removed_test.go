package git_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

// revList returns the ids of git rev-list.
func revList(tb testing.TB, dir string, args ...string) []string {
	tb.Helper()
	ids := []string{}
	for _, hash := range strings.Fields(run(tb, dir, append([]string{"rev-list"}, args...)...)) {
		ids = append(ids, "git:commit:"+hash)
	}
	slices.Sort(ids)
	return ids
}

func caughtUp(tb testing.TB, s *git.Source, from providers.Cursor) ([]string, providers.Cursor) {
	tb.Helper()
	ids := []string{}
	next, err := s.Fetch(tb.Context(), from, func(it providers.Item) error {
		ids = append(ids, it.ID)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	slices.Sort(ids)
	return ids, next
}

// TestGoneAndFetch moves HEAD through random histories: removed and new items must be the same as git's.
func TestGoneAndFetch(t *testing.T) {
	t.Parallel()
	needGit(t)
	for seed, skew := range map[uint64]bool{31: false, 32: true} {
		t.Run(fmt.Sprint("skewed clocks ", skew), func(t *testing.T) {
			t.Parallel()
			const commits = 120
			dir := newRepo(t)
			runIn(t, dir, randomHistory(seed, commits, skew), "fast-import", "--quiet")
			r := rand.New(rand.NewPCG(seed, 2))
			run(t, dir, "symbolic-ref", "HEAD", "refs/heads/r100")
			s := git.NewSource(open(t, dir))
			all, at := caughtUp(t, s, providers.Cursor{})
			if diff := cmp.Diff(revList(t, dir, "r100"), all); diff != "" {
				t.Fatalf("the whole history (-git +gitmem):\n%s", diff)
			}
			old := "r100"
			for range 25 {
				now := fmt.Sprint("r", r.IntN(commits))
				run(t, dir, "symbolic-ref", "HEAD", "refs/heads/"+now)
				gone, err := s.RemovedItems(t.Context(), at)
				if err != nil {
					t.Fatal(err)
				}
				slices.Sort(gone)
				if diff := cmp.Diff(revList(t, dir, old, "^"+now), append([]string{}, gone...)); diff != "" {
					t.Errorf("gone from %s to %s (-git +gitmem):\n%s", old, now, diff)
				}
				var came []string
				came, at = caughtUp(t, s, at)
				if diff := cmp.Diff(revList(t, dir, now, "^"+old), came); diff != "" && !skew {
					t.Errorf("new from %s to %s (-git +gitmem):\n%s", old, now, diff)
				}
				for _, id := range revList(t, dir, now, "^"+old) { // there may be more with wrong clocks, but never fewer
					if !slices.Contains(came, id) {
						t.Errorf("from %s to %s, %s did not come", old, now, id)
					}
				}
				old = now
			}
		})
	}
}

// TestGoneCantBeTold: if a commit no longer exists, its history is unknown.
func TestGoneCantBeTold(t *testing.T) {
	t.Parallel()
	needGit(t)
	dir := newRepo(t)
	commitFile(t, dir, "a.txt", "a\n", "One", 1)
	s := git.NewSource(open(t, dir))
	if gone, err := s.RemovedItems(t.Context(), providers.Cursor{}); len(gone) > 0 || err != nil {
		t.Errorf("before anything was read: %v, %v", gone, err)
	}
	for name, c := range map[string]struct {
		value string
		want  error
	}{
		"no cursor":           {"x", providers.ErrBadCursor},
		"a tip that is gone":  {`{"tips":["` + strings.Repeat("1", 40) + `"]}`, providers.ErrDiverged},
		"another cut of it":   {`{"tips":["` + strings.Repeat("1", 40) + `"],"shallow":"0011"}`, providers.ErrDiverged},
		"a tip that is no id": {`{"tips":["master"]}`, providers.ErrBadCursor},
	} {
		if _, err := s.RemovedItems(t.Context(), providers.Cursor{Value: c.value}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestItems(t *testing.T) {
	t.Parallel()
	needGit(t)
	dir := newRepo(t)
	one := "git:commit:" + commitFile(t, dir, "a.txt", "a\n", "One", 1)
	two := "git:commit:" + commitFile(t, dir, "b.txt", "b\n", "Two", 2)
	unknown, short := "git:commit:"+strings.Repeat("2", 40), one[:20]
	s := git.NewSource(open(t, dir))
	var got []string
	missing, err := s.Items(t.Context(), []string{unknown, one, short, "docs:a", two}, func(it providers.Item) error {
		got = append(got, it.Title+" "+strings.Join(it.Paths, " "))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{"One a.txt", "Two b.txt"}, {unknown, short, "docs:a"}},
		[][]string{got, missing}); diff != "" {
		t.Errorf("items and missing ones (-want +got):\n%s", diff)
	}
}
