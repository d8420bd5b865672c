package gitmem_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// TestNoteOfSeveralLines is one item: its citation shows all of it, and the same again is
// known for a duplicate.
func TestNoteOfSeveralLines(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	for _, text := range []string{
		"Flush the valve\n- open it slowly\n\n## Afterwards\nclose the drain",
		"Grease the bearing\n```\nfence that stays open", "Turn the shaft\n<!-- comment that stays open\n\n\n    far below",
		"Look at\n\n- one gauge\n- another gauge ^i-aaaaaaaaaa",
	} {
		n := l.note(r.dir, text)
		src, err := l.open(r.dir).Shown(t.Context(), n.ID, gitmem.ShowOptions{})
		for line := range strings.Lines(text) {
			if err != nil || !strings.Contains(src.Text, strings.TrimSpace(line)) {
				t.Errorf("%q is not shown by %s: %v\n%s", line, n.ID, err, src.Text)
			}
		}
		_, err = l.open(r.dir).Note(t.Context(), text, false)
		if twin, ok := errors.AsType[*gitmem.Duplicate](err); !ok || twin.Line != n.Line {
			t.Errorf("%q again: %v, want one of line %d", text, err, n.Line)
		}
	}
	l.note(r.dir, "Flush the valve\n- open it quickly\n- wear gloves and goggles")
}
