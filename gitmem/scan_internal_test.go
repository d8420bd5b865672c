package gitmem

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A long archive of transcripts answers with its newest at first, says so, and with all
// once an indexer was there.
func TestNewestTranscriptsFirst(t *testing.T) {
	t.Parallel()
	m := seer(t, time.Now())
	session := func(i int, age time.Duration) {
		t.Helper()
		id := fmt.Sprintf("5bc6e072-da76-4824-88b8-%012d", i)
		file := filepath.Join(m.client, "projects", "-home-dev", id+".jsonl")
		line := fmt.Sprintf(`{"type":"user","uuid":"u%d","sessionId":%q,"timestamp":"2025-03-09T14:00:00Z","cwd":"/home/dev",`+
			`"promptSource":"typed","message":{"role":"user","content":"Solder thermistor number%d"}}`+"\n", i, id, i)
		when := time.Now().Add(-age)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, when, when); err != nil {
			t.Fatal(err)
		}
		m.budget.transcripts = int64(3 * len(line))
	}
	for i := range 10 {
		session(i, time.Duration(i+1)*time.Hour)
	}
	found := func() (hits int, caveats string) {
		t.Helper()
		m.notices = nil
		r, err := m.Search(t.Context(), "thermistor", Filter{Project: "all", Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		return len(r.Hits), strings.Join(r.Caveats, "\n")
	}
	const left = "transcripts written before"
	if hits, caveats := found(); hits != 3 || !strings.Contains(caveats, "7 "+left) || !m.Indexes().Unfinished() {
		t.Errorf("at first %d hits, %q", hits, caveats)
	}
	session(10, 0) // one that comes is indexed at once
	if hits, caveats := found(); hits != 4 || !strings.Contains(caveats, "7 "+left) {
		t.Errorf("with a new one %d hits, %q", hits, caveats)
	}
	if _, err := m.Indexes().Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hits, caveats := found(); hits != 11 || strings.Contains(caveats, left) {
		t.Errorf("behind an indexer %d hits, %q", hits, caveats)
	}
	if err := os.RemoveAll(m.indexDir()); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Indexes().Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hits, caveats := found(); hits != 11 || strings.Contains(caveats, left) {
		t.Errorf("built anew %d hits, %q", hits, caveats)
	}
}
