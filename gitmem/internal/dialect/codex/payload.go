package codex

import (
	"encoding/json"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// entry is a line of a rollout file.
type entry struct {
	Timestamp string
	Ordinal   *int // absent in older files, where it is the number of the line
	Type      string
	Payload   *payload
}

// payload has the members of all kinds of records that are read, and of the items in them.
type payload struct {
	Type, ID, Cwd string
	Source        any // of a thread, or of a command

	// Of the first record of a file, session_meta.
	Session     string `json:"session_id"` // of the user, also in a subagent
	Origin      string `json:"forked_from_id"`
	HistoryBase *struct {
		End int `json:"end_ordinal_exclusive"`
	} `json:"history_base"`
	Git struct{ Branch string }

	// Of turns and events.
	Model, Message, Text string
	TurnID               string            `json:"turn_id"`
	Attribution          map[string]string `json:"turn_attribution"`
	NumTurns             int               `json:"num_turns"`
	ThreadID             string            `json:"thread_id"`
	Item                 *payload

	// Of messages.
	Content, Fragments []part
	Summary            []string `json:"summary_text"`
	RawContent         []string `json:"raw_content"`

	// Of calls and their outputs. The model writes the arguments as a text.
	CallID                    string `json:"call_id"`
	Name, Namespace, Input    string
	Arguments, Action, Output json.RawMessage

	// Of commands, patches, and calls of a server's tool.
	Command                              []string
	Status, Stdout, Stderr, Server, Tool string
	CommandOutput                        string `json:"aggregated_output"`
	ExitCode                             int    `json:"exit_code"`
	Changes                              map[string]change
	Invocation                           *payload // in older files, what calls the tool
	Result                               toolResult
	Error                                struct{ Message string }
}

// part is a part of a message.
type part struct {
	Text      string
	Encrypted string `json:"encrypted_content"`
}

// toolResult is the answer of a server's tool. Older files have it in OK, or the error in Err.
type toolResult struct {
	Content []part
	IsError bool
	OK      *toolResult
	Err     string
}

// change is what a patch does with a file.
type change struct {
	Type, Content string
	Diff          string `json:"unified_diff"`
	MovePath      string `json:"move_path"`
}

// parseLine reads a line, and reports whether it is that of a rollout file.
func parseLine(b []byte) (e entry, ok bool) {
	return e, dialect.Decode(b, &e) && e.Type != "" && e.Payload != nil
}

// source returns what started a thread: exec, cli, vscode and others, subagent with the session that it works
// for, or internal. The last two are objects with one member.
func (p *payload) source() (kind, parent string) {
	kind, _ = p.Source.(string)
	object, _ := p.Source.(map[string]any)
	for kind = range object {
	}
	subagent, _ := object["subagent"].(map[string]any) // else a name, such as review
	spawn, _ := subagent["thread_spawn"].(map[string]any)
	if parent = p.Session; parent == "" || parent == p.ID {
		parent, _ = spawn["parent_thread_id"].(string)
	}
	return kind, parent
}

// failed reports whether an item says so. That of a server's tool in an older file has no status.
func (p *payload) failed() bool {
	return p.Status != "" && p.Status != "completed" || p.ExitCode != 0
}

// texts joins the texts of parts. encrypted_content may be a plain text, or encrypted: then it has no blank.
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
