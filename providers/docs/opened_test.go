package docs_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/docs"
)

// Several sections of one document cost one reading of it, and none is given out after
// the document has changed.
func TestSectionsOfOneDocumentAreReadOnce(t *testing.T) {
	t.Parallel()
	by := "Ada"
	hash, text, reads := "aa", "# Pump\n\n## One\n\nThe first.\n\n## Two\n\nThe second.\n", 0
	s := docs.NewSource(docs.Tree{
		Files: func(context.Context) ([]docs.File, error) {
			return []docs.File{{Path: "README.md", Hash: hash}}, nil
		},
		Read: func(context.Context, docs.File) ([]byte, error) {
			reads++
			return []byte(text), nil
		},
		Touched: func(_ context.Context, paths []string) (map[string]docs.LastChange, error) {
			return map[string]docs.LastChange{paths[0]: {Author: providers.Person{Name: by}}}, nil
		},
	})
	look := func(id, want string) {
		t.Helper()
		part, err := s.Section(t.Context(), id)
		if err != nil || !strings.Contains(part.Text, want) || part.Author.Name != by {
			t.Fatalf("%s: %q by %q, %v", id, part.Text, part.Author.Name, err)
		}
	}
	look("docs:README.md#one", "The first.")
	look("docs:README.md#two", "The second.")
	if reads != 1 {
		t.Errorf("read %d times", reads)
	}
	hash, text = "bb", strings.ReplaceAll(text, "second", "third")
	look("docs:README.md#two", "The third.")
	by = "Bob"
	look("docs:README.md#two", "The third.")
}
