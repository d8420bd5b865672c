package codex

import (
	"encoding/json"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// entry is a line of a rollout file.
type entry struct {
	Timestamp string
	Ordinal   *int // absent in older files, where it is the line number
	Type      string
	Payload   *payload
}

// payload has the fields of all supported kinds of records, and of the items in them.
type payload struct {
	Type, ID, Cwd string
	Source        any // of a thread or a command

	// Fields of the first record of a file, session_meta.
	Session     string `json:"session_id"` // of the user, also in a subagent
	Origin      string `json:"forked_from_id"`
	HistoryBase *struct {
		End int `json:"end_ordinal_exclusive"`
	} `json:"history_base"`
	Git struct{ Branch string }

	// Fields of turns and events.
	Model, Message, Text string
	TurnID               string            `json:"turn_id"`
	Attribution          map[string]string `json:"turn_attribution"`
	NumTurns             int               `json:"num_turns"`
	ThreadID             string            `json:"thread_id"`
	Item                 *payload

	// Fields of messages.
	Content, Fragments []part
	Summary            []string `json:"summary_text"`
	RawContent         []string `json:"raw_content"`

	// Fields of calls and their outputs. The model writes the arguments as a string.
	CallID                    string `json:"call_id"`
	Name, Namespace, Input    string
	Arguments, Action, Output json.RawMessage

	// Fields of commands, patches, and calls of a server's tool.
	Command                              []string
	Status, Stdout, Stderr, Server, Tool string
	CommandOutput                        string `json:"aggregated_output"`
	ExitCode                             int    `json:"exit_code"`
	Changes                              map[string]change
	Invocation                           *payload // the tool call, in older files
	Result                               toolResult
	Error                                struct{ Message string }
}

// part is a part of a message.
type part struct {
	Text      string
	Encrypted string `json:"encrypted_content"`
}

// toolResult is the result of a server's tool. Older files have it in OK, or the error in Err.
type toolResult struct {
	Content []part
	IsError bool
	OK      *toolResult
	Err     string
}

// change is the change of a file by a patch.
type change struct {
	Type, Content string
	Diff          string `json:"unified_diff"`
	MovePath      string `json:"move_path"`
}

// parseLine parses a line, and reports whether it belongs to a rollout file.
func parseLine(b []byte) (e entry, ok bool) {
	return e, dialect.Decode(b, &e) && e.Type != "" && e.Payload != nil
}

// source returns what started a thread: exec, cli, vscode and others, subagent with its parent session, or internal.
// The last two are objects with one member.
func (p *payload) source() (kind, parent string) {
	kind, _ = p.Source.(string)
	object, _ := p.Source.(map[string]any)
	for kind = range object {
	}
	subagent, _ := object["subagent"].(map[string]any) // otherwise a name, such as review
	spawn, _ := subagent["thread_spawn"].(map[string]any)
	if parent = p.Session; parent == "" || parent == p.ID {
		parent, _ = spawn["parent_thread_id"].(string)
	}
	return kind, parent
}

// failed reports whether an item failed. Items of server tools in older files have no status.
func (p *payload) failed() bool {
	return p.Status != "" && p.Status != "completed" || p.ExitCode != 0
}

// texts joins the texts of parts. encrypted_content may be plain text, or encrypted and then without blanks.
func texts(content []part) string {
	var said []string
	for _, p := range content {
		if strings.Contains(p.Encrypted, " ") {
			p.Text += p.Encrypted
		}
		if p.Text != "" {
			said = append(said, p.Text)
		}
	}
	return strings.Join(said, "\n")
}
