package corpus_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/bench/corpus"
)

func collect(name string) (out []corpus.Document, err error) {
	for d, err := range corpus.ReadDocuments(name) {
		if err != nil {
			return out, err
		}
		out = append(out, d)
	}
	return out, nil
}

func TestDocumentsComeBack(t *testing.T) {
	t.Parallel()
	docs := []corpus.Document{{}, {ID: "a#1", Session: "a", Time: "1700000000123", Text: "two\nlines\x00" +
		strings.Repeat("x", 300), Tool: "Bash", Path: "b c.go"}}
	name := filepath.Join(t.TempDir(), "documents")
	n, bytes, err := corpus.WriteDocuments(name, slices.Values(docs))
	if err != nil || n != 2 || bytes != int64(len(docs[1].Text)+len("Bash")+len("b c.go")) {
		t.Errorf("%d documents, %d bytes, error %v", n, bytes, err)
	}
	if got, err := collect(name); err != nil || !reflect.DeepEqual(got, docs) {
		t.Errorf("%+v, error %v", got, err)
	}
}

func TestATornStreamIsAnError(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "documents")
	if _, _, err := corpus.WriteDocuments(name, slices.Values([]corpus.Document{{ID: "one", Text: "text"}})); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < len(whole); n++ {
		if err := os.WriteFile(name, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if docs, err := collect(name); !errors.Is(err, io.ErrUnexpectedEOF) || len(docs) > 0 {
			t.Fatalf("first %d of %d bytes: %d documents, error %v; want unexpected EOF", n, len(whole), len(docs), err)
		}
	}
}

func TestDrawQueries(t *testing.T) {
	t.Parallel()
	var texts []string
	for i := range 200 {
		texts = append(texts,
			fmt.Sprintf("The relay is in src/relay/open_valve%d.go, see #%d and ABC-%d: parseHeader() was too slow.", i, i, i))
	}
	a, b := corpus.DrawQueries(slices.Values(texts), 30, 1), corpus.DrawQueries(slices.Values(texts), 30, 1)
	if !slices.Equal(a, b) {
		t.Errorf("the same texts gave other queries: %v, %v", a, b)
	}
	if len(a) != 30 {
		t.Errorf("%d queries, want 30", len(a))
	}
	identifiers, lengths := 0, map[int]bool{}
	for _, q := range a {
		lengths[len(strings.Fields(q.Typed))] = true
		for w := range strings.FieldsSeq(q.Typed + " " + q.Words) {
			if slices.Contains([]string{"the", "is", "in", "and", "was", "too"}, strings.ToLower(w)) {
				t.Errorf("%+v holds the stop word %s", q, w)
			}
			if strings.ContainsAny(w, "/_#") {
				identifiers++
			}
		}
		if strings.ContainsAny(q.Words, "/_#.-") || q.Words != strings.ToLower(q.Words) {
			t.Errorf("%q is not cut into words", q.Words)
		}
	}
	if identifiers < 10 || len(lengths) < 5 {
		t.Errorf("%d identifiers, lengths %v: want more of both", identifiers, lengths)
	}
}
