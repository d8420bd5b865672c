package archiving_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestTasksAreRedactedWhole: each task is redacted separately, so that an unclosed tag in it hides the rest of the task
// but not of the section.
func TestTasksAreRedactedWhole(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	f := m.transcript(m.dir, sessionA)
	say := func(id, role string, content any) {
		line, err := json.Marshal(map[string]any{
			"type": role, "uuid": sessionA[:7] + id, "sessionId": sessionA, "timestamp": "2025-03-09T14:00:00Z",
			"cwd": m.dir, "version": "2.1.332", "message": map[string]any{"role": role, "content": content},
		})
		if err != nil {
			t.Fatal(err)
		}
		m.appendTo(f, string(line)+"\n")
	}
	call := func(id, name string, input map[string]any) map[string]any {
		return map[string]any{"type": "tool_use", "id": id, "name": name, "input": input}
	}
	say("a", "user", "Deploy the pump to the yard")
	say("b", "assistant", []any{
		call("w", "TodoWrite",
			map[string]any{"todos": []any{map[string]any{"content": "Wire relay seven <private>for Smith",
				"status": "in_progress"}}}),
		call("c", "TaskCreate", map[string]any{"subject": "Paint relay eight <private>for Jones"}),
	})
	say("c", "user",
		[]any{map[string]any{"type": "tool_result", "tool_use_id": "c", "content": "Task #1 created successfully"}})
	say("d", "assistant", []any{call("u", "TaskUpdate", map[string]any{"taskId": "1", "status": "in_progress"})})
	say("e", "assistant",
		[]any{map[string]any{"type": "text", "text": "We decided to use CAN because RS485 lost frames."}})
	section := m.Read(m.InRoot(m.end(m.dir, sessionA, f).File))
	for _, want := range []string{"- [todo] Wire relay seven", "- [todo] Paint relay eight",
		"- [decision] We decided to use CAN"} {
		if !strings.Contains(section, want) {
			t.Errorf("it lacks %q", want)
		}
	}
	if strings.Contains(section, "Smith") || strings.Contains(section, "Jones") || t.Failed() {
		t.Error(section)
	}
}
