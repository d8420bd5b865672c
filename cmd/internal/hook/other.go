package hook

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"strings"
)

// other has the payload fields of agents other than Claude Code.
type other struct {
	Timestamp     json.RawMessage `json:"timestamp"`        // of all but Codex CLI
	Turn          lenientString   `json:"turn_id"`          // Codex CLI
	ToolCall      lenientString   `json:"tool_call_id"`     // Qwen Code: the id in the session file
	PromptOfUser  *Clipped        `json:"submitted_prompt"` // Qwen Code: nil for a request to the model that nobody typed
	Answer        lenientString   `json:"prompt_response"`  // Gemini CLI
	ToolResult    json.RawMessage `json:"tool_result"`      // Copilot CLI
	ParentAgent   lenientString   `json:"parent_agent_id"`  // Copilot CLI, within a subagent: the session
	AgentResponse lenientString   `json:"response"`         // Copilot CLI, of a subagent

	// Copilot CLI uses these names if its events are registered in camel case.
	CamelSession    lenientString   `json:"sessionId"`
	CamelTranscript lenientString   `json:"transcriptPath"`
	CamelTool       lenientString   `json:"toolName"`
	CamelInput      json.RawMessage `json:"toolArgs"`
	CamelResult     json.RawMessage `json:"toolResult"`
	CamelAgent      lenientString   `json:"agentId"`
	CamelAgentType  lenientString   `json:"agentType"`
	CamelParent     lenientString   `json:"parentAgentId"`

	agent   string   // that wrote the payload, "" for Claude Code
	file    string   // that contains the session
	patched []string // files in a patch
	unknown bool     // it is unknown whether the call failed
}

// fold copies the camel case fields to the usual ones.
func (p *Payload) fold() {
	if p.CamelSession == "" {
		return
	}
	p.SessionID, p.TranscriptPath, p.ToolName = string(p.CamelSession), string(p.CamelTranscript), string(p.CamelTool)
	p.AgentID, p.AgentType, p.ParentAgent = string(p.CamelAgent), string(p.CamelAgentType), p.CamelParent
	p.ToolInput, p.ToolResult = p.CamelInput, p.CamelResult
}

// writtenBy returns the agent that wrote a payload. Copilot CLI runs the hooks in the Claude Code settings of
// a checkout, and both it and Codex CLI run those of the plugin.
func (p *Payload) writtenBy() string {
	file := filepath.Base(p.TranscriptPath)
	switch {
	case p.CamelSession != "", p.ToolResult != nil, file == "events.jsonl", p.Timestamp != nil && p.TranscriptPath == "":
		return copilot
	case p.Turn != "", strings.HasPrefix(file, "rollout-"):
		return codex
	}
	return claudeCode
}

// OfClaudeCode reports whether Claude Code wrote the payload.
func (p *Payload) OfClaudeCode() bool { return p.writtenBy() == claudeCode }

// adapt converts the payload of another agent to that of Claude Code, with the session's id in memory. It
// returns why there is nothing to do, or "". The session's file is found by the id.
func (p *Payload) adapt(agent string, h Hook) (nothing string) {
	if agent == claudeCode {
		return ""
	}
	compacts := agent != gemini || p.Trigger == "manual"
	p.agent, p.Event = agent, h.Event
	switch {
	case h.Name == "pre-compact" && !compacts:
		return "no compaction"
	case p.ParentAgent != "" && (h.Name == "user-prompt-submit" || h.Name == "stop"):
		return "prompt or answer of a subagent"
	case agent == qwen && h.Name == "user-prompt-submit" && p.Prompt == "" && p.PromptOfUser == nil:
		return "no prompt"
	}
	p.SessionID = agent + "-" + cmp.Or(string(p.ParentAgent), p.SessionID)
	if p.PromptOfUser != nil {
		p.Prompt = *p.PromptOfUser
	}
	p.Prompt = withoutContext(p.Prompt)
	p.LastMessage = cmp.Or(p.LastMessage, string(p.Answer), string(p.AgentResponse))
	if p.AgentID != "" {
		p.AgentType = cmp.Or(p.AgentType, p.AgentID)
	}
	if p.Source == "new" {
		p.Source = "startup"
	}
	if p.ToolName != "" {
		p.adaptTool()
	}
	p.file, p.TranscriptPath = p.TranscriptPath, ""
	return ""
}

// startsWithPrompt reports whether a session gets its context with its first prompt: in a headless run,
// Gemini CLI stores the output of a session start hook as a part of the prompt, and drops both when the
// session is resumed.
func (p *Payload) startsWithPrompt() bool { return p.agent == gemini }

// withoutContext removes the text that hooks put before the prompt at the start of a session.
func withoutContext(prompt Clipped) Clipped {
	text := string(prompt)
	for strings.HasPrefix(text, "<hook_context>") {
		_, rest, ok := strings.Cut(text, "</hook_context>")
		if !ok {
			break
		}
		text = strings.TrimSpace(rest)
	}
	return Clipped(text)
}
