package search_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// TestTermsEqualReference compares the index's terms with those of the reference, which otherwise would prove little
// for words outside the corpora.
func TestTermsEqualReference(t *testing.T) {
	t.Parallel()
	letters := []rune("aabscABSXVv1é9ÉЖ_-./#@+\\'’ 、日本のt")
	middles := strings.Fields("a e i o u y st ct b c d f ll ss zz tt w x n r s l at bl iz")
	ends := strings.Fields("ational enci izer abli bli alli entli ousli ization alism iveness aliti biliti logi icate " +
		"ative iciti ful ness ance ic able ement ment ent sion tion ion ate ous ize e s es ies ed eed ing y")
	rng := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		var text strings.Builder
		for range 1 + rng.IntN(12) {
			text.WriteRune(letters[rng.IntN(len(letters))])
		}
		text.WriteString(" ")
		for range rng.IntN(4) {
			text.WriteString(middles[rng.IntN(len(middles))])
		}
		for range 1 + rng.IntN(2) {
			text.WriteString(ends[rng.IntN(len(ends))])
		}
		if diff := gocmp.Diff(referenceTerms(text.String(), false), index.Terms(text.String())); diff != "" {
			t.Fatalf("terms of %q (-reference +index):\n%s", text.String(), diff)
		}
	}
}

// TestRankingEqualsReference compares the ranking over an index that grows, loses and replaces documents with one
// derived from the texts alone.
func TestRankingEqualsReference(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED under -short: nothing of it is concurrent")
	}
	seeds := uint64(2)
	if os.Getenv("GITMEM_NIGHTLY") != "" {
		seeds = 20
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w, dead := newRankWorld(t, seed), 0
			for step := range 8 {
				snap := w.refresh(t)
				dead += snap.Rows() - snap.Live()
				w.compare(t, snap, 6)
				if t.Failed() {
					t.Fatalf("after step %d with %d of %d rows live", step, snap.Live(), snap.Rows())
				}
				w.mutate()
			}
			if dead == 0 {
				t.Error("no row ever died")
			}
		})
	}
}

// TestRankingOfSessionsEqualsReference does the same for realistic sessions.
func TestRankingOfSessionsEqualsReference(t *testing.T) {
	t.Parallel()
	docs := sessionDocs(t)
	snap, ref := build(t, docs), newReference(docs)
	for _, text := range []string{
		"why did we decide against Redis", "database password rotation", "parseHTTPHeader crash", "FW-2291", "v2.4.2 rollout",
		"елка", "東京", "cafe", "who owns the registry token", "product_prices index", "docs/decisions/0014-no-redis.md",
		"rotate", "E0432 devices", "we'd forget the runbook", "DB_PASSWORD", "nothing-like-this-here token",
	} {
		for name, q := range variants(text) {
			compareRanks(t, text+", "+name, snap, ref, q)
		}
	}
}

// variants returns the compared rankings.
func variants(text string) map[string]search.Query {
	turns, whole := search.DefaultWeights(), search.DefaultWeights()
	turns.Session = 0
	whole.Before, whole.After, whole.TwoAway = 0, 0, 0
	plain := whole
	plain.Session = 0
	return map[string]search.Query{
		"BM25F": {Text: text, Weights: plain}, "neighbours": {Text: text, Weights: turns},
		"sessions": {Text: text, Weights: whole}, "all": {Text: text},
	}
}

// compareRanks requires the same documents in the same order with the same scores.
func compareRanks(t *testing.T, what string, snap *index.Snapshot, ref *reference, q search.Query) {
	t.Helper()
	got, err := ref.ranker.Run(t.Context(), []*index.Snapshot{snap}, q)
	if err != nil {
		t.Fatal(err)
	}
	if q.Terms == nil {
		q.Terms = search.PlainTerms(referenceQuery(q.Text))
	}
	if q.Weights == (search.Weights{}) {
		q.Weights = search.DefaultWeights()
	}
	want := ref.rank(q.Terms, q.Weights, passes(q), cmp.Or(q.Limit, 20), nil)
	have := []ranked{}
	for _, h := range got.Hits {
		have = append(have, ranked{h.Doc.ID, h.Score})
	}
	near := gocmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1.01e-9 })
	if diff := gocmp.Diff(want, have, near); diff != "" {
		t.Errorf("%s (-reference +run):\n%s", what, diff)
	}
}

// passes evaluates a query's filters in the simplest way.
func passes(q search.Query) func(index.Doc) bool {
	return func(d index.Doc) bool {
		for _, c := range q.Conditions {
			if !c.Match(map[search.Column]string{search.OnType: d.Type, search.OnAuthor: d.Author}[c.On]) {
				return false
			}
		}
		return (len(q.Layers) == 0 || slices.Contains(q.Layers, d.Layer)) &&
			strings.HasPrefix(d.Session, q.Session) &&
			(q.Except == "" || d.Session != q.Except && !strings.HasPrefix(d.Session, q.Except+"/")) &&
			(q.Range.Since.IsZero() || !d.Time.Before(q.Range.Since)) &&
			(q.Range.Until.IsZero() || d.Time.Before(q.Range.Until)) &&
			(q.Projects == nil || q.Projects(d.Project))
	}
}

// sessionDocs reads testdata/sessions.txt: "== session project", then a turn a line.
func sessionDocs(t *testing.T) (docs []index.Doc) {
	t.Helper()
	b, err := os.ReadFile("testdata/sessions.txt")
	if err != nil {
		t.Fatal(err)
	}
	session, project, turn := "", "", int64(0)
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "== "); ok {
			session, project, _ = strings.Cut(head, " ")
			turn = 0
			continue
		}
		turn++
		who, text, _ := strings.Cut(line, ": ")
		d := index.Doc{
			ID: fmt.Sprintf("transcript:%s:%d", session, turn), Source: session, Layer: "transcripts",
			Type: "discussion", Role: who,
			Session: session, Project: project, Order: turn, Time: time.Unix(1_710_000_000+60*turn, 0), Text: text,
		}
		if tool, ok := strings.CutPrefix(who, "tool "); ok {
			d.Role = "assistant"
			name, path, _ := strings.Cut(tool, " ")
			d.Tool, d.Paths = name, []string{path}
		}
		docs = append(docs, d)
	}
	return docs
}
