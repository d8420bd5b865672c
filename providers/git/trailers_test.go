package git_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

// trailerBodies are bodies with the trailers that git finds in them.
func trailerBodies() map[string][]git.Trailer {
	return map[string][]git.Trailer{
		"":                                      nil,
		"Just text.\n\nMore: of it\nand a line": nil,
		"Text.\n\nSigned-off-by: Ada <a@x>":     {{Key: "Signed-off-by", Value: "Ada <a@x>"}},
		"Text.\n\nReviewed-by : Bob\nFixes: #12\n  and #13\n": {
			{Key: "Reviewed-by", Value: "Bob"}, {Key: "Fixes", Value: "#12 and #13"},
		},
		"Text.\n\nA note on what follows.\nSigned-off-by: Ada\n(cherry picked from commit 0123456789012345678901234567890123456789)": {
			{Key: "Signed-off-by", Value: "Ada"},
		},
		"Text.\n\nAck: x\nno\nno\nno\nno": nil,
	}
}

func TestTrailers(t *testing.T) {
	t.Parallel()
	for body, want := range trailerBodies() {
		if diff := cmp.Diff(want, git.Trailers(body)); diff != "" {
			t.Errorf("Trailers(%q) (-want +got):\n%s", body, diff)
		}
	}
}

// TestTrailersEqualGit asks git about the same bodies.
func TestTrailersEqualGit(t *testing.T) {
	t.Parallel()
	dir := newRepo(t)
	for body := range trailerBodies() {
		var got strings.Builder
		for _, tr := range git.Trailers(body) {
			got.WriteString(tr.Key + ": " + tr.Value + "\n")
		}
		want := ""
		for line := range strings.Lines(runIn(t, dir, "Subject\n\n"+body, "interpret-trailers", "--parse")) {
			if !strings.HasPrefix(line, "(cherry") { // which is not a key and a value
				want += line
			}
		}
		if got.String() != want {
			t.Errorf("%q: %q, git says %q", body, got.String(), want)
		}
	}
}

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

func FuzzTrailers(f *testing.F) {
	for body := range trailerBodies() {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, tr := range git.Trailers(body) {
			if tr.Key == "" || strings.ContainsAny(tr.Key, " :\n") || strings.Contains(tr.Value, "\n") || !strings.Contains(body, tr.Key) {
				t.Fatalf("Trailers(%q) has %+v", body, tr)
			}
		}
	})
}
