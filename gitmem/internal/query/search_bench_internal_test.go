//go:build unix

package query

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// BenchmarkWarmSearch answers queries in rounds with the complete ranking of Search, without fetching texts; the index
// is opened once, before. The sessions are those of the environment, and GITMEM_BENCH_QUERIES names a file of queries:
// "go run . index" in cmd/bench runs this beside FTS5.
func BenchmarkWarmSearch(b *testing.B) {
	name := os.Getenv("GITMEM_BENCH_QUERIES")
	if name == "" {
		b.Skip("GITMEM_BENCH_QUERIES names no file: see cmd/bench")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	queries := strings.Split(strings.TrimSpace(string(text)), "\n")
	cache, err := os.UserCacheDir()
	if err != nil {
		b.Fatal(err)
	}
	m, err := Open(workspace.Options{Dir: b.TempDir(), Home: os.Getenv("HOME"), CacheDir: cache, Getenv: os.Getenv,
		Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	q, err := m.Query(b.Context(), Filter{Project: "all", Limit: 20})
	if err != nil {
		b.Fatal(err)
	}
	v, err := m.View(b.Context(), q.Projects)
	if err != nil {
		b.Fatal(err)
	}
	defer v.Close()
	round := func() (hits int) {
		for _, q.Text = range queries {
			res, err := v.search(b.Context(), q)
			if err != nil {
				b.Fatal(err)
			}
			hits += len(res.Hits)
		}
		return hits
	}
	hits, n, before := round(), 0, cpuTime()
	for b.Loop() {
		round()
		n += len(queries)
	}
	b.ReportMetric(float64((cpuTime()-before).Microseconds())/1000/float64(n), "cpu-ms/query")
	b.ReportMetric(float64(hits), "hits")
}

// cpuTime returns the processor time of this process so far.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it can't fail for the own process
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
