package hook_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/hook"
)

func TestRegistered(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range hook.Registered("claude") {
		if !slices.Contains(hook.Names(), r.Name) || hook.Background(r.Name) {
			t.Errorf("%s calls %s, which is no hook of the client", r.Event, r.Name)
		}
		if seen[r.Event] {
			t.Errorf("%s is registered twice", r.Event)
		}
		if seen[r.Event] = true; r.Timeout < 1 || r.Timeout > 60 {
			t.Errorf("%s may take %d s", r.Event, r.Timeout)
		}
	}
	for _, event := range []string{
		"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop", "PreCompact",
		"PostCompact", "SessionEnd",
	} {
		if !seen[event] {
			t.Errorf("nothing is registered for %s", event)
		}
	}
}

// TestRegisteredByAgent checks the hooks of each agent: its own event names, and its own unit of time.
func TestRegisteredByAgent(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		"codex": "session-start=SessionStart:10 user-prompt-submit=UserPromptSubmit:10 post-tool-use=PostToolUse:10 " +
			"stop=Stop:15 " +
			"subagent-stop=SubagentStop:15 pre-compact=PreCompact:15 session-end=SessionEnd:3",
		"copilot": "session-start=SessionStart:10 user-prompt-submit=UserPromptSubmit:10 post-tool-use=PostToolUse:10 " +
			"post-tool-use-failure=PostToolUseFailure:10 stop=Stop:15 subagent-stop=SubagentStop:15 pre-compact=PreCompact:15 " +
			"session-end=SessionEnd:10",
		"gemini": "session-start=SessionStart:10000 user-prompt-submit=BeforeAgent:10000 post-tool-use=AfterTool:10000 " +
			"stop=AfterAgent:15000 " +
			"pre-compact=PreCompress(manual):15000 session-end=SessionEnd:10000",
		"qwen": "session-start=SessionStart:10 user-prompt-submit=UserPromptSubmit:10 post-tool-use=PostToolUse:10 " +
			"post-tool-use-failure=PostToolUseFailure:10 stop=Stop:15 subagent-stop=SubagentStop:15 pre-compact=PreCompact:15 " +
			"post-compact=PostCompact:15 session-end=SessionEnd:10",
		"crush": "",
		"pi":    "",
		"":      "",
	} {
		var got []string
		for _, r := range hook.Registered(agent) {
			matcher := ""
			if r.Matcher != "" {
				matcher = "(" + r.Matcher + ")"
			}
			got = append(got, fmt.Sprintf("%s=%s%s:%d", r.Name, r.Event, matcher, r.Timeout))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s\nwant %s", agent, strings.Join(got, " "), want)
		}
	}
	if got := strings.Join(hook.Agents(), " "); got != "claude codex copilot gemini qwen" {
		t.Error(got)
	}
}
