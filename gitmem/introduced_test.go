package gitmem_test

import (
	"path/filepath"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// TestWhoIntroducedIsTheAuthor checks that a review, which counts more than a commit without lines, does not introduce
// anything.
func TestWhoIntroducedIsTheAuthor(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.l.write(filepath.Join(r.dir, "pkg", "py.typed"), "")
	r.git("add", "--all")
	r.l.git(r.dir, identity("Zoe Author", "2025-03-01T10:00:00Z"), "commit", "--quiet", "--message",
		"Add types\n\nReviewed-by: Bob Reviewer <bob@example.org>")
	a := l.ask(r.dir, "who introduced pkg/py.typed?", gitmem.Filter{})
	if len(a.People) != 1 || a.People[0].Name != "Zoe Author" {
		t.Errorf("%+v", a.People)
	}
}
