package git_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
	"github.com/gitmem/gitmem/providers/providertest"
)

func TestSourceContract(t *testing.T) {
	t.Parallel()
	needGit(t)
	providertest.Run(t, func(t *testing.T) providertest.Fixture {
		dir := sample(t)
		n := 10
		return providertest.Fixture{
			Source: git.NewSource(open(t, dir)),
			Grow: func(t *testing.T) []string {
				n += 3
				run(t, dir, "checkout", "-q", "-b", "side")
				one := commitFile(t, dir, "side.txt", "s", "Work aside", n)
				run(t, dir, "checkout", "-q", "main")
				two := commitFile(t, dir, "main.txt", "m", "Work on", n+1)
				run(t, dir, "merge", "-q", "--no-ff", "-m", "Merge side", "side")
				run(t, dir, "branch", "-q", "-D", "side")
				run(t, dir, "rm", "-q", "side.txt", "main.txt")
				last := commit(t, dir, "Clear up", n+2)
				merge := run(t, dir, "rev-parse", "HEAD~1")
				return []string{"git:commit:" + one, "git:commit:" + two, "git:commit:" + merge, "git:commit:" + last}
			},
		}
	})
}

// fetch collects the items since from.
func fetch(tb testing.TB, s *git.Source, from providers.Cursor) ([]providers.Item, providers.Cursor, error) {
	tb.Helper()
	var items []providers.Item
	next, err := s.Fetch(tb.Context(), from, func(it providers.Item) error {
		items = append(items, it)
		return nil
	})
	return items, next, err
}

func TestSourceItems(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	root := commitFile(t, dir, "a.go", "a", "feat: add a (#12)\n\nSee ABC-1.", 0)
	run(t, dir, "checkout", "-q", "-b", "side")
	commitFile(t, dir, "b_test.go", "b", "Cover a", 1)
	run(t, dir, "checkout", "-q", "main")
	run(t, dir, "merge", "-q", "--no-ff", "-m", "Merge side", "side")
	items, _, err := fetch(t, git.NewSource(open(t, dir)), providers.Cursor{})
	if err != nil || len(items) != 3 {
		t.Fatalf("Fetch = %v, %v", items, err)
	}
	i := slices.IndexFunc(items, func(it providers.Item) bool { return it.ID == "git:commit:"+root })
	got := items[i]
	got.Time = got.Time.UTC()
	want := providers.Item{
		ID: "git:commit:" + root, Kind: "commit", Type: "feature",
		Title: "feat: add a (#12)", Text: "See ABC-1.",
		Author: providers.Person{Name: "Ada", Email: "ada@example.org"},
		Time:   got.Time, Paths: []string{"a.go"}, Refs: []string{"#12", "ABC-1"},
	}
	if diff := cmp.Diff(want, got); diff != "" || got.Time.Unix() != 1700000000 {
		t.Errorf("item of %v (-want +got):\n%s", got.Time, diff)
	}
	for _, it := range items {
		if it.Merge != (it.Title == "Merge side") {
			t.Errorf("%q: Merge = %v", it.Title, it.Merge)
		}
		if it.Title == "Cover a" && it.Type != "test" {
			t.Errorf("%q has type %q", it.Title, it.Type)
		}
	}
}

func TestSourceNewBranchContinues(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	s := git.NewSource(open(t, dir))
	_, cursor, err := fetch(t, s, providers.Cursor{})
	if err != nil {
		t.Fatal(err)
	}
	run(t, dir, "checkout", "-q", "-b", "topic")
	id := commitFile(t, dir, "t.txt", "t", "On a topic", 9)
	items, _, err := fetch(t, s, cursor)
	if err != nil || len(items) != 1 || items[0].ID != "git:commit:"+id {
		t.Errorf("Fetch = %v, %v; want the one commit of the new branch", items, err)
	}
}

func TestSourceUnshallowed(t *testing.T) {
	t.Parallel()
	origin := sample(t)
	dir := filepath.Join(tempDir(t), "shallow")
	run(t, origin, "clone", "-q", "--depth=2", "file://"+filepath.ToSlash(origin), dir)
	s := git.NewSource(open(t, dir))
	items, cursor, err := fetch(t, s, providers.Cursor{})
	if err != nil || len(items) != 2 {
		t.Fatalf("Fetch in a shallow clone = %d items, %v; want 2", len(items), err)
	}
	run(t, dir, "fetch", "-q", "--unshallow")
	if _, _, err := fetch(t, s, cursor); !errors.Is(err, providers.ErrDiverged) {
		t.Errorf("Fetch after --unshallow: %v, want ErrDiverged, as older commits appeared", err)
	}
	if items, _, err := fetch(t, s, providers.Cursor{}); err != nil || len(items) != 4 {
		t.Errorf("Fetch from the start = %d items, %v; want 4", len(items), err)
	}
}

func TestSourceEmpty(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	s := git.NewSource(open(t, dir))
	items, cursor, err := fetch(t, s, providers.Cursor{})
	if err != nil || len(items) != 0 {
		t.Fatalf("Fetch without commits = %v, %v", items, err)
	}
	commitFile(t, dir, "a", "a", "First", 0)
	if items, _, err := fetch(t, s, cursor); err != nil || len(items) != 1 {
		t.Errorf("Fetch after the first commit = %v, %v", items, err)
	}
}

func TestSourceUnreadableTip(t *testing.T) {
	t.Parallel()
	dir := sample(t)
	tip := run(t, dir, "rev-parse", "HEAD")
	if err := os.Remove(looseObject(filepath.Join(dir, ".git"), tip)); err != nil {
		t.Fatal(err)
	}
	if _, next, err := fetch(t, git.NewSource(open(t, dir)), providers.Cursor{}); err == nil {
		t.Errorf("Fetch = %q and no error, although HEAD can't be read", next.Value)
	}
}
