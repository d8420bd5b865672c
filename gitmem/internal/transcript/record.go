package transcript

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// record is the decoded part of a line. Fields whose form has changed over the versions stay raw. Names and meanings
// come from files of the client up to version 2.1.332, and from files published in public repositories.
type record struct {
	Type, Subtype    string
	UUID             string
	SessionID        string `json:"sessionId"`
	IsSidechain      bool   `json:"isSidechain"`
	IsMeta           bool   `json:"isMeta"`
	IsCompactSummary bool   `json:"isCompactSummary"`
	PlanContent      string `json:"planContent"`
	AgentName        string `json:"agentName"` // set in the session of a team member, which another agent leads
	// The fields that identify the sender of a prompt.
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
	// ToolUseResult is the client's structured form of a tool's answer, which differs between most tools.
	ToolUseResult struct {
		AgentID     string `json:"agentId"`
		TotalTokens int    `json:"totalTokens"` // of a subagent
		Content     json.RawMessage
	} `json:"toolUseResult"`
	// Titles, in separate records.
	Summary     string
	AITitle     string `json:"aiTitle"`
	CustomTitle string `json:"customTitle"`
	// Entries of the prompt history.
	Display        *string
	PastedContents map[string]pasted `json:"pastedContents"`
	Project        string
}

// origin is the origin of a prompt.
type origin struct{ Kind string }

// found is the classification of a record.
type found struct {
	message bool
	broken  bool // the record cannot be used
	title   string
}

// decode decodes one JSON object. A field of an unexpected type keeps its zero value: a message is useful without its
// time or its version.
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
	return Message{}, found{} // the client's own bookkeeping, or an unknown type
}

// envelope returns a message with the fields that all records share.
func (rec record) envelope(role Role) Message {
	at, _ := time.Parse(time.RFC3339, strings.Trim(string(rec.Timestamp), `"`)) // the zero time means unknown
	// git's branch names have no blanks; others must not start a line
	branch := strings.Join(strings.Fields(rec.GitBranch), " ")
	return Message{
		UUID: rec.UUID, Session: rec.SessionID, Sidechain: rec.IsSidechain, Role: role, Time: at,
		Cwd: folderName(rec.Cwd), Branch: branch, Model: rec.Message.Model,
	}
}

// MaxFolder is longer than the name of any folder, in bytes: longer names are slow to process, and no system opens
// them.
const MaxFolder = 4096

// folderName returns a folder name of a record, or "" if no such folder can exist.
func folderName(name string) string {
	if len(name) > MaxFolder {
		return ""
	}
	return name
}

// title returns a message for a title.
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

// user decodes a user line: a prompt, the results of tools, a summary, or text that the client inserted in the user's
// place.
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
		return Message{}, found{} // nothing remained of it
	default:
		rec.said(&m, text)
		return m, found{message: m.Text != "" || m.Prompt}
	}
	return m, found{message: true}
}

// report returns the report of a subagent for which the session waited: the answer's own text also contains text of the
// client. A background agent reports in a message.
func (rec record) report() string {
	r := rec.ToolUseResult
	if r.AgentID == "" && r.TotalTokens == 0 || len(r.Content) == 0 || r.Content[0] != '[' {
		return ""
	}
	return strings.TrimSpace(resultText(r.Content))
}

// said turns a record in the user's place into a message of its real speaker.
func (rec record) said(m *Message, text string) {
	speaker, prompt, tagged := rec.speaker(text)
	if tagged {
		text = unwrap(text)
	}
	m.Speaker, m.Role, m.Text = speaker, roleOf(speaker), text
	m.Prompt = prompt && (text != "" || rec.PromptSource != "")
}

// attachment decodes an attachment of a request. Most are context, created anew for each session. A prompt that was
// typed while the assistant was still at work is a prompt.
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
	// No version of the client records the source of queued prompts.
	rec.Origin, rec.TextNotTyped, rec.Version = rec.Attachment.Origin, rec.Attachment.TextNotTyped, ""
	rec.said(&m, text)
	mode := rec.Attachment.CommandMode
	m.Prompt = m.Prompt && (mode == "" || mode == "prompt")
	return m, found{message: m.Text != ""}
}
