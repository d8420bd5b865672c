package index_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// benchWorld returns sessions of 200 messages with the steep word distribution of real text.
func benchWorld(docs int) (w world, bytes int64) {
	r := newRand(7)
	words := make([]string, 30_000)
	for i := range words {
		words[i] = fmt.Sprintf("%s%s%s", vocabulary()[r.IntN(10)][:3], string(rune('a'+i%26)),
			strings.Repeat(string(rune('a'+i/26%26)), 1+i%4)) +
			string(rune('a'+i/676%26))
	}
	w = world{}
	for i := range docs {
		key := fmt.Sprintf("session-%04d", i/200)
		text := make([]string, 20+r.IntN(80))
		for k := range text {
			u := r.Float64()
			text[k] = words[int(u*u*u*float64(len(words)))]
		}
		if r.IntN(3) == 0 {
			text = append(text, "relay")
		}
		d := index.Doc{
			ID: fmt.Sprintf("transcript:%s:%d", key, i%200), Source: key, Layer: "transcripts", Role: "user",
			Project: "github.com/acme/pump", Session: key, File: key + ".jsonl", Order: int64(i % 200),
			Offset: int64(i%200) * 400,
			Length: 400, Time: time.UnixMilli(1_700_000_000_000 + int64(i)*60_000), Text: strings.Join(text, " "),
		}
		bytes += int64(len(d.Text))
		w[key] = append(w[key], d)
	}
	return w, bytes
}

func diskSize(b testing.TB, dir string) (size int64) {
	b.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			info, err := d.Info()
			if err != nil {
				return err
			}
			size += info.Size()
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return size
}

func BenchmarkBuild(b *testing.B) {
	w, bytes := benchWorld(50_000)
	b.SetBytes(bytes)
	for b.Loop() {
		s := index.Open(filepath.Join(b.TempDir(), "s"), index.Options{})
		refresh(b, s, w)
		b.ReportMetric(float64(diskSize(b, s.Dir()))/float64(bytes), "index/text")
	}
}

// benchShard builds the shard that the read benchmarks share.
func benchShard(b *testing.B, docs int) (*index.Shard, world) {
	b.Helper()
	w, _ := benchWorld(docs)
	s := index.Open(b.TempDir(), index.Options{})
	refresh(b, s, w)
	return s, w
}

func BenchmarkOpen(b *testing.B) {
	s, _ := benchShard(b, 50_000)
	for b.Loop() {
		snap, err := s.Snapshot()
		if err != nil {
			b.Fatal(err)
		}
		if err := snap.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPostings(b *testing.B) {
	s, _ := benchShard(b, 50_000)
	snap, err := s.Snapshot()
	if err != nil {
		b.Fatal(err)
	}
	defer snap.Close()
	n := 0
	for b.Loop() {
		n = 0
		err := snap.Postings(b.Context(), index.Text, "relai", func(int32, int, int) { n++ })
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n), "rows")
}

func BenchmarkRefreshUnchanged(b *testing.B) {
	s, w := benchShard(b, 20_000)
	marks := 0
	for b.Loop() {
		_, err := s.Refresh(b.Context(), func(m map[string]index.Mark, _ index.State) (index.Update, error) {
			marks = len(m)
			return index.Update{}, nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(marks), "marks")
	_ = w
}

func BenchmarkRefreshOneDocument(b *testing.B) {
	s, _ := benchShard(b, 50_000)
	i := 0
	for b.Loop() {
		i++
		w := world{"x": {{ID: fmt.Sprintf("x:%d", i), Source: "x", Session: "session-0001", Text: "one more relay"}}}
		_, err := s.Refresh(b.Context(), func(m map[string]index.Mark, st index.State) (index.Update, error) {
			if len(m) == 0 {
				b.Fatalf("full rebuild at update %d", i)
			}
			return index.Update{Docs: w.docs([]string{"x"})}, nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
