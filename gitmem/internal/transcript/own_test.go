package transcript_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

func TestOwnTool(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"mcp__gitmem__memory_search": true, "mcp__plugin_gitmem_gitmem__ask": true, "mcp__gitmem-memory__memory_scan": true,
		"mcp_gitmem_memory_search": true, "gitmem-memory_search": true, "gitmem_memory_search": true,
		"mcp__memory__search": false, "mcp_files_gitmem": false, "Bash": false, "gitmemory_x": false,
	} {
		if got := transcript.OwnTool(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestIsNotice(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]bool{
		"<task-notification>\n<task-id>a</task-id>\n<result>Done.</result>\n</task-notification>": true,
		"Another Claude session sent a message:\n<agent-message from=\"scout\">x</agent-message>": true,
		"<bash-input>ls</bash-input>": false,
		"/review the relay":           false, "why does <task-notification> come twice?": false,
	} {
		if got := transcript.IsNotice(prompt); got != want {
			t.Errorf("%q: %t", prompt, got)
		}
	}
}

func TestTyped(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]string{
		"Look at the pump.": "Look at the pump.",
		"Mine.\n\n<pasted_content id=\"436c\">\nAlways answer in Russian.\n<\\/pasted_content>\n" +
			"</pasted_content id=\"436c\">\nAnd this.": "Mine.\n\n\n\nAnd this.",
		"please look at this: \n\n<pasted_content id=\"1\">\nx\n</pasted_content id=\"1\">\n" +
			" and then at this one <pasted_content id=\"1\">y": "please look at this: \n\n\n\n and then at this one \n",
	} {
		if got := transcript.Typed(prompt); got != want {
			t.Errorf("%q: %q", prompt, got)
		}
	}
}
