package archiving_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
)

// TestLeftInSection: a section has the commands whose last run failed, without secrets, the findings of an agent,
// marked as its words, and a note that a program ran the session.
func TestLeftInSection(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	f := m.transcript(m.dir, sessionA)
	n := 0
	say := func(role string, content any, more map[string]any) {
		n++
		rec := map[string]any{
			"type": role, "uuid": sessionA[:7] + string(rune('a'+n)), "sessionId": sessionA, "timestamp": "2025-03-09T14:00:00Z",
			"cwd": m.dir, "version": "2.1.332", "message": map[string]any{"role": role, "content": content},
		}
		maps.Copy(rec, more)
		line, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		m.appendTo(f, string(line)+"\n")
	}
	use := func(id, name string, input map[string]any) map[string]any {
		return map[string]any{"type": "tool_use", "id": id, "name": name, "input": input}
	}
	result := func(id, text string, failed bool) []any {
		return []any{map[string]any{"type": "tool_result", "tool_use_id": id, "is_error": failed, "content": text}}
	}
	text := func(text string) []any { return []any{map[string]any{"type": "text", "text": text}} }
	say("user", "Deploy the pump", map[string]any{"promptSource": "sdk"})
	say("assistant", []any{
		use("a", "Bash", map[string]any{"command": "deploy --token " + secret}), use("b", "Agent", nil),
		use("c", "Write", map[string]any{"file_path": "a.c"}),
	}, nil)
	say("user", result("a", "Exit code 2\nno route with "+secret, true), nil)
	say("user", result("b", "[hand-back] The report follows.", false), map[string]any{"toolUseResult": map[string]any{
		"agentId": "x", "content": text("We decided to use CAN because RS485 lost frames."),
	}})
	say("assistant", text("The pump is deployed to the yard."), nil)
	section := m.Read(m.InRoot(m.end(m.dir, sessionA, f).File))
	for _, want := range []string{
		"- [failed] `deploy --token ", "no route with ", "lost frames. (L4 14:00 by an agent)", " · by a program · ",
		"\n\nThe pump is deployed to the yard.\n",
	} {
		if !strings.Contains(section, want) {
			t.Errorf("it lacks %q", want)
		}
	}
	if strings.Contains(section, secret[4:]) || strings.Contains(section, "hand-back") || t.Failed() {
		t.Error(section)
	}
}
