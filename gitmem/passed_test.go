package gitmem_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// Every question reports unreadable parts of a history, not only the one that built the index.
func TestLostObjectsAreToldByEveryQuestion(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	lost := r.commit("2026-01-05", "Ada Example", "valve.c", "Add the valve")
	r.commit("2026-01-06", "Ada Example", "pump.c", "Add the membrane pump")
	if err := os.Remove(filepath.Join(r.dir, ".git", "objects", lost[:2], lost[2:])); err != nil {
		t.Fatal(err)
	}
	const caveat = "2 objects of the repository are missing, damaged or too large and were passed over."
	for question := range 3 {
		if question == 2 {
			r.git("checkout", "--quiet", "--orphan", "anew")
			r.git("commit", "--quiet", "--message", "Begin anew")
			r.git("branch", "--quiet", "-D", "main")
		}
		a := l.ask(r.dir, "when did we add the membrane pump?", gitmem.Filter{})
		if told := slices.Contains(a.Caveats, caveat); told != (question < 2) {
			t.Errorf("question %d: caveats %q", question+1, a.Caveats)
		}
	}
}
