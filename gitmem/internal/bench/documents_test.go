package bench_test

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/bench"
	"github.com/gitmem/gitmem/gitmem/internal/index"
)

func sequence(docs ...index.Doc) iter.Seq2[index.Doc, error] {
	return func(yield func(index.Doc, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func collect(t *testing.T, name string) ([]index.Doc, error) {
	t.Helper()
	var out []index.Doc
	for d, err := range bench.ReadDocuments(name) {
		if err != nil {
			return out, err
		}
		out = append(out, d)
	}
	return out, nil
}

func TestDocumentsComeBack(t *testing.T) {
	t.Parallel()
	docs := []index.Doc{
		{},
		{
			ID: "transcript:a#1", Source: "s", Layer: "transcripts", Type: "discussion", Role: "user", Project: "/p", Session: "a", Author: "user",
			File: "/f", Order: 3, Time: time.UnixMilli(1_700_000_000_123).UTC(), Offset: 1 << 40, Length: 7, Title: "tïtle",
			Text: "two\nlines\x00" + strings.Repeat("x", 300), Tool: "Bash", Paths: []string{"a.go", "b c.go"},
		},
	}
	name := filepath.Join(t.TempDir(), "documents")
	st, err := bench.WriteDocuments(name, sequence(docs...))
	if err != nil {
		t.Fatal(err)
	}
	bytes := int64(len(docs[1].Title) + len(docs[1].Text) + len("Bash") + len("a.go") + len("b c.go"))
	if diff := cmp.Diff(bench.Stream{Documents: 2, Bytes: bytes}, st); diff != "" {
		t.Error(diff)
	}
	got, err := collect(t, name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(docs, got); diff != "" {
		t.Error(diff)
	}
}

func TestATornStreamIsAnError(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "documents")
	if _, err := bench.WriteDocuments(name, sequence(index.Doc{ID: "one", Text: "text"})); err != nil {
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
		if docs, err := collect(t, name); !errors.Is(err, io.ErrUnexpectedEOF) || len(docs) > 0 {
			t.Fatalf("first %d of %d bytes: %d documents, error %v; want unexpected EOF", n, len(whole), len(docs), err)
		}
	}
}

func TestBuildIndexesEachDocument(t *testing.T) {
	t.Parallel()
	var docs []index.Doc
	for i := range 300 {
		docs = append(docs, index.Doc{ID: fmt.Sprintf("transcript:s#%d", i+1), Session: "s", Order: int64(i + 1), Text: fmt.Sprintf("relay number%d", i)})
	}
	dir := t.TempDir()
	file, shard := filepath.Join(dir, "documents"), filepath.Join(dir, "index")
	if _, err := bench.WriteDocuments(file, sequence(docs...)); err != nil {
		t.Fatal(err)
	}
	res, err := bench.Build(t.Context(), shard, file)
	if err != nil || res.Added != len(docs) {
		t.Fatalf("%d documents added, error %v; want %d", res.Added, err, len(docs))
	}
	if _, err := bench.Build(t.Context(), shard, file); err == nil {
		t.Error("a second build into the same folder was no error")
	}
}

func TestDrawQueries(t *testing.T) {
	t.Parallel()
	var docs []index.Doc
	for i := range 200 {
		docs = append(docs, index.Doc{Text: fmt.Sprintf("The relay is in src/relay/open_valve%d.go, see #%d and ABC-%d: parseHeader() was too slow.", i, i, i)})
	}
	a, err := bench.DrawQueries(sequence(docs...), 30, 1)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := bench.DrawQueries(sequence(docs...), 30, 1)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("the same documents gave other queries:\n%s", diff)
	}
	if len(a) != 30 {
		t.Errorf("%d queries, want 30", len(a))
	}
	identifiers, lengths := 0, map[int]bool{}
	for _, q := range a {
		lengths[len(strings.Fields(q.Typed))] = true
		for w := range strings.FieldsSeq(q.Typed + " " + q.Words) {
			if index.IsStopword(strings.ToLower(w)) {
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
