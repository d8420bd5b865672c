package search_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/templates"
)

var update = flag.Bool("update", false, "write the ranks that are found into the golden file")

// goldenDocs reads the documents of the golden tests and their sources.
func goldenDocs(t *testing.T, text string) (docs []index.Doc, said map[string]search.SourceText) {
	t.Helper()
	said = map[string]search.SourceText{}
	for block := range strings.SplitSeq(text, "\n\n") {
		head, body, _ := strings.Cut(strings.TrimSpace(block), "\n")
		if !strings.HasPrefix(head, "id=") {
			continue
		}
		f := map[string]string{}
		for field := range strings.SplitSeq(head, " ; ") {
			key, value, _ := strings.Cut(field, "=")
			f[key] = value
		}
		d := index.Doc{ID: f["id"], Source: f["id"], Layer: f["layer"], Role: f["role"], Type: f["type"],
			Session: f["session"], File: f["file"], Title: f["title"], Text: body}
		d.Order, _ = strconv.ParseInt(f["order"], 10, 64)
		if f["time"] != "" {
			d.Time = day(f["time"])
		}
		if f["paths"] != "" {
			d.Paths = strings.Split(f["paths"], ",")
		}
		s := search.SourceText{Title: d.Title, Text: body}
		s.Turn, _ = strconv.Atoi(f["turn"])
		s.Confidence, _ = strconv.ParseFloat(f["confidence"], 64)
		docs, said[d.ID] = append(docs, d), s
	}
	return docs, said
}

// goldenRanks returns the first hits of a query with their scores and reasons.
func goldenRanks(t *testing.T, snaps []*index.Snapshot, said map[string]search.SourceText, list search.Thesaurus,
	query string) string {
	t.Helper()
	now := day("2026-11-20")
	near, _ := search.FindRange(query, now)
	q := search.Query{Text: query, Near: near, Features: search.ReadFeatures(query, now),
		Terms: search.PlainTerms(index.QueryTerms(query)), Docs: snaps[0].Live()}
	q.Expanded = list.Expand(q.Terms, search.ExpandMinimal)
	legs := []search.Leg{search.Direct(snaps)}
	for _, leg := range []func([]*index.Snapshot, search.Query) (search.Leg, bool){search.Named, search.Expanded,
		search.During, search.Summaries} {
		if l, ok := leg(snaps, q); ok {
			legs = append(legs, l)
		}
	}
	reads := fused(t, q, legs, said)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", query)
	for _, r := range reads[:min(len(reads), 6)] {
		fmt.Fprintf(&b, "  %.4f %s", r.Hit.Fused, r.Hit.Doc.ID)
		if len(r.Hit.Rules) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(r.Hit.Rules, ", "))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Every change of the ranking shows as a difference of the golden file, which go test ./gitmem/internal/search -run
// Golden -update writes.
func TestGoldenRanks(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join("testdata", "golden", name))
		if err != nil && !*update {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(b), "\r\n", "\n")
	}
	docs, said := goldenDocs(t, read("documents.txt"))
	snaps := []*index.Snapshot{build(t, docs)}
	groups, _ := search.ReadGroups(templates.Synonyms(), false)
	var got strings.Builder
	for query := range strings.Lines(read("queries.txt")) {
		got.WriteString(goldenRanks(t, snaps, said, search.Thesaurus{Groups: groups}, strings.TrimSpace(query)))
	}
	if *update {
		if err := os.WriteFile(filepath.Join("testdata", "golden", "ranks.txt"), []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(strings.Split(read("ranks.txt"), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("the ranking has changed (-golden +found); look at each difference, then run with -update:\n%s", diff)
	}
}
