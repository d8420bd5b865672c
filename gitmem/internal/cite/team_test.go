package cite_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/providers"
)

func TestParseTeam(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]cite.ID{
		"github:pr:12":              {Kind: "github:pr", Number: 12},
		"github:issue:7":            {Kind: "github:issue", Number: 7},
		"github:review:12:99":       {Kind: "github:review", Number: 12, Fragment: "99"},
		"[github:comment:12:r-9_x]": {Kind: "github:comment", Number: 12, Fragment: "r-9_x"},
		"gitlab:mr:1":               {Kind: "gitlab:mr", Number: 1},
		"gitlab:issue:2":            {Kind: "gitlab:issue", Number: 2},
		"gitlab:note:2:3":           {Kind: "gitlab:note", Number: 2, Fragment: "3"},
		"jira:abc-12":               {Kind: cite.KindJira, Name: "ABC-12"},
		"docs:docs/adr/0001.md#why": {Kind: cite.KindDocument, Name: "docs/adr/0001.md", Fragment: "why"},
		"docs:README.md":            {Kind: cite.KindDocument, Name: "README.md"},
		"docs:a#b.md#":              {Kind: cite.KindDocument, Name: "a#b.md"},
	} {
		id, err := cite.Parse(in)
		if diff := cmp.Diff(want, id); diff != "" || err != nil {
			t.Errorf("Parse(%q): %v\n%s", in, err, diff)
			continue
		}
		if again, err := cite.Parse(id.String()); err != nil || again != id {
			t.Errorf("Parse(%q) = %+v, %v", id, again, err)
		}
	}
	for _, in := range []string{
		"github:pr:0", "github:pr:-1", "github:pr:+1", "github:pr:012", "github:pr:1:2", "github:pr:99999999999999999999",
		"github:pr", "github:pr:x",
		"github:review:1", "github:review:1:", "github:review:1:../x", "github:comment:1:" + strings.Repeat("x", 65),
		"github:wiki:1", "gitlab:pr:1", "github:mr:1",
		"jira:abc", "jira:ABC-0", "jira:../ABC-1", "jira:ABC-1/x", "docs:../secret", "docs:/etc/passwd", "docs:a/../b",
		"docs:a//b", "docs:.", "docs:#x", "docs:a.md#b c", "docs:a\x1b.md",
	} {
		if id, err := cite.Parse(in); err == nil {
			t.Errorf("Parse(%q) = %+v, want an error", in, id)
		}
	}
}

// items are the items of an Elsewhere.
type items struct {
	cite.Elsewhere
	pr providers.Item
}

func (e items) TeamItem(id cite.ID) (providers.Item, int, error) {
	switch id.Kind {
	case "github:pr":
		return e.pr, 0, nil
	case cite.KindDocument:
		return providers.Item{ID: id.String(), Type: "decision", Title: "Why", Text: "Because.", Paths: []string{id.Name}}, 5,
			nil
	}
	return providers.Item{}, 0, cite.ErrNotFound
}

func (e items) Page(cite.ID) string { return "" }

func TestResolveTeam(t *testing.T) {
	t.Parallel()
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	it := providers.Item{
		ID: "github:pr:12", Kind: "pr", Type: "fix", Title: "Fix the relay", Text: "It stuck. token " + secret,
		Author: providers.Person{Name: "Ann"},
		Time:   time.Unix(1000, 0).UTC(), Paths: []string{"relay.c"}, State: "merged", URL: "https://github.com/a/b/pull/12",
		Also: []providers.Person{{Name: "Bo"}}, Links: []providers.Link{{Rel: providers.Closes, ID: "github:issue:3"}},
	}
	r := &cite.Resolver{Redactor: redact.New(), Project: "github.com/a/b", Elsewhere: items{pr: it}}
	got, err := r.Resolve("github:pr:12")
	if err != nil || strings.Contains(got.Text, secret) {
		t.Errorf("%v: %q", err, got.Text)
	}
	if !strings.HasPrefix(got.Text, "Fix the relay\n\nIt stuck. token ") {
		t.Errorf("the text is %q", got.Text)
	}
	got.Text = ""
	want := cite.Source{
		ID: it.ID, Layer: "team", Source: "github", Type: "fix", Title: it.Title, Author: "Ann", Time: it.Time,
		Project: "github.com/a/b", Path: "relay.c",
		Paths: it.Paths, State: "merged", URL: it.URL, Also: []string{"Bo"}, Links: it.Links,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	doc, err := r.Resolve("docs:adr/1.md#why")
	if err != nil || doc.Text != "Because." || doc.Line != 5 || doc.Path != "adr/1.md" {
		t.Errorf("a document: %+v, %v", doc, err)
	}
	for _, id := range []string{"github:issue:1", "jira:ABC-1"} {
		if _, err := r.Resolve(id); !errors.Is(err, cite.ErrNotFound) {
			t.Errorf("Resolve(%s): %v", id, err)
		}
	}
	if _, err := (&cite.Resolver{Redactor: redact.New()}).Resolve("github:pr:12"); !errors.Is(err, cite.ErrNotFound) {
		t.Errorf("without any source: %v", err)
	}
}
