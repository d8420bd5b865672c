package sessioncontext_test

import (
	"maps"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/sessioncontext"
)

// TestHoldsIn: what a line answers, replaces or withdraws neither waits nor holds.
func TestHoldsIn(t *testing.T) {
	t.Parallel()
	day := "- [todo] Buy relays (L3 14:00) ^i-a\n- [question] Which fuse? (L4 14:00) ^i-b\n- [decision] Use Go (L4 14:00) ^i-d\n- [x] [todo] Call (L5 14:00) ^i-e\n- [note] It went back (L9 14:10) ^i-c\n"
	type counts = map[string]int
	for below, want := range map[string][2]counts{
		"":                            {{"todo": 1, "question": 1}, {"decision": 1}},
		"  - answers [[#^i-b]]\n":     {{"todo": 1}, {"decision": 1}},
		"  - supersedes [[#^i-d]]\n":  {{"todo": 1, "question": 1}, {}},
		"  - withdraws [[#^i-a]]\n":   {{"question": 1}, {"decision": 1}},
		"  - builds_on [[#^i-a]]\n":   {{"todo": 1, "question": 1}, {"decision": 1}},
		"\n- supersedes everything\n": {{"todo": 1, "question": 1}, {"decision": 1}},
	} {
		open, learnt := sessioncontext.HoldsIn([]byte(day+below), map[string]bool{})
		if !maps.Equal(open, want[0]) || !maps.Equal(learnt, want[1]) {
			t.Errorf("%q: %v are open and %v learnt, want %v", below, open, learnt, want)
		}
	}
}
