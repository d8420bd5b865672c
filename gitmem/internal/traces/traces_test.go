package traces_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/traces"
	"github.com/google/go-cmp/cmp"
)

const session, other = "3f2a91c4-0000-4000-8000-000000000001", "3f2a91c4-0000-4000-8000-000000000002"

// line returns a record as written by hooks.
func line(at, hook, session string, ms float64, chars int) string {
	said := ""
	if chars > 0 {
		said = fmt.Sprintf(`,"chars":%d`, chars)
	}
	return fmt.Sprintf(`{"time":"%s","hook":"%s","session":"%s","result":"written","detail":"x","ms":%g%s}`+"\n", at, hook,
		session, ms, said)
}

// write creates folders of traces from their files' contents by name.
func write(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// twoFolders returns folders with records of two sessions, and invalid lines between them.
func twoFolders(t *testing.T) []string {
	own := write(t, map[string]string{
		"2025-03-09.jsonl": line("2025-03-09T10:00:00Z", "session-start", session, 20, 1200) +
			line("2025-03-09T10:00:01Z", "user-prompt-submit", other, 20, 700) +
			line("2025-03-09T10:00:02Z", "post-tool-use", session, 5, 0) +
			`{"time":"2025-03-09T10:00:03Z","hook":"user-prompt-submit","session":"` + session + "\n" + // torn
			`{"session":"` + session + `","chars":-5}` + "\n" +
			strings.Repeat("x", 200_000) + session + "\n" +
			line("2025-03-09T10:00:04Z", "user-prompt-submit", session, 20, 300),
		"2025-03-10.jsonl": "\n\n" + strings.TrimSuffix(line("2025-03-10T10:00:00Z", "user-prompt-submit", session, 9, 10),
			"\n"),
	})
	cache := write(t, map[string]string{
		"2025-03-10.jsonl": line("2025-03-10T11:00:00Z", "user-prompt-submit", session, 9, 7),
		"notes.jsonl":      line("2025-03-10T11:00:00Z", "user-prompt-submit", session, 9, 1000),
	})
	return []string{own, cache, filepath.Join(own, "none")}
}

// TestToldTo sums a session's records over days and folders, whatever else is between them.
func TestToldTo(t *testing.T) {
	t.Parallel()
	got, _, err := traces.InjectedInto(twoFolders(t), session, 1<<20)
	if want := (traces.Injection{Injections: 4, Chars: 1517}); got != want || err != nil {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}

// TestToldLately checks that older files are omitted, and that this is reported.
func TestToldLately(t *testing.T) {
	t.Parallel()
	dirs := twoFolders(t)
	if got, whole, _ := traces.InjectedInto(dirs, session, 1<<20); !whole || got.Chars != 1517 {
		t.Errorf("with room for all: %+v, whole %t", got, whole)
	}
	if got, whole, _ := traces.InjectedInto(dirs, session, 1000); whole || got.Chars != 17 {
		t.Errorf("with room for a day: %+v, whole %t", got, whole)
	}
}

// TestEach counts the invalid lines, only among the wanted ones.
func TestEach(t *testing.T) {
	t.Parallel()
	name := filepath.Join(twoFolders(t)[0], "2025-03-09.jsonl")
	var hooks []string
	bad, err := traces.Each(name, nil, func(r traces.Record) { hooks = append(hooks, r.Hook) })
	if diff := cmp.Diff([]string{"session-start", "user-prompt-submit", "post-tool-use", "user-prompt-submit"},
		hooks); diff != "" || bad != 3 || err != nil {
		t.Errorf("%d bad, %v; records (-want +got):\n%s", bad, err, diff)
	}
	bad, err = traces.Each(name, func(l []byte) bool { return strings.Contains(string(l), other) }, func(traces.Record) {})
	if bad != 0 || err != nil {
		t.Errorf("of one session: %d bad, %v", bad, err)
	}
	if _, err := traces.Each(name+"x", nil, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// TestPrune checks that files older than thirty days are deleted, and no other files.
func TestPrune(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for _, name := range []string{"2025-02-07.jsonl", "2025-02-08.jsonl", "2024-01-01.jsonl", "2025-03-10.jsonl",
		"2024-01-01.txt", "old.jsonl"} {
		files[name] = "{}\n"
	}
	dir := write(t, files)
	if err := traces.Prune([]string{dir}, time.Date(2025, 3, 10, 12, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if diff := cmp.Diff([]string{"2024-01-01.txt", "2025-02-08.jsonl", "2025-03-10.jsonl", "old.jsonl"},
		left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	if first, n := traces.Held([]string{dir}); first != "2025-02-08" || n != 6 {
		t.Errorf("held since %q, %d bytes", first, n)
	}
}

// TestArchived checks that only sums missing from the traces are added from the archive.
func TestArchived(t *testing.T) {
	t.Parallel()
	s := traces.NewSums("2025-03-09")
	for _, dir := range twoFolders(t)[:2] {
		for _, name := range traces.Files([]string{dir}, "", "") {
			if _, err := traces.Each(name, nil, s.Record); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.Archived(session, "2025-03-10", traces.Injection{Injections: 3, Chars: 900})
	s.Archived(other, "2025-03-10", traces.Injection{Injections: 2, Chars: 1000})
	s.Archived("older", "2025-03-08", traces.Injection{Injections: 2, Chars: 1000})
	want := []traces.Session{
		{Session: session, Last: "2025-03-10", Injected: traces.Injected{Injections: 4, Chars: 1517, Tokens: 380}},
		{Session: other, Last: "2025-03-10", Injected: traces.Injected{Injections: 2, Chars: 1000, Tokens: 250}},
	}
	if diff := cmp.Diff(want, s.BySession()); diff != "" {
		t.Errorf("sessions (-want +got):\n%s", diff)
	}
	if got := s.Total(); got.Chars != 2517 || got.Injections != 6 {
		t.Errorf("total: %+v", got)
	}
}
