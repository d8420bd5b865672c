package gitmem_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// What was appended to an archive since it was indexed is told, what stood there
// before too, and of what a section says now not what it said then.
func TestRecallOfAnArchiveThatGrew(t *testing.T) {
	t.Parallel()
	l, r := tidewatch(t)
	l.search(r.dir, "level", gitmem.Filter{})
	archive := filepath.Join(l.root, "gitmem", "projects", "github.com", "acme", "tidewatch", "sessions", "2025", "2025-02-11.md")
	before := l.read(archive)
	ask := func(when, prompt, want, never string) {
		t.Helper()
		if got := l.recall(r.dir, "", prompt); !told(got, want) || never != "" && told(got, never) {
			t.Errorf("%s: %q is told %q (%s), want %q and not %q", when, prompt, got.Text, got.Nothing, want, never)
		}
	}
	lease := "why did both dispatcher replicas hold the lease?"
	tables := "where are the harmonic constituents of a station kept?"
	drift := "the mooring buoys report a drift of their accelerometers"
	l.write(archive, before+"- [lesson] Nightly jobs of tide tables must not overlap with the vacuum. (L21 15:25) ^i-bb00000009\n\n"+
		"## Look at the buoys ^s-cccc3333\n\nsession: cccc3333-0000-4000-8000-000000000003 · 16:00–16:30 UTC · branch main · 12 messages · through: line 12 99aa\n\n"+
		"- [bug] Accelerometers of mooring buoys drift below four degrees, since their supply sags. (L3 16:10) ^i-cc00000001\n")
	ask("appended", drift, "supply sags", "")
	ask("appended", lease, "wall clock", "")
	ask("appended", tables, "tide_coefficients", "")
	ask("appended", "do the nightly jobs of tide tables overlap with the vacuum?", "must not overlap", "")
	l.write(archive, strings.Replace(l.read(archive), "Deduplicating mails by subject dropped real second alarms of the same station",
		"Divers had swapped both gauges of the lock at Emden", 1))
	ask("rewritten", "had the divers swapped both gauges of the lock?", "at Emden", "")
}

// A private block may begin before the section to which something was appended.
func TestRecallOfAnArchiveWithAPrivateEnd(t *testing.T) {
	t.Parallel()
	l, r := tidewatch(t)
	archive := filepath.Join(l.root, "gitmem", "projects", "github.com", "acme", "tidewatch", "sessions", "2025", "2025-02-11.md")
	l.write(archive, l.read(archive)+"<private>\n\n## Kept to myself ^s-dddd4444\n\n")
	l.search(r.dir, "level", gitmem.Filter{})
	l.write(archive, l.read(archive)+"- [bug] Accelerometers of mooring buoys drift in the harbour of the secret customer. (L3 16:10) ^i-dd00000001\n</private>\n")
	if got := l.recall(r.dir, "", "the mooring buoys report a drift of their accelerometers"); got.Text != "" {
		t.Errorf("told %q", got.Text)
	}
}
