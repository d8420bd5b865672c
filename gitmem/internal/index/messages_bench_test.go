package index_test

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// BenchmarkMessages builds an index of the messages that cmd/bench generates, from the file that GITMEM_BENCH_MESSAGES
// names. There, "go run . index" runs this benchmark and FTS5 on the same file, in separate processes.
func BenchmarkMessages(b *testing.B) {
	name := os.Getenv("GITMEM_BENCH_MESSAGES")
	if name == "" {
		b.Skip("GITMEM_BENCH_MESSAGES names no file: see cmd/bench")
	}
	for b.Loop() {
		bytes := 0
		s := index.Open(filepath.Join(b.TempDir(), "s"), index.Options{})
		_, err := s.Refresh(b.Context(), func(map[string]index.Mark, index.State) (index.Update, error) {
			return index.Update{
				Docs:  func(yield func(index.Doc, error) bool) { bytes = messages(name, yield) },
				Marks: func() []index.Mark { return []index.Mark{{Key: name}} },
			}, nil
		})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(diskSize(b, s.Dir()))/float64(bytes), "index/text")
	}
}

// messages yields the documents of a file and returns the number of searched bytes: six fields per document, each after
// its length as an unsigned varint.
func messages(name string, yield func(index.Doc, error) bool) (bytes int) {
	f, err := os.Open(name)
	if err != nil {
		yield(index.Doc{}, err)
		return 0
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<20)
	for {
		var s [6]string // id, session, time, text, tool, path
		for i := range s {
			n, err := binary.ReadUvarint(in)
			field := make([]byte, n)
			if err == nil {
				_, err = io.ReadFull(in, field)
			}
			if err != nil {
				if i > 0 || !errors.Is(err, io.EOF) {
					yield(index.Doc{}, err)
				}
				return bytes
			}
			s[i] = string(field)
		}
		at, _ := strconv.ParseInt(s[2], 10, 64)
		_, line, _ := strings.Cut(strings.TrimPrefix(s[0], "transcript:"), ":")
		order, _ := strconv.ParseInt(line, 10, 64)
		d := index.Doc{
			ID: s[0], Source: s[1] + ".jsonl", Layer: "transcripts", Type: "discussion", Role: "user",
			Project: "/home/dev/src/pump", Session: s[1], Author: "user",
			File: s[1] + ".jsonl", Order: order, Time: time.UnixMilli(at), Text: s[3], Tool: s[4],
		}
		if s[5] != "" {
			d.Paths = []string{s[5]}
		}
		bytes += len(d.Text) + len(d.Tool) + len(s[5])
		if !yield(d, nil) {
			return bytes
		}
	}
}
