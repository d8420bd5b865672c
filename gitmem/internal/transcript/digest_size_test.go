package transcript_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// TestDigestOfLongMessages checks that a message with four times as many sentences, or tasks, takes about four times
// the memory, and not sixteen times. No other test runs meanwhile.
func TestDigestOfLongMessages(t *testing.T) {
	taken := func(m transcript.Message) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := transcript.Summarise(messages(m)); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for name, of := range map[string]func(n int) transcript.Message{
		"sentences": func(n int) transcript.Message {
			text := strings.Repeat("The relay welded when the pump began.\n\n", n)
			return transcript.Message{Line: 1, Role: transcript.RoleAssistant, Speaker: transcript.Model, Text: text}
		},
		"tasks": func(n int) transcript.Message {
			todos := strings.TrimSuffix(strings.Repeat(`{"content":"Wire the relay","status":"pending"},`, n), ",")
			call := transcript.ToolUse{ID: "t", Name: "TodoWrite", Input: json.RawMessage(`{"todos":[` + todos + `]}`)}
			return transcript.Message{Line: 1, Role: transcript.RoleAssistant, Tools: []transcript.ToolUse{call}}
		},
	} {
		taken(of(1)) // loads what is loaded once
		few, many := taken(of(500)), taken(of(2000))
		if many > 8*few {
			t.Errorf("2000 %s take %d bytes, and 500 of them %d", name, many, few)
		}
	}
}
