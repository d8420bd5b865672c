package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/gitmem"
)

// Payload is what the client writes to a hook's standard input: the fields that
// are used here, of every event.
type Payload struct {
	SessionID      string          `json:"session_id"`
	TranscriptPath string          `json:"transcript_path"`
	Cwd            string          `json:"cwd"`
	Event          string          `json:"hook_event_name"`
	ToolName       string          `json:"tool_name"`
	ToolInput      json.RawMessage `json:"tool_input"`
	ToolResponse   json.RawMessage `json:"tool_response"`
	Error          string          `json:"error"`

	Source         string `json:"source"`          // SessionStart: startup, resume, clear, compact or fork
	Prompt         string `json:"prompt"`          // UserPromptSubmit
	Reason         string `json:"reason"`          // SessionEnd: clear, resume, logout, prompt_input_exit or other
	Trigger        string `json:"trigger"`         // PreCompact and PostCompact: manual or auto
	CompactSummary string `json:"compact_summary"` // PostCompact: the whole summary
	LastMessage    string `json:"last_assistant_message"`

	AgentID         string `json:"agent_id"` // only inside a subagent
	AgentType       string `json:"agent_type"`
	AgentTranscript string `json:"agent_transcript_path"`
}

// Parse reads a payload.
func Parse(b []byte) (Payload, error) {
	var p Payload
	if len(strings.TrimSpace(string(b))) == 0 {
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

// toolInput holds the fields of known tools' input that name files or say what was asked.
type toolInput struct {
	Command      string `json:"command"`
	FilePath     string `json:"file_path"`
	NotebookPath string `json:"notebook_path"`
	Path         string `json:"path"`
	Pattern      string `json:"pattern"`
	URL          string `json:"url"`
	Query        string `json:"query"`
	Prompt       string `json:"prompt"`
	Description  string `json:"description"`
}

// toolResponse holds the fields of known tools' responses that say what came out.
type toolResponse struct {
	Stdout   *string `json:"stdout"` // nil where the response is none of a command
	Stderr   string  `json:"stderr"`
	FilePath string  `json:"filePath"`
	Type     string  `json:"type"`
	File     struct {
		FilePath   string `json:"filePath"`
		NumLines   int    `json:"numLines"`
		TotalLines int    `json:"totalLines"`
	} `json:"file"`
}

// Observation is the tool call of a payload as the log keeps it. A tool whose
// fields are unknown is kept as its raw JSON.
func (p Payload) Observation() gitmem.Observation {
	o := gitmem.Observation{Session: p.SessionID, Tool: p.ToolName, OK: p.Event != "PostToolUseFailure"}
	var in toolInput
	_ = json.Unmarshal(p.ToolInput, &in) // another shape leaves the fields empty
	file := firstOf(in.FilePath, in.NotebookPath)
	o.Input = firstOf(in.Command, in.Pattern, in.URL, in.Query, in.Prompt, in.Description)
	switch p.ToolName {
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		o.Wrote = relative(p.Cwd, file)
	case "Read", "NotebookRead":
		o.Read = relative(p.Cwd, file)
	default:
		o.Read = relative(p.Cwd, file)
		if o.Input == "" && file == "" && string(p.ToolInput) != "null" {
			o.Input = string(p.ToolInput)
		}
	}
	o.Output = p.output()
	return o
}

func (p Payload) output() string {
	if p.Error != "" {
		return p.Error
	}
	var text string
	if json.Unmarshal(p.ToolResponse, &text) == nil {
		return text
	}
	var r toolResponse
	if json.Unmarshal(p.ToolResponse, &r) != nil {
		return string(p.ToolResponse)
	}
	switch {
	case r.Stdout != nil:
		return strings.TrimSpace(*r.Stdout + "\n" + r.Stderr)
	case r.File.FilePath != "":
		return fmt.Sprintf("%d of %d lines", r.File.NumLines, r.File.TotalLines)
	case (r.FilePath != "" || r.Type != "") && !strings.HasPrefix(p.ToolName, "mcp__"):
		return "" // the written file is named already; its content is in git
	}
	return string(p.ToolResponse)
}

// relative names a file by its path below the working folder where it lies in it.
func relative(cwd, file string) []string {
	if file == "" {
		return nil
	}
	if rel, err := filepath.Rel(cwd, file); err == nil && filepath.IsLocal(rel) {
		return []string{filepath.ToSlash(rel)}
	}
	return []string{file}
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
