package git_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

func TestItemsTellCoAuthorsAndLinks(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	writeFile(t, dir, ".mailmap", "Robert <bob@new.example> <bob@old.example>\n")
	run(t, dir, "add", ".")
	first := commit(t, dir, "Start", 0)
	other := strings.Repeat("5", 40)
	last := commit(t, dir, "Take it back\n\nThis reverts commit "+first[:10]+".\nIt also reverts commits "+other+",\n"+
		first+" and so on.\n\n"+
		"* one commit\n\nCo-Authored-By: Bob <bob@old.example>\n\n(cherry picked from commit "+other+")\n"+
		"co-authored-by: Rob <BOB@new.example>\nCo-authored-by: Ada <ada@example.org>\n"+
		"Co-authored-by: Cleo <cleo@example.org>", 1)
	s := git.NewSource(open(t, dir))
	it := itemOf(t, s, "git:commit:"+last)
	want := providers.Item{
		Also: []providers.Person{{Name: "Robert", Email: "bob@new.example"}, {Name: "Cleo", Email: "cleo@example.org"}},
		Links: []providers.Link{
			{Rel: providers.Reverts, ID: "git:commit:" + first}, {Rel: providers.Reverts, ID: "git:commit:" + other},
			{Rel: providers.PickOf, ID: "git:commit:" + other},
		},
	}
	if diff := cmp.Diff(want, providers.Item{Also: it.Also, Links: it.Links}); diff != "" {
		t.Errorf("item (-want +got):\n%s", diff)
	}
	items, _, err := fetch(t, s, providers.Cursor{})
	if err != nil || len(items) != 2 {
		t.Fatalf("Fetch = %d items, %v", len(items), err)
	}
	if diff := cmp.Diff(it, items[0]); diff != "" {
		t.Errorf("Fetch and Items differ:\n%s", diff)
	}
}

// itemOf returns the item with an id.
func itemOf(tb testing.TB, s *git.Source, id string) (it providers.Item) {
	tb.Helper()
	missing, err := s.Items(tb.Context(), []string{id}, func(one providers.Item) error { it = one; return nil })
	if err != nil || len(missing) > 0 {
		tb.Fatal(missing, err)
	}
	return it
}
