package docs_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/docs"
)

// Looking up several sections of a few documents reads each document once, in any order of the lookups, and
// long documents do not all stay in memory.
func TestDocumentsAreReadOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ documents, bytes, most int }{"short": {3, 10, 3},
		"long": {12, docs.MaxSize - 1000, 24}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reads := 0
			read := func(docs.File) ([]byte, error) {
				reads++
				return []byte("# Pump\n\n## One\n\nThe first.\n\n## Two\n\n" + strings.Repeat("x", tt.bytes) + "\n"), nil
			}
			var files []docs.File
			for i := range tt.documents {
				files = append(files, docs.File{Path: fmt.Sprintf("docs/%d.md", i), Hash: "aa"})
			}
			s := docs.NewSource(files, read, func(string) docs.LastChange {
				return docs.LastChange{Author: providers.Person{Name: "Ada"}}
			})
			for range 2 {
				for _, f := range files {
					part, err := s.Section("docs:" + f.Path + "#one")
					if err != nil || strings.TrimSpace(part.Text) != "The first." || part.Author.Name != "Ada" {
						t.Fatalf("%s: %q by %q, %v", f.Path, part.Text, part.Author.Name, err)
					}
				}
			}
			if reads > tt.most || tt.most > tt.documents && reads == tt.documents {
				t.Errorf("%d documents were read %d times", tt.documents, reads)
			}
		})
	}
}

// Sections returned by Cut are found by their ids, and no others.
func TestSectionsAreFound(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"README.md": "# Pump\n\nA pump.\n\n## Use\n\nTurn it on.\n",
		"docs/adr/0001-pump.md": "# 1. Use a membrane pump\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n\n## Context\n\n" +
			"It leaked.\n",
		"CHANGELOG.md": "# Changes\n\n## 1.0.0 - 2024-02-03\n\n- First\n",
	}
	all := []docs.File{{Path: "main.go"}}
	for name := range texts {
		all = append(all, docs.File{Path: name})
	}
	files, _ := docs.Choose(all)
	s := docs.NewSource(files, func(f docs.File) ([]byte, error) {
		return []byte(texts[f.Path]), nil
	}, func(string) docs.LastChange { return touch() })
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

// A lookup in a long document only builds the requested section.
func TestLookUpMakesOneSection(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Changes\n")
	for i := range 200 {
		fmt.Fprintf(&b, "\n## 1.%d.0 - 2024-02-03\n\n", i)
		for j := range 10 {
			fmt.Fprintf(&b, "- The pump %d of house %d runs longer than before (#%d)\n", j, i, i*10+j)
		}
	}
	files := []docs.File{{Path: "CHANGELOG.md", Hash: "aa"}}
	last := func(string) docs.LastChange { return touch() }
	all := docs.Cut("CHANGELOG.md", []byte(b.String()), touch(), docs.Paths(files))
	cut := testing.AllocsPerRun(2, func() { docs.Cut("CHANGELOG.md", []byte(b.String()), touch(), docs.Paths(files)) })
	one := testing.AllocsPerRun(2, func() {
		s := docs.NewSource(files, func(docs.File) ([]byte, error) { return []byte(b.String()), nil }, last)
		if got, err := s.Section(all[1000].ID); err != nil || !cmp.Equal(got, all[1000]) {
			t.Fatal(err, cmp.Diff(all[1000], got))
		}
	})
	if one > cut/3 {
		t.Errorf("%.0f allocations to look one of %d sections up, %.0f to cut all", one, len(all), cut)
	}
}
