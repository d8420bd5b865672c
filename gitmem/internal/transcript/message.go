package transcript

import (
	"encoding/json"
	"time"
)

// Role is the role of a message's speaker.
type Role string

const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	// RoleProgram, RoleAgent and RoleClient are text of others in the user's place.
	RoleProgram Role = Role(Program)
	RoleAgent   Role = Role(Agent)
	RoleClient  Role = Role(Client)
	// RoleTool is a user line of the file that contains results of tools.
	RoleTool Role = "tool"
	// RoleSummary is the client's summary of a conversation that it compacted.
	RoleSummary Role = "summary"
	// RoleTitle is a title that the client or the user gave the session. Only a reader with WithTitles yields them.
	RoleTitle Role = "title"
)

// Message is one record of the conversation. The client writes an assistant's reply as several records, one for each
// block; each is a separate message.
type Message struct {
	Line           int   // 1-based number of its line in the file
	Offset, Length int64 // of the record's bytes in the file, without line end

	UUID, Session      string
	Sidechain          bool // belongs to a subagent
	Role               Role
	Speaker            Speaker   // author of Text
	Prompt             bool      // starts a turn of the session, whoever sent it
	TakenBack          bool      // on a branch of the conversation that was abandoned
	Time               time.Time // zero if absent or unreadable
	Cwd, Branch, Model string    // Branch is HEAD outside a repository

	Text     string // the text blocks, joined by a blank line
	Thinking string // the thinking blocks, joined by a blank line
	Tools    []ToolUse
	Results  []ToolResult
}

// Synthetic reports whether the client wrote the message in the assistant's place, for example a service error.
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
	Report   string // report of a subagent
}
