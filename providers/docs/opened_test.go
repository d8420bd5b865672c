package docs_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/docs"
)

// Several sections of one document cost one reading of it.
func TestSectionsOfOneDocumentAreReadOnce(t *testing.T) {
	t.Parallel()
	reads := 0
	read := func(docs.File) ([]byte, error) {
		reads++
		return []byte("# Pump\n\n## One\n\nThe first.\n\n## Two\n\nThe second.\n"), nil
	}
	s := docs.NewSource([]docs.File{{Path: "README.md", Hash: "aa"}}, read, func(string) docs.LastChange {
		return docs.LastChange{Author: providers.Person{Name: "Ada"}}
	})
	look := func(id, want string) {
		t.Helper()
		part, err := s.Section(id)
		if err != nil || !strings.Contains(part.Text, want) || part.Author.Name != "Ada" {
			t.Fatalf("%s: %q by %q, %v", id, part.Text, part.Author.Name, err)
		}
	}
	look("docs:README.md#one", "The first.")
	look("docs:README.md#two", "The second.")
	if reads != 1 {
		t.Errorf("read %d times", reads)
	}
}

// What Cut gives is found again by its id, and nothing else is.
func TestSectionsAreFound(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"README.md":             "# Pump\n\nA pump.\n\n## Use\n\nTurn it on.\n",
		"docs/adr/0001-pump.md": "# 1. Use a membrane pump\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nIt leaked.\n",
		"CHANGELOG.md":          "# Changes\n\n## 1.0.0 - 2024-02-03\n\n- First\n",
	}
	all := []docs.File{{Path: "main.go"}}
	for name := range texts {
		all = append(all, docs.File{Path: name})
	}
	files, _ := docs.Choose(all)
	s := docs.NewSource(files, func(f docs.File) ([]byte, error) { return []byte(texts[f.Path]), nil }, func(string) docs.LastChange { return touch() })
	n := 0
	for name, text := range texts {
		for _, want := range docs.Cut(name, []byte(text), touch(), docs.Paths(files)) {
			n++
			if got, err := s.Section(want.ID); err != nil || !cmp.Equal(got, want) {
				t.Errorf("%s: %v, %s", want.ID, err, cmp.Diff(want, got))
			}
		}
	}
	if n < 4 {
		t.Errorf("%d sections", n)
	}
	for _, id := range []string{"", ":", "nosuch:thing:1", "docs:main.go", "docs:README.md#zz", "docs:../../etc/passwd"} {
		if _, err := s.Section(id); !errors.Is(err, providers.ErrNotFound) {
			t.Errorf("Section(%q): %v", id, err)
		}
	}
}
