package items_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/items"
	"github.com/gitmem/gitmem/providers"
)

func item(n int, text string) providers.Item {
	return providers.Item{
		ID: fmt.Sprintf("github:pr:%d", n), Kind: "pr", Type: "feature", Title: fmt.Sprintf("Change %d", n), Text: text,
		Author: providers.Person{Name: "Ann", Email: "ann@example.org"},
		Time:   time.Date(2024, 3, n%28+1, 10, 0, 0, 0, time.UTC),
		Links:  []providers.Link{{Rel: providers.Closes, ID: fmt.Sprintf("github:issue:%d", n+1000)}},
	}
}

// whole returns an item with every field set, and with characters that might separate fields of a record.
func whole() providers.Item {
	return providers.Item{
		ID: "jira:ABC-1", Kind: "issue", Type: "fix", Title: "A\ttab", Text: "lines\n\tof \u2028 text\n",
		Author: providers.Person{Name: "A\tB"},
		Time:   time.Date(2024, 3, 1, 10, 0, 0, 5, time.UTC), Paths: []string{"a b", "c\td"}, Refs: []string{"#1"},
		URL: "https://example.org/?a=b", Merge: true,
		Also: []providers.Person{{Name: "Bo"}}, State: "closed",
		Files: []providers.FileChange{{Path: "a b", From: "z", Added: 1, Removed: 2}},
		Gist:  "adds x", Words: "x y", Release: "v1.0.0",
		Links: []providers.Link{{Rel: providers.PartOf, ID: "docs:a b=c%20\u00a0+.md#x"}, {Rel: "odd = rel", ID: "x"},
			{Rel: providers.Mentions, ID: ""}},
	}
}

func writer(t *testing.T, c *items.Cache) *items.Writer {
	t.Helper()
	w, ok, err := c.Write()
	if err != nil || !ok {
		t.Fatalf("Write: %v, %v", ok, err)
	}
	return w
}

func put(t *testing.T, w *items.Writer, list ...providers.Item) {
	t.Helper()
	for _, it := range list {
		if _, err := w.Put(it); err != nil {
			t.Fatal(err)
		}
	}
}

