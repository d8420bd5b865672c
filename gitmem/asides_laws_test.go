package gitmem_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// Calls between two turns do not keep the turns from being neighbours.
func TestAsidesKeepNeighbours(t *testing.T) {
	t.Parallel()
	beside := func(calls int) bool {
		l := newLab(t)
		dir := l.plain("pump")
		s := l.scroll(dir, sessionA)
		s.say("user", "Which valve did we take for the zebra?")
		for range calls {
			s.call("t", "Bash", map[string]any{"command": "ls"})
			s.result("t", "a b c", false)
		}
		s.say("assistant", "The one of brass.")
		for _, h := range l.search(dir, "zebra", gitmem.Filter{Type: "discussion"}).Hits {
			if strings.Contains(h.Excerpt, "brass") {
				return true
			}
		}
		return false
	}
	for _, calls := range []int{0, 1, 20} {
		if !beside(calls) {
			t.Errorf("with %d calls between, the answer does not stand beside the question", calls)
		}
	}
}

// A question about the past uses the records up to then, and checks what is shown.
func TestAsidesOfThePast(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := l.plain("pump")
	s := l.scroll(dir, sessionA)
	s.say("user", "Begin")
	s.call("t1", "Bash", map[string]any{"command": "measure stator"})
	s.at = 3600 // the next day, by minutes
	s.add("assistant",
		[]any{map[string]any{"type": "tool_use", "id": "t2", "name": "Bash",
			"input": map[string]any{"command": "measure rotor"}}},
		"timestamp", "2025-03-10T09:00:00.000Z")
	past := gitmem.Filter{AsOf: "2025-03-09"}
	if got := hitsOf(l.search(dir, "stator", past)); !slices.Contains(got, "tool transcript:"+sessionA+":2#tool") {
		t.Errorf("what had been done: %q", got)
	}
	if got := hitsOf(l.search(dir, "rotor", past)); slices.Contains(got, "tool transcript:"+sessionA+":3#tool") {
		t.Errorf("what was done later: %q", got)
	}
	l.with(dir, func(m *gitmem.Memory) error {
		if _, err := m.Shown(t.Context(), "transcript:"+sessionA+":3#tool",
			gitmem.ShowOptions{AsOf: "2025-03-09"}); !errors.Is(err, gitmem.ErrNotFound) {
			t.Errorf("shown: %v", err)
		}
		_, err := m.Shown(t.Context(), "transcript:"+sessionA+":2#tool", gitmem.ShowOptions{AsOf: "2025-03-09"})
		return err
	})
}

// Secrets are masked before anything is cut or indexed, in every part.
func TestAsidesHideSecrets(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := l.plain("pump")
	const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	key := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n", 60) +
		"-----END PRIVATE KEY-----\n"
	s := l.scroll(dir, sessionA)
	s.add("assistant", []any{map[string]any{"type": "thinking", "thinking": "bassoon " + token}})
	s.call("t1", "Bash", map[string]any{"command": "bassoon --token " + token, "description": token})
	s.result("t1", "bassoon\n"+strings.Repeat("filler line\n", 60)+key, true)
	s.call("t2", "mcp__x__"+token, map[string]any{"any": "bassoon " + token})
	s.put(map[string]any{"type": "custom-title", "customTitle": "bassoon " + token, "sessionId": sessionA})
	r := l.search(dir, "bassoon", gitmem.Filter{})
	if len(r.Hits) < 5 {
		t.Fatalf("found %q", hitsOf(r))
	}
	for _, h := range r.Hits {
		l.with(dir, func(m *gitmem.Memory) error {
			src, err := m.Shown(t.Context(), h.ID, gitmem.ShowOptions{})
			if text := asJSON(t, src) + asJSON(t, h); strings.Contains(text, token) || strings.Contains(text, "MIIEvQ") {
				t.Errorf("%s tells a secret: %s", h.ID, text)
			}
			return err
		})
	}
	if l.indexed("miievqibadanbgkqhkig9w0baqefaascbkcwggsjageaaoibaqc7") || l.indexed(strings.ToLower(token)) {
		t.Error("a secret is indexed")
	}
}

// The actions of a subagent are attributed to it, like its text.
func TestAsidesOfSubagents(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := l.plain("pump")
	s := l.scroll(dir, sessionA)
	s.file = filepath.Join(l.root, "projects", munge(dir), sessionA, "subagents", "agent-7.jsonl")
	s.call("t1", "Grep", map[string]any{"pattern": "bassoon"})
	s.result("t1", "bassoon.go:1", false)
	got := hitsOf(l.search(dir, "bassoon", gitmem.Filter{Session: sessionA}))
	slices.Sort(got)
	equal(t, "found", []string{"result transcript:agent-7:2#result", "tool transcript:agent-7:1#tool"}, got)
}
