package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Payload is what the client writes to a hook's standard input: the fields that
// are used here, of every event.
type Payload struct {
	SessionID      string          `json:"session_id"`
	TranscriptPath string          `json:"transcript_path"`
	Cwd            string          `json:"cwd"`
	Event          string          `json:"hook_event_name"`
	ToolName       string          `json:"tool_name"`
	ToolUseID      string          `json:"tool_use_id"`
	ToolInput      json.RawMessage `json:"tool_input"`
	ToolResponse   json.RawMessage `json:"tool_response"`
	Error          string          `json:"error"`
	IsInterrupt    bool            `json:"is_interrupt"`

	Source         string  `json:"source"`          // SessionStart: startup, resume, clear, compact or fork
	Prompt         Clipped `json:"prompt"`          // UserPromptSubmit
	Reason         string  `json:"reason"`          // SessionEnd: clear, resume, logout, prompt_input_exit or other
	Trigger        string  `json:"trigger"`         // PreCompact and PostCompact: manual or auto
	CompactSummary string  `json:"compact_summary"` // PostCompact: the whole summary
	LastMessage    string  `json:"last_assistant_message"`

	AgentID   string `json:"agent_id"` // only inside a subagent
	AgentType string `json:"agent_type"`
}

// Parse reads a payload.
func Parse(b []byte) (Payload, error) {
	var p Payload
	if len(bytes.TrimSpace(b)) == 0 {
		return p, errors.New("standard input is empty: expected the client's JSON")
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return p, fmt.Errorf("malformed JSON: %w", err)
	}
	if p.SessionID == "" {
		return p, errors.New("the payload has no session_id")
	}
	return p, nil
}
