package gitmem_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// traceLine is a record as hooks leave it.
func traceLine(at, hook, session string, ms float64, chars int) string {
	said := ""
	if chars > 0 {
		said = fmt.Sprintf(`,"chars":%d`, chars)
	}
	return fmt.Sprintf(`{"time":"%s","hook":"%s","session":"%s","result":"written","detail":"x","ms":%g%s}`+"\n", at, hook, session, ms, said)
}

// TestSessionCost sums a session's records over days and folders, whatever else
// stands between them.
func TestSessionCost(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	const session, other = "3f2a91c4-0000-4000-8000-000000000001", "3f2a91c4-0000-4000-8000-000000000002"
	own, cache := filepath.Join(l.root, "gitmem", ".index", "trace"), filepath.Join(l.cache, "gitmem", "trace")
	l.write(filepath.Join(own, "2025-03-09.jsonl"),
		traceLine("2025-03-09T10:00:00Z", "session-start", session, 20, 1200)+
			traceLine("2025-03-09T10:00:01Z", "user-prompt-submit", other, 20, 700)+
			traceLine("2025-03-09T10:00:02Z", "post-tool-use", session, 5, 0)+
			`{"time":"2025-03-09T10:00:03Z","hook":"user-prompt-submit","session":"`+session+"\n"+ // torn
			`{"session":"`+session+`","chars":-5}`+"\n"+
			strings.Repeat("x", 200_000)+session+"\n"+
			traceLine("2025-03-09T10:00:04Z", "user-prompt-submit", session, 20, 300))
	l.write(filepath.Join(own, "2025-03-10.jsonl"), "\n\n"+strings.TrimSuffix(traceLine("2025-03-10T10:00:00Z", "user-prompt-submit", session, 9, 10), "\n"))
	l.write(filepath.Join(cache, "2025-03-10.jsonl"), traceLine("2025-03-10T11:00:00Z", "user-prompt-submit", session, 9, 7))
	l.write(filepath.Join(cache, "notes.jsonl"), traceLine("2025-03-10T11:00:00Z", "user-prompt-submit", session, 9, 1000))
	n, chars, err := gitmem.SessionCost(l.open(l.base), session)
	if n != 4 || chars != 1517 || err != nil {
		t.Errorf("%d injections with %d characters, %v; want 4 with 1517", n, chars, err)
	}
}

// TestPruneTraces deletes what is older than thirty days, and nothing of others.
func TestPruneTraces(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := filepath.Join(l.root, "gitmem", ".index", "trace")
	for _, name := range []string{"2025-02-07.jsonl", "2025-02-08.jsonl", "2024-01-01.jsonl", "2025-03-10.jsonl", "2024-01-01.txt", "old.jsonl"} {
		l.write(filepath.Join(dir, name), "{}\n")
	}
	must(t, l.open(l.base).PruneTraces())
	entries, err := os.ReadDir(dir)
	must(t, err)
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	equal(t, "left", "2024-01-01.txt 2025-02-08.jsonl 2025-03-10.jsonl old.jsonl", strings.Join(left, " "))
}

// TestInjected reads what is written.
func TestInjected(t *testing.T) {
	t.Parallel()
	tests := []struct {
		n, chars int
		text     string
		readN, c int
	}{
		{3, 6420, "injected: 3 × 2140 characters", 3, 6420},
		{3, 6422, "injected: 3 × 2140 characters", 3, 6420},
		{0, 0, "", 0, 0},
		{1, 0, "", 0, 0},
	}
	for _, tt := range tests {
		text := gitmem.InjectedNote(tt.n, tt.chars)
		equal(t, "written", tt.text, text)
		for _, line := range []string{text, "tools: Edit 6 · " + text, text + " · more: 1", "a: b · " + text + " · c: d"} {
			if n, c := gitmem.InjectedIn(line); n != tt.readN || c != tt.c {
				t.Errorf("%q: %d, %d", line, n, c)
			}
		}
	}
	for _, line := range []string{"- [note] injected: 3 × 2140 characters", "injected: 3 × x characters", "injected: 99999999 × 1 characters", "reinjected: 3 × 5 characters"} {
		if n, c := gitmem.InjectedIn(line); n != 0 || c != 0 {
			t.Errorf("%q: %d, %d", line, n, c)
		}
	}
}
