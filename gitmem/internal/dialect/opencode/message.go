package opencode

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// session is a row of the table session, or a file of storage/session.
type session struct {
	ParentID, ProjectID, Directory, Title string

	Time       times
	Permission []rule
	Revert     struct{ MessageID string } // the first message that the user took back
	messages   []message
}

// times are Unix times in milliseconds.
type times struct{ Created, Completed int64 }

// rule is a permission of a session.
type rule struct{ Permission, Pattern, Action string }

// message is a message of the user, or one step of the model.
type message struct {
	id      string
	broken  bool
	copied  bool // by a fork, from an existing session
	parts   []part
	Summary bool // the message is a summary; an object in messages of the user
	Error   json.RawMessage
	Path    struct{ Cwd string }
	Time    times

	Role, ParentID, ModelID string
}

// part is a part of a message. Unknown types are skipped.
type part struct {
	id                 string
	Type, Text, Tool   string
	Synthetic, Ignored bool
	State              struct {
		Status, Output, Error string
		Input                 json.RawMessage
		Metadata              struct{ Exit float64 }
		Time                  struct{ End int64 }
	}
}

// kept returns the messages without those that the user took back and may still restore, and without an unfinished last
// step of the model. After a crash the step stays unfinished forever.
func (s session) kept() []message {
	for i, m := range s.messages {
		running := m.Role == "assistant" && m.Time.Completed == 0 && len(m.Error) == 0
		if m.id == s.Revert.MessageID || running && i == len(s.messages)-1 {
			return s.messages[:i]
		}
	}
	return s.messages
}

// said joins the texts of a type that neither a plugin nor the client added.
func (m message) said(typ string) string {
	var out []string
	for _, p := range m.parts {
		if p.Type == typ && !p.Synthetic && !p.Ignored && strings.TrimSpace(p.Text) != "" {
			out = append(out, p.Text)
		}
	}
	return strings.Join(out, "\n\n")
}

// calls returns the calls of a tool part. A patch becomes one edit for each file. The ids are those of parts, because
// some models use the same id for all their calls.
func (p part) calls(cwd string) []dialect.Call {
	input := p.State.Input
	var in struct{ Command, FilePath, OldString, NewString, Content, PatchText string }
	dialect.Decode(input, &in)
	switch p.Tool {
	case "bash":
		return []dialect.Call{dialect.Shell(p.id, in.Command)}
	case "read":
		return []dialect.Call{dialect.ReadFile(p.id, in.FilePath)}
	case "edit":
		return []dialect.Call{dialect.EditFile(p.id, in.FilePath, in.OldString, in.NewString)}
	case "write":
		return []dialect.Call{dialect.WriteFile(p.id, in.FilePath, in.Content)}
	case "patch", "apply_patch":
		if edits := dialect.Patch(p.id, cwd, in.PatchText); len(edits) > 0 {
			return edits
		}
	}
	if len(input) == 0 || input[0] != '{' {
		input = json.RawMessage("{}")
	}
	return []dialect.Call{{ID: p.id, Name: p.Tool, Input: input}}
}

// result returns the result of a tool part's call. A subagent's answer is enclosed in tags.
func (p part) result() dialect.Result {
	failed := p.State.Status == "error" || p.State.Metadata.Exit != 0 || p.Tool == "invalid"
	r := dialect.Result{ID: p.id, Text: cmp.Or(p.State.Error, p.State.Output), Failed: failed}
	if p.Tool == "task" {
		_, report, _ := strings.Cut(p.State.Output, "<task_result>")
		report, _, _ = strings.Cut(report, "</task_result>")
		r.Report = strings.TrimSpace(report)
	}
	return r
}
