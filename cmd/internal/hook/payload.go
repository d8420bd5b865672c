package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxPayload limits what is read from standard input; a tool's response can be large.
const maxPayload = 64 << 20

// Payload is what the client writes to a hook's standard input: the fields of all events that are used here.
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

	other

	size int64 // bytes of its JSON
}

// Parse reads a payload. It only reads to the end of the JSON value, because a client may keep its end of the
// pipe open.
func Parse(r io.Reader) (p Payload, err error) {
	limited := &io.LimitedReader{R: r, N: maxPayload + 1}
	d := json.NewDecoder(limited)
	err = d.Decode(&p)
	p.size = d.InputOffset()
	p.fold()
	switch {
	case limited.N == 0:
		return p, errors.New("the payload is larger than 64 MiB")
	case errors.Is(err, io.EOF):
		return p, errors.New("standard input is empty: expected the client's JSON")
	case errors.As(err, new(*json.SyntaxError)), errors.As(err, new(*json.UnmarshalTypeError)),
		errors.Is(err, io.ErrUnexpectedEOF):
		return p, fmt.Errorf("malformed JSON: %w", err)
	case err != nil:
		return p, fmt.Errorf("read standard input: %w", err)
	case p.SessionID == "":
		return p, errors.New("the payload has no session_id")
	}
	return p, nil
}
