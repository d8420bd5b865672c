package redact_test

import (
	"go/build"
	"os"
	"path/filepath"

	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// sources returns the files of Go's own library that match the patterns, each with its path. The rules were not tuned
// for them.
func sources(tb testing.TB, patterns ...string) map[string]string {
	tb.Helper()
	root := filepath.Join(build.Default.GOROOT, "src")
	all := map[string]string{}
	for _, p := range patterns {
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(p)))
		if err != nil {
			tb.Fatal(err)
		}
		for _, n := range names {
			b, err := os.ReadFile(n)
			if err != nil {
				tb.Fatal(err)
			}
			all[n] = string(b)
		}
	}
	if len(all) == 0 {
		tb.Skip("the source of Go is not installed")
	}
	return all
}

func BenchmarkSource(b *testing.B) {
	var all strings.Builder
	for _, s := range sources(b, "net/http/*.go", "encoding/json/*.go", "go/types/*.go") {
		all.WriteString(s)
	}
	s, r := all.String(), redact.New()
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		r.Text(s)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		redact.New()
	}
}