// fill adds items to a cache and saves them with a cursor.
func fill(t *testing.T, c *items.Cache, cursor string, list ...providers.Item) {
	t.Helper()
	w := writer(t, c)
	put(t, w, list...)
	if err := w.Save(items.Fetch{Cursor: providers.Cursor{Value: cursor}, Done: time.Unix(1000, 0).UTC()}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// held returns the items of a cache by id.
func held(t *testing.T, c *items.Cache) map[string]providers.Item {
	t.Helper()
	l, err := c.Read()
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	out := map[string]providers.Item{}
	for r, err := range l.Records(0) {
		if err != nil {
			t.Fatal(err)
		}
		it, err := r.Item()
		if err != nil {
			t.Fatal(err)
		}
		out[r.ID] = it
		at, err := l.At(r.ID, r.Offset, r.Length)
		if diff := cmp.Diff(it, at); diff != "" || err != nil {
			t.Errorf("At(%s): %v\n%s", r.ID, err, diff)
		}
	}
	return out
}

func state(t *testing.T, c *items.Cache) items.State {
	t.Helper()
	s, err := c.State()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWhatIsPutIsRead(t *testing.T) {
	t.Parallel()
	c := items.Open(filepath.Join(t.TempDir(), "a", "b"))
	if diff := cmp.Diff(items.State{}, state(t, c)); diff != "" {
		t.Errorf("state of a cache that is not there: %s", diff)
	}
	fill(t, c, "c1", item(1, "one"), item(2, "two"), whole())
	want := map[string]providers.Item{"github:pr:1": item(1, "one"), "github:pr:2": item(2, "two"), "jira:ABC-1": whole()}
	if diff := cmp.Diff(want, held(t, c)); diff != "" {
		t.Error(diff)
	}
	length := state(t, c).Length
	w := writer(t, c)
	for _, step := range []struct {
		it   providers.Item
		want bool
	}{{item(1, "one"), false}, {item(2, "new"), true}, {item(2, "new"), false}} {
		if changed, err := w.Put(step.it); err != nil || changed != step.want {
			t.Errorf("Put(%s, %q) = %v, %v", step.it.ID, step.it.Text, changed, err)
		}
	}
	linked := item(1, "one")
	linked.Links = nil
	if changed, err := w.Put(linked); err != nil || !changed {
		t.Errorf("an item with other links: changed is %v, %v", changed, err)
	}
	if err := errors.Join(w.Save(items.Fetch{}), w.Close()); err != nil {
		t.Fatal(err)
	}
	want = map[string]providers.Item{"github:pr:1": linked, "github:pr:2": item(2, "new"), "jira:ABC-1": whole()}
	if diff := cmp.Diff(want, held(t, c)); diff != "" {
		t.Error(diff)
	}
	s := state(t, c)
	l, err := c.Read()
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var later []string
	for r, err := range l.Records(length) {
		if err != nil {
			t.Fatal(err)
		}
		later = append(later, r.ID)
	}
	if diff := cmp.Diff([]string{"github:pr:2", "github:pr:1"}, later); diff != "" || s.Items != 3 {
		t.Errorf("%d items, and since the first fetch: %s", s.Items, diff)
	}
}

func TestOneWriter(t *testing.T) {
	t.Parallel()
	c := items.Open(t.TempDir())
	w := writer(t, c)
	if _, ok, err := c.Write(); ok || err != nil {
		t.Errorf("a second writer: %v, %v", ok, err)
	}
	put(t, w, item(1, "unsaved"))
	if len(held(t, c)) != 0 {
		t.Error("what was not saved is read")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := writer(t, c).Close(); err != nil {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	w := writer(t, items.Open(t.TempDir()))
	defer w.Close()
	if _, err := w.Put(item(1, strings.Repeat("x", items.MaxRecord))); !errors.Is(err, items.ErrTooLarge) {
		t.Errorf("an item of 8 MiB: %v", err)
	}
	for _, id := range []string{"", "a b", "a\tb", "a\nb", strings.Repeat("x", 2000)} {
		if _, err := w.Put(providers.Item{ID: id}); err == nil {
			t.Errorf("the id %.20q was taken", id)
		}
	}
	if w.Items() != 0 {
		t.Errorf("%d items were kept", w.Items())
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	c := items.Open(t.TempDir())
	fill(t, c, "c1", item(1, "one"), item(2, "two"))
	before := state(t, c)
	w := writer(t, c)
	if err := w.Reset(); err != nil {
		t.Fatal(err)
	}
	put(t, w, item(3, "three"))
	if err := errors.Join(w.Save(items.Fetch{Cursor: providers.Cursor{Value: "c2"}}), w.Close()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]providers.Item{"github:pr:3": item(3, "three")}, held(t, c)); diff != "" {
		t.Error(diff)
	}
	if after := state(t, c); after.Log == before.Log || after.Fetch.Cursor.Value != "c2" {
		t.Errorf("the log is %s as before, or the cursor is lost: %+v", before.Log, after)
	}
}

func TestCompaction(t *testing.T) {
	t.Parallel()
	c := items.Open(t.TempDir())
	text := strings.Repeat("word ", 20_000)
	for round := range 40 {
		fill(t, c, fmt.Sprint(round), item(1, text+fmt.Sprint(round)), item(2, "stays"))
	}
	s := state(t, c)
	if s.Length > 3<<20 || s.Items != 2 || s.Fetch.Cursor.Value != "39" {
		t.Errorf("after 40 rounds of 100 kB: %+v", s)
	}
	logs, err := filepath.Glob(filepath.Join(c.Dir(), "items-*"))
	if err != nil || len(logs) != 1 {
		t.Errorf("logs %v, %v", logs, err)
	}
	want := map[string]providers.Item{"github:pr:1": item(1, text+"39"), "github:pr:2": item(2, "stays")}
	if diff := cmp.Diff(want, held(t, c)); diff != "" {
		t.Error(diff)
	}
}

func TestGraph(t *testing.T) {
	t.Parallel()
	c := items.Open(t.TempDir())
	pr := item(7, "pr")
	pr.Links = []providers.Link{{Rel: providers.Closes, ID: "github:issue:3"},
		{Rel: providers.Contains, ID: "git:commit:aa"}}
	review := providers.Item{ID: "github:review:7:1", Kind: "review",
		Links: []providers.Link{{Rel: providers.PartOf, ID: pr.ID}}}
	issue := providers.Item{ID: "github:issue:3", Kind: "issue",
		Links: []providers.Link{{Rel: providers.ClosedBy, ID: pr.ID}, {Rel: providers.Reverts, ID: "x:1"}}}
	fill(t, c, "c", pr, review, issue)
	l, err := c.Read()
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	g, err := items.NewGraph(l)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string][]providers.Link{
		"github:pr:7": {{Rel: providers.Closes, ID: "github:issue:3"}, {Rel: providers.Contains, ID: "git:commit:aa"},
			{Rel: providers.Contains, ID: "github:review:7:1"}},
		"github:issue:3":    {{Rel: providers.ClosedBy, ID: "github:pr:7"}, {Rel: providers.Reverts, ID: "x:1"}},
		"git:commit:aa":     {{Rel: providers.PartOf, ID: "github:pr:7"}},
		"github:review:7:1": {{Rel: providers.PartOf, ID: "github:pr:7"}},
		"x:1":               {{Rel: providers.Mentions, ID: "github:issue:3"}},
		"github:issue:1008": nil,
	} {
		if diff := cmp.Diff(want, g.Links(id)); diff != "" {
			t.Errorf("links of %s: %s", id, diff)
		}
	}
	if it, err := g.Item("github:pr:7"); err != nil || it.Title != "Change 7" || !g.Has("github:pr:7") {
		t.Errorf("Item: %+v, %v", it, err)
	}
	if _, err := g.Item("github:pr:8"); !errors.Is(err, providers.ErrNotFound) || g.Has("github:pr:8") {
		t.Errorf("an item that is not there: %v", err)
	}
}

func TestStateOfSomethingElse(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"other version": `{"version":2,"log":"items-1","length":0,"items":0,"fetch":{}}`,
		"a path":        `{"version":1,"log":"items-1/../../x","length":0,"items":0,"fetch":{}}`,
		"negative":      `{"version":1,"log":"items-1","length":-1,"items":0,"fetch":{}}`,
		"two":           `{"version":1,"log":"items-1","length":0,"items":0}{}`,
		"cut":           `{"version":1,"log":"items-1"`,
		"empty":         ``,
	} {
		c := items.Open(t.TempDir())
		if err := os.WriteFile(filepath.Join(c.Dir(), "state.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(items.State{}, state(t, c)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		fill(t, c, "c", item(1, "one"))
		if len(held(t, c)) != 1 {
			t.Errorf("%s: the cache can't be used", name)
		}
	}
}
