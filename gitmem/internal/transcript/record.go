package transcript

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// record is what a line holds, as far as it is read. Fields whose form has
// changed over the versions stay raw. Names and meanings are those seen in
// files of the client up to version 2.1.332, and in those that people published with
// their repositories.
type record struct {
	Type, Subtype    string
	UUID             string
	SessionID        string `json:"sessionId"`
	IsSidechain      bool   `json:"isSidechain"`
	IsMeta           bool   `json:"isMeta"`
	IsCompactSummary bool   `json:"isCompactSummary"`
	PlanContent      string `json:"planContent"`
	AgentName        string `json:"agentName"` // in the session of an agent of a team, which another one leads
	// What tells who sent a prompt.
	Version, Entrypoint string
	PromptSource        string `json:"promptSource"`
	Origin              origin
	TextNotTyped        bool `json:"textNotTyped"`
	Timestamp           json.RawMessage
	Cwd                 string
	GitBranch           string `json:"gitBranch"`
	Message             struct {
		Model   string
		Content json.RawMessage
	}
	Attachment struct {
		Type         string
		Prompt       json.RawMessage
		CommandMode  string `json:"commandMode"`
		Origin       origin
		TextNotTyped bool `json:"textNotTyped"`
	}
	// ToolUseResult is what the client keeps of a tool's answer beside its text, of most tools in
	// another form.
	ToolUseResult struct {
		AgentID     string `json:"agentId"`
		TotalTokens int    `json:"totalTokens"` // of a subagent
		Content     json.RawMessage
	} `json:"toolUseResult"`
	// Titles, in records of their own.
	Summary     string
	AITitle     string `json:"aiTitle"`
	CustomTitle string `json:"customTitle"`
	// Entries of the prompt history.
	Display        *string
	PastedContents map[string]pasted `json:"pastedContents"`
	Project        string
}

// origin is where a prompt came from.
type origin struct{ Kind string }

// found says what a record turned out to be.
type found struct {
	message bool
	broken  bool // the record cannot be used
	title   string
}

// decode reads one JSON object. A field of an unexpected type is left at its
// zero value: a message is worth having without its time or its version.
func decode(line []byte) (record, error) {
	var rec record
	if len(line) == 0 || line[0] != '{' {
		return rec, errors.New("not a JSON object")
	}
	err := unmarshal(line, &rec)
	if mismatch := (*json.UnmarshalTypeError)(nil); errors.As(err, &mismatch) {
		err = nil
	}
	return rec, err
}

// message returns the message of a record.
func (rec record) message() (Message, found) {
	switch rec.Type {
	case "":
		if rec.Display != nil {
			return rec.typed()
		}
		return Message{}, found{broken: true}
	case "user":
		return rec.user()
	case "assistant":
		return rec.assistant()
	case "attachment":
		return rec.attachment()
	case "summary":
		return Message{}, found{title: rec.Summary}
	case "ai-title":
		return Message{}, found{title: rec.AITitle}
	case "custom-title":
		return Message{}, found{title: rec.CustomTitle}
	}
	return Message{}, found{} // the client's own bookkeeping, or a type that is not known
}

// envelope returns a message with the fields that all records share.
func (rec record) envelope(role Role) Message {
	at, _ := time.Parse(time.RFC3339, strings.Trim(string(rec.Timestamp), `"`)) // the zero time says unknown
	// git's have no blanks; others must not begin a line
	branch := strings.Join(strings.Fields(rec.GitBranch), " ")
	return Message{
		UUID: rec.UUID, Session: rec.SessionID, Sidechain: rec.IsSidechain, Role: role, Time: at,
		Cwd: folderName(rec.Cwd), Branch: branch, Model: rec.Message.Model,
	}
}

// MaxFolder is more bytes than the name of any folder has: those above it are many to
// look at, and no system opens it.
const MaxFolder = 4096

// folderName is a folder that a record names, "" where there can be none of that name.
func folderName(name string) string {
	if len(name) > MaxFolder {
		return ""
	}
	return name
}

// title makes a message of a title.
func (rec record) title(text string) Message {
	m := rec.envelope(RoleTitle)
	m.Speaker, m.Text = Client, text
	return m
}

func (rec record) assistant() (Message, found) {
	body, ok := parseContent(rec.Message.Content)
	if !ok {
		return Message{}, found{broken: true}
	}
	m := rec.envelope(RoleAssistant)
	if m.Speaker = Model; m.Synthetic() {
		m.Speaker = Client
	}
	m.Text = strings.Join(body.text, "\n\n")
	m.Thinking = strings.Join(body.thinking, "\n\n")
	m.Tools = body.tools
	return m, found{message: true}
}

// user reads a user line: a prompt, the results of tools, a summary, or
// something that the client put in as if the user had said it.
func (rec record) user() (Message, found) {
	if rec.IsMeta && rec.Origin.Kind != "peer" {
		return Message{}, found{}
	}
	body, ok := parseContent(rec.Message.Content)
	if !ok {
		return Message{}, found{broken: true}
	}
	m := rec.envelope(RoleUser)
	text, injected := body.userText()
	text = redact.ReopenBlock(text)
	m.Results = body.results
	for i := range m.Results {
		m.Results[i].Text, _ = cutReminders(m.Results[i].Text, fromHook)
	}
	if len(m.Results) == 1 && m.Results[0].Text != hidden {
		m.Results[0].Report = rec.report()
	}
	switch {
	case len(m.Results) > 0:
		m.Role, m.Speaker, m.Text = RoleTool, Program, text
	case rec.IsCompactSummary || strings.HasPrefix(text, continued):
		m.Role, m.Speaker, m.Text = RoleSummary, Client, text
	case text == "" && injected:
		return Message{}, found{} // nothing was left of it
	default:
		rec.said(&m, text)
		return m, found{message: m.Text != "" || m.Prompt}
	}
	return m, found{message: true}
}

// report is what a subagent came to, for which the session waited: in the answer's own text the client
// writes about it. What works in the background reports in a message.
func (rec record) report() string {
	r := rec.ToolUseResult
	if r.AgentID == "" && r.TotalTokens == 0 || len(r.Content) == 0 || r.Content[0] != '[' {
		return ""
	}
	return strings.TrimSpace(resultText(r.Content))
}

// said makes a record in the user's place the message of whoever speaks in it.
func (rec record) said(m *Message, text string) {
	speaker, prompt, tagged := rec.speaker(text)
	if tagged {
		text = unwrap(text)
	}
	m.Speaker, m.Role, m.Text = speaker, roleOf(speaker), text
	m.Prompt = prompt && (text != "" || rec.PromptSource != "")
}

// attachment reads what the client attaches to a request. Most is context,
// made anew for each session. A prompt that was typed while the assistant was
// still at work is a prompt.
func (rec record) attachment() (Message, found) {
	if rec.Attachment.Type != "queued_command" {
		return Message{}, found{}
	}
	body, ok := parseContent(rec.Attachment.Prompt)
	if !ok {
		return Message{}, found{broken: true}
	}
	m := rec.envelope(RoleUser)
	text, _ := body.userText()
	// The client names no source of what is queued, in any version.
	rec.Origin, rec.TextNotTyped, rec.Version = rec.Attachment.Origin, rec.Attachment.TextNotTyped, ""
	rec.said(&m, text)
	mode := rec.Attachment.CommandMode
	m.Prompt = m.Prompt && (mode == "" || mode == "prompt")
	return m, found{message: m.Text != ""}
}
