package gitmem_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// A superseded choice is marked as such, and shown with its replacement.
func TestSupersededChoicesAreMarked(t *testing.T) {
	t.Parallel()
	l, r, f := forged(t)
	l.write(filepath.Join(r.dir, "docs/adr/0001-use-a-piston-pump.md"),
		"# 1. Use a piston pump\n\n## Status\n\nSuperseded by [2](0002-use-a-membrane-pump.md)\n\n## Decision\n\n"+
			"We use a piston pump because it was in stock.\n")
	r.commit("2024-02-01", "Ada Example", "docs/adr/0002-use-a-membrane-pump.md", "Record two choices")
	a := f.asked(l, r.dir, "why do we use a piston pump?", func(o *gitmem.Options) { o.Offline = true })
	if !strings.Contains(a.Answer, "(superseded)") ||
		!strings.Contains(a.Answer, "Superseded by [docs:docs/adr/0002-use-a-membrane-pump.md") {
		t.Errorf("the answer marks nothing: %s\n%+v", a.Answer, a.Citations)
	}
}
