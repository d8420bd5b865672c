package cite_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// TestQuotableSession: lines for programs are never quoted, wherever they are in a section; what people said always is.
func TestQuotableSession(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"last", "\nwrote: it down\n\nsession: a good one\n\nmessages: 4\nsession: s-1 · through: line 4 9c1e\n",
			"\nwrote: it down\n\nsession: a good one\n\n\n\n"},
		{"last, bullets below", "\nWired.\n\nsession: s-1 · through: line 4 9c1e\n- [note] later\n",
			"\nWired.\n\n\n- [note] later\n"},
		{"first", "\nsession: s-1 · 10:00–11:00 UTC\nwrote: a.c · through: line 4 9c1e\n\nWired.\n", "\n\n\n\nWired.\n"},
	} {
		if got := cite.Quotable(cite.Source{Source: string(cite.KindSession), Text: c.text}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
