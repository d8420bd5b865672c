//go:build e2e && linux

package e2e_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

// TestContinuity: a task that is blocked in one session is in the request of one two sessions later, with the
// reason, the decision, and the entries that the first session left for it.
func TestContinuity(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	allowed := []string{"--allowedTools", "mcp__gitmem", "--"}
	m := e2e.NewModel(
		e2e.Call("mcp__gitmem__update_task", map[string]any{"title": "Relay driver", "state": "blocked",
			"reason": "the board comes on Friday"}),
		e2e.Call("mcp__gitmem__log_decision", map[string]any{"decision": "Use 10 A relays", "why": "The pump draws 7 A."}),
		e2e.Call("mcp__gitmem__add_session_context", map[string]any{"text": "The range test needs two people."}),
		e2e.Call("mcp__gitmem__set_session_summary",
			map[string]any{"text": "Chose the relays; the driver waits for the board."}),
		e2e.Say("We decided to use the driver of the last board."),
	)
	d.ask(m, append(allowed, "Write the relay driver")...)
	for i, want := range []string{"Relay driver: blocked: the board comes on Friday (by a model)",
		"Proposed: Use 10 A relays (by a model)", "Kept for later sessions", "Kept for later sessions"} {
		if last := m.Requests()[i+1].Last(); !strings.Contains(last, want) {
			t.Errorf("request %d does not hold %q:\n%s", i+1, want, last)
		}
	}
	d.archived("Write the relay driver")
	d.ask(e2e.NewModel(e2e.Say("We decided to build with make.")), "Explain the build of this project in short")
	d.archived("Explain the build of this project in short")

	m = e2e.NewModel(
		e2e.Call("mcp__gitmem__get_session_context", map[string]any{}),
		e2e.Call("mcp__gitmem__update_task", map[string]any{"id": "relay-driver", "state": "in_progress"}),
		e2e.Call("mcp__gitmem__get_full_context", map[string]any{}),
		e2e.Say("Going on."),
	)
	d.ask(m, append(allowed, "Go on with what was blocked")...)
	all := m.Requests()
	wants := []string{
		"task: “Relay driver (blocked: the board comes on Friday)” [task:relay-driver",
		"“Use 10 A relays (proposed): The pump draws 7 A.” [decision:", "“The range test needs two people.”",
		"“Chose the relays; the driver waits for the board.”",
	}
	d.told(all[0], wants...)
	for _, want := range wants {
		if last := all[1].Last(); !strings.Contains(last, want) {
			t.Errorf("get_session_context does not hold %q:\n%s", want, last)
		}
	}
	if last := all[3].Last(); !strings.Contains(last, "Relay driver (in_progress)") {
		t.Errorf("get_full_context does not hold the new state:\n%s", last)
	}
}

// TestProfileTools: the model sets, reads and removes preferences of the user.
func TestProfileTools(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	const hostile = "a.b: c\n- d: $(touch pwned) # e"
	steps := []struct {
		tool  string
		input map[string]any
		want  string // in the tool's result for the model
	}{
		{"update_user_profile", map[string]any{"path": "tools.editor", "value": hostile},
			"set tools.editor a.b: c - d: $(touch pwned) # e"},
		{"get_user_profile", map[string]any{"path": "tools.editor"}, "tools.editor: a.b: c - d: $(touch pwned) # e"},
		{"get_preference_metadata", map[string]any{}, "100 days left"},
		{"get_changelog", map[string]any{"limit": 5}, "set tools.editor"},
		{"run_decay", map[string]any{}, "Nothing changed."},
		{"clear_user_profile", map[string]any{}, "Nothing was removed"},
		{"remove_preference", map[string]any{"path": "tools.editor"}, "remove tools.editor"},
	}
	var replies []e2e.Turn
	for _, s := range steps {
		replies = append(replies, e2e.Call("mcp__gitmem__"+s.tool, s.input))
	}
	m := e2e.NewModel(append(replies, e2e.Say("Done."))...)
	d.ask(m, "--allowedTools", "mcp__gitmem", "--", "Remember my editor")
	for i, s := range steps {
		if last := m.Requests()[i+1].Last(); !strings.Contains(last, s.want) {
			t.Errorf("%s: the model is not sent %q:\n%s", s.tool, s.want, last)
		}
	}
}
