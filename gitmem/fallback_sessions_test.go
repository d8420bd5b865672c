package gitmem_test

import (
	"path/filepath"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// Hits are grouped by session whatever strategy found them.
func TestFallbacksBySession(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	a, b := "transcript:"+sessionA+":", "transcript:"+sessionB+":"
	for query, want := range map[string][]string{
		"robnicat":             {b + "1", a + "2"}, // literal match
		"hyperfrobnicatoriun":  {b + "1", a + "1"}, // similar spelling
		"paint hyperfrobnicat": {b + "1", a + "1"}, // one known word
	} {
		equal(t, query, want, hitIDs(l.search(dir, query, gitmem.Filter{BySession: true, Layer: "transcripts"})))
	}
}

// Records that must not be shown are not found by a literal search either: those of an excluded folder, and messages
// from while capture was paused.
func TestGrepWithholds(t *testing.T) {
	t.Parallel()
	l, dir := newYard(t)
	const sessionOther = "9c1d02e9-0000-4000-8000-000000000003"
	attic := l.repo("attic")
	l.transcriptFile(attic.dir, sessionOther,
		turn{role: "user", at: "2025-03-10T14:02:00Z", text: "Hide the hyperfrobnicatorium"},
		turn{role: "assistant", at: "2025-03-10T14:05:00Z", text: "The hyperfrobnicatorium is hidden"},
	)
	everywhere := gitmem.Filter{Project: "all"}
	c := "transcript:" + sessionOther + ":"
	shown := hitIDs(l.search(dir, "robnicat", everywhere))
	equal(t, "all", []string{c + "2", c + "1"}, shown[:2])
	l.configure("exclude: ['" + attic.dir + "']\n")
	equal(t, "with an excluded folder", shown[2:], hitIDs(l.search(dir, "robnicat", everywhere)))
	l.configure("")
	l.write(filepath.Join(l.root, "gitmem", ".paused"), `{"pauses": [{"folder": "", "since": "2025-03-10T14:04:00Z"}]}`)
	equal(t, "with a pause", append([]string{c + "1"}, shown[2:]...), hitIDs(l.search(dir, "robnicat", everywhere)))
}
