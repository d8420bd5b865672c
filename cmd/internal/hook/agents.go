package hook

import "slices"

// The agents whose hooks are known, by their names for the flag --agent.
const (
	claudeCode = "claude"
	codex      = "codex"
	copilot    = "copilot"
	gemini     = "gemini"
	qwen       = "qwen"
)

// events are the hook events of agents other than Claude Code: in Codex CLI 0.171.0, GitHub Copilot CLI
// 1.0.102, Gemini CLI 0.61.0 and Qwen Code 0.24.4. Gemini CLI fires PreCompress before each request to the
// model; it only compacts if a person requests it, or after the request. Only Qwen Code reports the result of
// a compaction.
var events = [...]event{
	{codex, "session-start", "SessionStart", ""},
	{codex, "user-prompt-submit", "UserPromptSubmit", ""},
	{codex, "post-tool-use", "PostToolUse", ""},
	{codex, "stop", "Stop", ""},
	{codex, "subagent-stop", "SubagentStop", ""},
	{codex, "pre-compact", "PreCompact", ""},
	{codex, "session-end", "SessionEnd", ""},
	{copilot, "session-start", "SessionStart", ""},
	{copilot, "user-prompt-submit", "UserPromptSubmit", ""},
	{copilot, "post-tool-use", "PostToolUse", ""},
	{copilot, "post-tool-use-failure", "PostToolUseFailure", ""},
	{copilot, "stop", "Stop", ""},
	{copilot, "subagent-stop", "SubagentStop", ""},
	{copilot, "pre-compact", "PreCompact", ""},
	{copilot, "session-end", "SessionEnd", ""},
	{gemini, "session-start", "SessionStart", ""},
	{gemini, "user-prompt-submit", "BeforeAgent", ""},
	{gemini, "post-tool-use", "AfterTool", ""},
	{gemini, "stop", "AfterAgent", ""},
	{gemini, "pre-compact", "PreCompress", "manual"},
	{gemini, "session-end", "SessionEnd", ""},
	{qwen, "session-start", "SessionStart", ""},
	{qwen, "user-prompt-submit", "UserPromptSubmit", ""},
	{qwen, "post-tool-use", "PostToolUse", ""},
	{qwen, "post-tool-use-failure", "PostToolUseFailure", ""},
	{qwen, "stop", "Stop", ""},
	{qwen, "subagent-stop", "SubagentStop", ""},
	{qwen, "pre-compact", "PreCompact", ""},
	{qwen, "post-compact", "PostCompact", ""},
	{qwen, "session-end", "SessionEnd", ""},
}

// event is one event of an agent, and the hook that it calls.
type event struct{ agent, hook, name, matcher string }

// maxCodexEnd is the longest time in seconds that Codex CLI waits at the end of a session. It warns about a
// longer one.
const maxCodexEnd = 3

// of returns a hook as registered with the agent.
func (e event) of(h Hook) Hook {
	h.Event, h.Matcher = e.name, e.matcher
	switch {
	case e.agent == gemini:
		h.Timeout *= 1000 // milliseconds
	case e.agent == codex && h.Name == "session-end":
		h.Timeout = maxCodexEnd
	}
	if e.agent != codex {
		h.StatusMessage = ""
	}
	return h
}

// Agents returns the agents that call hooks, in alphabetical order.
func Agents() []string {
	names := []string{claudeCode}
	for _, e := range events {
		names = append(names, e.agent)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
