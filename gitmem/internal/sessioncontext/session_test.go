package sessioncontext_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/sessioncontext"
)

// TestOpenIn: what a line answers, replaces or withdraws does not wait.
func TestOpenIn(t *testing.T) {
	t.Parallel()
	day := "- [todo] Buy relays (L3 14:00) ^i-a\n- [question] Which fuse? (L4 14:00) ^i-b\n- [note] It went back (L9 14:10) ^i-c\n"
	for below, want := range map[string]int{
		"": 2, "  - answers [[#^i-b]]\n": 1, "  - supersedes [[#^i-a]]\n": 1, "  - withdraws [[#^i-a]]\n": 1, "  - builds_on [[#^i-a]]\n": 2,
	} {
		if got := sessioncontext.OpenIn([]byte(day+below), map[string]bool{}); got != want {
			t.Errorf("%q: %d wait, want %d", below, got, want)
		}
	}
}
