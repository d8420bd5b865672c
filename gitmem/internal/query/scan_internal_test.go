package query

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/ingest"
)

// aged writes a session of one message with a given age, and returns its size.
func aged(t *testing.T, m *Reader, i int, age time.Duration) int {
	t.Helper()
	id := fmt.Sprintf("5bc6e072-da76-4824-88b8-%012d", i)
	file := filepath.Join(m.ws.ClientDir, "projects", "-home-dev", id+".jsonl")
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
	return len(line)
}

// Transcripts with equal times, as after restoring a backup, are indexed at once.
func TestTranscriptsOfOneTime(t *testing.T) {
	t.Parallel()
	m := seer(t, time.Now())
	for i := range 10 {
		m.src.Budget.Transcripts = int64(aged(t, m, i, time.Hour))
	}
	when := time.Now().Add(-time.Hour)
	for i := range 10 {
		file := filepath.Join(m.ws.ClientDir, "projects", "-home-dev", fmt.Sprintf("5bc6e072-da76-4824-88b8-%012d.jsonl", i))
		if err := os.Chtimes(file, when, when); err != nil {
			t.Fatal(err)
		}
	}
	r, err := m.Search(t.Context(), "thermistor", Filter{Project: "all", Limit: 50})
	if err != nil || len(r.Hits) != 10 || len(r.Caveats) != 0 {
		t.Errorf("%d hits, caveats %q, %v", len(r.Hits), r.Caveats, err)
	}
}

// TestQuestionsCloseIndexes checks that a long-lived Memory keeps no index open after a question has updated it; bleve
// has a goroutine for each open index.
func TestQuestionsCloseIndexes(t *testing.T) {
	m := seer(t, time.Now())
	for i := range 10 {
		aged(t, m, i, 0)
		if _, err := m.Search(t.Context(), "thermistor", Filter{Project: "all"}); err != nil {
			t.Fatal(err)
		}
	}
	b := make([]byte, 1<<20)
	if n := strings.Count(string(b[:runtime.Stack(b, true)]), "introducerLoop("); n > 0 {
		t.Errorf("%d indexes are open", n)
	}
}

// For a long archive of transcripts the newest are indexed first, with a caveat, the others are searched for the words,
// and all are indexed after an indexer has run.
func TestNewestTranscriptsFirst(t *testing.T) {
	t.Parallel()
	m := seer(t, time.Now())
	session := func(i int, age time.Duration) { m.src.Budget.Transcripts = 3 * int64(aged(t, m, i, age)) }
	for i := range 10 {
		session(i, time.Duration(i+1)*time.Hour)
	}
	found := func() (hits int, caveats string) {
		t.Helper()
		m.ws.Caveats, m.ws.Incomplete = nil, nil
		r, err := m.Search(t.Context(), "thermistor", Filter{Project: "all", Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		if left := slices.ContainsFunc(r.Caveats, func(c string) bool {
			return strings.Contains(c, "not indexed yet")
		}); r.Complete == left {
			t.Errorf("complete: %v, caveats %q", r.Complete, r.Caveats)
		}
		return len(r.Hits), strings.Join(r.Caveats, "\n")
	}
	const left = "transcripts written before"
	if hits, caveats := found(); hits != 10 || !strings.Contains(caveats, "7 "+left) || !m.ws.Shared.Unfinished {
		t.Errorf("at first %d hits, %q", hits, caveats)
	}
	pending := func() int {
		t.Helper()
		all, err := m.src.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(all, func(s ingest.ShardStatus) bool { return s.Name == "transcripts" })
		if (all[at].State == "stale") != (all[at].Pending > 0) {
			t.Errorf("%+v", all[at])
		}
		return all[at].Pending
	}
	if want := []string{"3 of 10 transcripts are indexed so far."}; !slices.Equal(m.ws.Incomplete, want) {
		t.Errorf("incomplete: %q, want %q", m.ws.Incomplete, want)
	}
	if n := pending(); n != 7 {
		t.Errorf("%d are told to be left", n)
	}
	session(10, 0) // a new one is indexed at once
	if hits, caveats := found(); hits != 11 || !strings.Contains(caveats, "7 "+left) {
		t.Errorf("with a new one %d hits, %q", hits, caveats)
	}
	if _, err := m.src.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hits, caveats := found(); hits != 11 || strings.Contains(caveats, left) || pending() != 0 {
		t.Errorf("behind an indexer %d hits, %q", hits, caveats)
	}
	if err := os.RemoveAll(m.ws.IndexDir()); err != nil {
		t.Fatal(err)
	}
	if _, err := m.src.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hits, caveats := found(); hits != 11 || strings.Contains(caveats, left) {
		t.Errorf("built anew %d hits, %q", hits, caveats)
	}
}

// An indexer that continues with all transcripts does not index the newest few first, only to do so again.
func TestIndexerBuildsOnce(t *testing.T) {
	t.Parallel()
	for times, want := range map[int64]string{3: "g00000001", 5: "g00000002"} {
		m := seer(t, time.Now())
		for i := range 30 {
			m.src.Budget.Transcripts = 30 * int64(aged(t, m, i, time.Duration(i+1)*time.Hour)) / times
		}
		if _, err := m.src.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(m.ws.IndexDir(), "shards", "transcripts", "CURRENT"))
		if err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("of %d times what is first, %q is in use, want %s, %v", times, got, want, err)
		}
	}
}
