package sessioncontext_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/sessioncontext"
)

// TestHoldsIn checks that items that a line answers, replaces or withdraws are neither open nor valid.
func TestHoldsIn(t *testing.T) {
	t.Parallel()
	day := "- [todo] Buy relays (L3 14:00) ^i-a\n- [question] Which fuse? (L4 14:00) ^i-b\n" +
		"- [decision] Use Go (L4 14:00) ^i-d\n- [x] [todo] Call (L5 14:00) ^i-e\n- [note] It went back (L9 14:10) ^i-c\n"
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

// TestUnanswered checks that the last prompt of a session without an answer is open until the session continues.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	const id = "3f2a91c4-0000-4000-8000-000000000001"
	head := func(prompt string) string {
		return "messages: 2 · " + prompt + " · branch main · 14:00–14:10 UTC\nsession: " + id + " · through: line 9 00ff\n\n"
	}
	first := "---\nformat: 1\nkind: sessions\nproject: x\ndate: 2026-11-20\n---\n\n# 2026-11-20\n\n" +
		"## Wire it ^s-3f2a91c4\n\n- [work] Wire it (L1 14:00) ^i-a\n- [work] Measure the pump (L7 14:10) ^i-b\n\n"
	for day, want := range map[string]string{
		first + head("last prompt: line 7 without an answer"): "unanswered 2026-11-20: “Measure the pump”",
		first + head("last prompt: line 7"):                   "",
		first + head("last prompt: line 7 without an answer") +
			"## Fuse (continued) ^s-3f2a91c4-2\n\n- [work] And the fuse? (L11 15:00) ^i-c\n\n" +
			head("last prompt: line 11"): "",
	} {
		f := cite.File{Path: "gitmem/projects/x/sessions/2026/2026-11-20.md", Area: cite.AreaArchive}
		units, _ := cite.Units(f, []byte(day))
		text, _, _ := sessioncontext.Layout("x",
			[]sessioncontext.Section{sessioncontext.OpenSection(nil, sessioncontext.Archived(f, units, map[string]bool{}), nil)})
		if found := strings.Contains(text, "- unanswered "); found != (want != "") || !strings.Contains(text, want) {
			t.Errorf("%s\nis told as\n%s", day, text)
		}
	}
}
