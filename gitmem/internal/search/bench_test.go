package search_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// benchText draws words whose frequencies fall as in real text; the most frequent ones represent function words.
type benchText struct {
	rng  *rand.Rand
	zipf *rand.Zipf
}

const benchGrammar = 80

func newBenchText(seed uint64) *benchText {
	rng := rand.New(rand.NewPCG(seed, 1))
	return &benchText{rng, rand.NewZipf(rng, 1.08, 8, 60_000)}
}

// word spells a number with syllables, so that it looks like a word and has no
// ending that is stemmed away.
func (g *benchText) word(n uint64) string {
	const first, second = "bdfgklmnprtvz", "aeiou"
	var b []byte
	for n += benchGrammar; n > 0; n /= 65 {
		b = append(b, first[n%13], second[n/13%5])
	}
	return string(append(b, 'k'))
}

// message returns 10 to some 200 words, in a hundredth of the cases many more.
func (g *benchText) message() string {
	n := min(4+int(math.Exp(g.rng.NormFloat64()*0.9+3.5)), 400)
	if g.rng.IntN(100) == 0 {
		n += 1000
	}
	words := make([]string, n)
	for i := range words {
		words[i] = g.word(g.zipf.Uint64())
	}
	return strings.Join(words, " ")
}

// query returns one to six words without function words.
func (g *benchText) query() string {
	words := make([]string, 1+g.rng.IntN(6))
	for i := range words {
		n := g.zipf.Uint64()
		for n < benchGrammar {
			n = g.zipf.Uint64()
		}
		words[i] = g.word(n)
	}
	return strings.Join(words, " ")
}

// docs yields messages in sessions of 175.
func (g *benchText) docs(n int) func(yield func(index.Doc, error) bool) {
	return func(yield func(index.Doc, error) bool) {
		for i := range n {
			session := fmt.Sprintf("session-%04d", i/175)
			d := index.Doc{
				ID: fmt.Sprintf("transcript:%s:%d", session, i%175), Source: session, Layer: "transcripts", Role: "user",
				Session: session, Order: int64(i % 175), Time: time.Unix(1_700_000_000+int64(i)*60, 0), Text: g.message(),
			}
			if i%3 == 0 {
				d.Tool, d.Paths = "Edit", []string{"src/" + g.word(g.zipf.Uint64()) + ".go"}
			}
			if !yield(d, nil) {
				return
			}
		}
	}
}

// benchShard opens a shard of n messages. GITMEM_BENCH_INDEX names a directory in which it is kept for the next run.
func benchShard(b *testing.B, n int) *index.Snapshot {
	b.Helper()
	dir := os.Getenv("GITMEM_BENCH_INDEX")
	if dir == "" {
		dir = b.TempDir()
	}
	s := index.Open(filepath.Join(dir, fmt.Sprint(n)), index.Options{})
	_, err := s.Refresh(b.Context(), func(marks map[string]index.Mark, _ index.State) (index.Update, error) {
		if len(marks) > 0 {
			return index.Update{}, nil
		}
		return index.Update{
			Docs:  newBenchText(1).docs(n),
			Marks: func() []index.Mark { return []index.Mark{{Key: "all"}} },
		}, nil
	})
	if err != nil {
		b.Fatal(err)
	}
	snap, err := s.Snapshot()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = snap.Close() })
	return snap
}

// BenchmarkWarmQuery measures the complete ranking, including neighbours and sessions.
func BenchmarkWarmQuery(b *testing.B) {
	for _, n := range []int{35_000, 350_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			snaps := []*index.Snapshot{benchShard(b, n)}
			g := newBenchText(2)
			queries := make([]search.Query, 50)
			for i := range queries {
				queries[i] = search.Query{Text: g.query()}
			}
			b.ReportAllocs()
			var ranker search.Ranker
			i, postings := 0, 0
			for b.Loop() {
				res, err := ranker.Run(b.Context(), snaps, queries[i%len(queries)])
				if err != nil {
					b.Fatal(err)
				}
				for _, t := range res.Terms {
					postings += t.Docs
				}
				i++
			}
			b.ReportMetric(float64(postings)/float64(i), "postings/op")
		})
	}
}
