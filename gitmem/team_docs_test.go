package gitmem_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

func TestAskDocuments(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	r.l.write(r.dir+"/docs/adr/0001-use-redis.md",
		"# 1. Use Redis\n\n## Status\n\nSuperseded by [2](0002-use-postgres.md)\n\n## Decision\n\nSessions lie in Redis.\n")
	r.l.write(r.dir+"/docs/adr/0002-use-postgres.md",
		"# 2. Use Postgres\n\nDate: 2024-02-03\n\n## Status\n\nAccepted\n\n## Decision\n\n"+
			"We dropped Redis because two stores were one too many. "+secret+"\n")
	r.l.write(r.dir+"/CHANGELOG.md", "# Changes\n\n## 1.1.0 - 2024-05-06\n\n- The flywheel is lighter\n")
	r.l.write(r.dir+"/CLAUDE.md", "# Rules\n\nWe never use Redis.\n")
	r.commit("2024-06-01", "Ada Example", "a.txt", "Begin the pump")
	r.l.write(r.dir+"/README.md", "# Not committed\n\nThe zeppelin is a draft.\n")

	a := l.ask(r.dir, "why did we drop Redis?", gitmem.Filter{})
	var found gitmem.Citation
	for _, c := range a.Citations {
		if c.ID == "docs:docs/adr/0002-use-postgres.md#decision" {
			found = c
		}
	}
	if found.Status != "holds" || found.Type != "decision" || found.Path != "docs/adr/0002-use-postgres.md" ||
		found.Line != 11 || found.Source != "docs" || found.Trust != "untrusted" ||
		found.Time != "2024-02-03T00:00:00Z" || found.Author != "Ada Example" || strings.Contains(found.Excerpt, secret) {
		t.Errorf("%+v\nof %+v", found, a.Citations)
	}
	if !has(searchedAs(a), "documents 4") || !has(searchedAs(a), "commits 1") {
		t.Errorf("searched %q", searchedAs(a))
	}
	res := l.search(r.dir, "sessions lie in redis", gitmem.Filter{Type: "decision"})
	if len(res.Hits) == 0 || res.Hits[0].Title != "1. Use Redis › Decision (superseded)" {
		t.Errorf("a superseded decision: %+v", res.Hits)
	}
	if res := l.search(r.dir, "zeppelin", gitmem.Filter{}); len(res.Hits) != 0 {
		t.Errorf("what is not committed is found: %+v", res.Hits)
	}
	l.with(r.dir, func(m *gitmem.Memory) error {
		src, err := m.Shown(t.Context(), "docs:docs/adr/0001-use-redis.md#decision", gitmem.ShowOptions{})
		if err != nil || src.State != "superseded" || len(src.Links) != 1 ||
			src.Links[0].ID != "docs:docs/adr/0002-use-postgres.md" {
			t.Errorf("%+v, %v", src, err)
		}
		if whole, err := m.Shown(t.Context(), "docs:docs/adr/0002-use-postgres.md", gitmem.ShowOptions{}); err != nil ||
			!strings.Contains(whole.Text, "Accepted") || strings.Contains(whole.Text, secret) {
			t.Errorf("a whole document: %+v, %v", whole, err)
		}
		for _, id := range []string{"docs:README.md#not-committed", "docs:a.txt", "docs:CLAUDE.md#rules",
			"docs:docs/adr/0002-use-postgres.md#nothing"} {
			if _, err := m.Shown(t.Context(), id, gitmem.ShowOptions{}); !errors.Is(err, gitmem.ErrNotFound) {
				t.Errorf("%s: %v", id, err)
			}
		}
		return nil
	})
}

func searchedAs(a gitmem.Answer) []string {
	var out []string
	for _, s := range a.Searched {
		out = append(out, fmt.Sprint(s.Source, " ", s.Items))
	}
	return out
}

// Documents follow the current commit: changed, deleted and past ones.
func TestDocumentsFollowCommits(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.write(r.dir+"/README.md", "# Pump\n\nIt has a theremin.\n")
	l.write(r.dir+"/CONTRIBUTING.md", "# Contributing\n\nBring a glockenspiel.\n")
	r.commit("2024-01-01", "Ada Example", "a.txt", "Begin")
	found := func(word string, f gitmem.Filter) (out []gitmem.Hit) {
		for _, h := range l.search(r.dir, word, f).Hits {
			if strings.HasPrefix(h.ID, "docs:") { // the words of a change are also those of its commit
				out = append(out, h)
			}
		}
		return out
	}
	finds := func(word string, f gitmem.Filter) int { return len(found(word, f)) }
	if finds("theremin", gitmem.Filter{}) != 1 || finds("glockenspiel", gitmem.Filter{}) != 1 {
		t.Fatal("the documents are not found")
	}
	l.write(r.dir+"/README.md", "# Pump\n\nIt has a zither.\n")
	r.git("rm", "--quiet", "CONTRIBUTING.md")
	r.commit("2024-03-01", "Bob Example", "b.txt", "Change")
	for word, want := range map[string]int{"theremin": 0, "glockenspiel": 0, "zither": 1} {
		if n := finds(word, gitmem.Filter{}); n != want {
			t.Errorf("%s is found %d times", word, n)
		}
	}
	if h := found("zither", gitmem.Filter{})[0]; h.Time[:10] != "2024-03-01" || h.Author != "Bob Example" {
		t.Errorf("the document is of %s by %s", h.Time, h.Author)
	}
	if finds("theremin", gitmem.Filter{AsOf: "2024-02-01"}) != 1 ||
		finds("zither", gitmem.Filter{AsOf: "2024-02-01"}) != 0 {
		t.Error("in the past the documents are not those of then")
	}
}
