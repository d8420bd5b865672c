package store_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// manyCommits fills a store with 10,000 files in the first of 1,000 commits, each
// of which changes ten of them.
func manyCommits(b *testing.B, s *store.Store) {
	b.Helper()
	var in strings.Builder
	text := strings.Repeat("The pump draws seven ampere at the start, so a relay of ten ampere is what it takes.\n", 20)
	file := func(n, version int) {
		body := fmt.Sprintf("---\nformat: 1\n---\n\n# File %d\n\nversion %d\n\n%s", n, version, text)
		fmt.Fprintf(&in, "M 100644 inline gitmem/projects/h/o/r%d/f%d.md\ndata %d\n%s\n", n/100, n, len(body), body)
	}
	for c := range 1000 {
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter Ada <ada@example.org> %d +0000\ndata 6\ncommit\n", 1e9+c)
		if c == 0 {
			for n := range 10_000 {
				file(n, 0)
			}
			continue
		}
		for n := range 10 {
			file((c*37+n*911)%10_000, c)
		}
	}
	cmd := exec.Command("git", "--git-dir="+s.GitDir(), "fast-import", "--quiet", "--force")
	cmd.Env, cmd.Stdin = gitEnv(), strings.NewReader(in.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	inStore(b, s, "reset", "--quiet", "--hard")
}

// BenchmarkSecrets searches a store of 10,000 files and 1,000 commits.
func BenchmarkSecrets(b *testing.B) {
	needGit(b)
	s := initStore(b, b.TempDir())
	manyCommits(b, s)
	var seen store.Scanned
	for b.Loop() {
		var err error
		seen, err = s.Secrets(b.Context(), nil)
		if err != nil || len(seen.Found)+len(seen.Unread) > 0 {
			b.Fatal(err, seen.Unread)
		}
	}
	b.ReportMetric(float64(seen.Objects), "objects")
	b.ReportMetric(float64(seen.Bytes)/1e6, "MB")
}
