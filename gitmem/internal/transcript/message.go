package transcript

import (
	"encoding/json"
	"time"
)

// Role says who speaks in a message.
type Role string

const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	// RoleProgram, RoleAgent and RoleClient are in the user's place what others than the user say.
	RoleProgram Role = Role(Program)
	RoleAgent   Role = Role(Agent)
	RoleClient  Role = Role(Client)
	// RoleTool is a user line of the file that carries results of tools.
	RoleTool Role = "tool"
	// RoleSummary is the client's summary of a conversation that it compacted.
	RoleSummary Role = "summary"
	// RoleTitle is a title that the client or the user gave the session. Only a
	// reader that is asked for titles yields them.
	RoleTitle Role = "title"
)

// Message is one record of the conversation. The client writes an assistant's
// reply as several records, one for each block; they stay several messages.
type Message struct {
	Line           int   // number of its line in the file, from 1
	Offset, Length int64 // of the record's bytes in the file, without line end

	UUID, Session      string
	Sidechain          bool // belongs to a subagent
	Role               Role
	Speaker            Speaker   // whose words Text is
	Prompt             bool      // leads a turn of the session, whoever sent it
	TakenBack          bool      // of a branch of the conversation that was left for another one
	Time               time.Time // zero if absent or unreadable
	Cwd, Branch, Model string    // Branch is HEAD outside a repository

	Text     string // the text blocks, joined by a blank line
	Thinking string // the thinking blocks, joined likewise
	Tools    []ToolUse
	Results  []ToolResult
}

// Synthetic reports whether the client wrote it in the assistant's place, such as errors of
// the service.
func (m Message) Synthetic() bool { return m.Model == syntheticModel }

// ToolUse is one call of a tool.
type ToolUse struct {
	ID, Name string
	Input    json.RawMessage // as the assistant gave it
	Paths    []string        // files and folders that the input names
	Writes   bool            // the tool changes the files in Paths
	Command  string          // that it runs in a shell
}

// ToolResult is the answer of a tool to the call with the same ID.
type ToolResult struct {
	ID, Text string
	Error    bool
	Report   string // what a subagent came to
}
