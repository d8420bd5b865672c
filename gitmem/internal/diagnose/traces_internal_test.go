package diagnose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// readTraces returns the counts from one folder of traces.
func readTraces(dir string) (failed, bad int) {
	now := time.Date(2025, 3, 10, 12, 0, 0, 0, time.UTC)
	ws := &workspace.Workspace{Options: workspace.Options{Now: func() time.Time {
		return now
	}, CacheDir: dir, Getenv: os.Getenv}}
	c := &checkup{Inspector: &Inspector{ws: ws}}
	list, bad, err := c.traces()
	for _, r := range list {
		_ = reason(r.Detail)
	}
	if err != nil {
		panic(err) // the files of a test are readable
	}
	return len(list), bad
}

// FuzzTraces reads traces with any content.
func FuzzTraces(f *testing.F) {
	for _, seed := range []string{
		`{"time":"2025-03-09T10:00:00Z","hook":"post-tool-use","session":"s","result":"error","detail":"a: b"}`, "{", "null",
		`{"time":1}`, "\x00", "\r\r\n", `{"result":"error","detail":"` + strings.Repeat("x: ", 500) + `"}`,
	} {
		f.Add(seed)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		trace := filepath.Join(dir, "gitmem", "trace", "2025-03-09.jsonl")
		if err := os.MkdirAll(filepath.Dir(trace), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(trace, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		failed, bad := readTraces(dir)
		lines := 0
		for line := range strings.Lines(text) {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
		if failed+bad > lines {
			t.Errorf("%d failures and %d bad lines in %d lines", failed, bad, lines)
		}
	})
}

// FuzzShellWords splits any command into words without opening quotes, and loses only blanks and quotes.
func FuzzShellWords(f *testing.F) {
	for _, seed := range []string{"/a/gitmem hook stop", `"/a b/gitmem" hook 'stop'`, "'", "a\"b c\"d", " \t",
		"\xff '", "\x00"} {
		f.Add(seed)
	}
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(" \t\n\"'", r) {
				return -1
			}
			return r
		}, s)
	}
	f.Fuzz(func(t *testing.T, command string) {
		if got, want := letters(strings.Join(shellWords(command), "")), letters(command); got != want {
			t.Errorf("%q became %q", command, got)
		}
	})
}
