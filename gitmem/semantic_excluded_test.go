package gitmem_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// Excluded text leaves no vector of any model, and the other texts are not embedded again.
func TestExcludedVectors(t *testing.T) {
	t.Parallel()
	l, e := newLab(t), newEmbedder(t)
	open, closed := filepath.Join(l.base, "open"), filepath.Join(l.base, "closed")
	l.mkdir(open)
	l.mkdir(closed)
	l.transcriptFile(closed, sessionB, turn{role: "user", at: "2025-03-08T14:02:00Z", text: "the login lasts for a day"})
	embed := "embed: {endpoint: '" + e.URL + "', model: m}\n"
	everywhere := gitmem.Filter{Project: "all"}
	l.configure(embed)
	l.search(open, "authentication", everywhere)
	var key string // of the one text that is embedded
	for _, b := range vectorsBelow(t, l) {
		key = b[48:56]
	}
	kept := func(key string) (names []string) {
		for name, b := range vectorsBelow(t, l) {
			if strings.Contains(b, key) {
				names = append(names, name)
			}
		}
		return names
	}
	l.transcriptFile(open, sessionA, turn{role: "user", at: "2025-03-08T14:02:00Z", text: "the motor turns left"})
	l.search(open, "pump", everywhere)
	other := filepath.Join(l.root, "gitmem", ".index", "vectors", "transcripts-"+strings.Repeat("0", 32)+".gmv")
	if err := os.WriteFile(other, []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	e.sent()
	l.configure(embed + "exclude: ['" + closed + "']\n")
	if _, hits := semantic(l.search(open, "authentication", everywhere)); strings.Contains(hits, "login") {
		t.Errorf("excluded and found: %s", hits)
	}
	if names := kept(key); len(names) > 0 {
		t.Errorf("%v still have the vector", names)
	}
	if sent := e.sent(); len(sent) != 1 { // the question
		t.Errorf("sent again: %q", sent)
	}
	if _, hits := semantic(l.search(open, "pump", everywhere)); !strings.Contains(hits, "motor") {
		t.Errorf("what stays is not found: %s", hits)
	}
	l.configure("exclude: ['" + open + "', '" + closed + "']\n") // without a model
	l.search(open, "motor", everywhere)
	if left := vectorsBelow(t, l); len(left) > 0 {
		t.Errorf("%d files of vectors are kept of what is all excluded", len(left))
	}
}
