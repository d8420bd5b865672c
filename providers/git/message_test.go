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
	last := commit(t, dir, "Take it back\n\nThis reverts commit "+first[:10]+".\nIt also reverts commits "+other+",\n"+first+" and so on.\n\n"+
		"* one commit\n\nCo-Authored-By: Bob <bob@old.example>\n\n(cherry picked from commit "+other+")\n"+
		"co-authored-by: Rob <BOB@new.example>\nCo-authored-by: Ada <ada@example.org>\nCo-authored-by: Cleo <cleo@example.org>", 1)
	s := git.NewSource(open(t, dir))
	it, err := s.Resolve(t.Context(), "git:commit:"+last)
	if err != nil {
		t.Fatal(err)
	}
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
		t.Errorf("Fetch and Resolve differ:\n%s", diff)
	}
	for name, read := range map[string]func(func(providers.Item) error) error{
		"CatchUp": func(yield func(providers.Item) error) error {
			_, err := s.CatchUp(t.Context(), providers.Cursor{}, yield)
			return err
		},
		"Items": func(yield func(providers.Item) error) error {
			_, err := s.Items(t.Context(), []string{it.ID}, yield)
			return err
		},
	} {
		var got []providers.Item
		err := read(func(it providers.Item) error { got = append(got, it); return nil })
		if err != nil || len(got) == 0 {
			t.Fatalf("%s = %d items, %v", name, len(got), err)
		}
		if diff := cmp.Diff(it, got[0]); diff != "" {
			t.Errorf("%s and Resolve differ:\n%s", name, diff)
		}
	}
}
