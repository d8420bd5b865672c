package crush

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

const (
	// goOn is the prefix of the prompt with which the client continues after a summary in the middle of a turn.
	goOn = "The previous session was interrupted because it got too long, the initial user request was: `"
	// initialize is the prefix of the prompt that the client sends for a new project. A file name follows it.
	initialize = "Analyze this codebase and create/update **"
)

// message is a row of the table messages without its parts. The role is summary for the summary of a conversation.
type message struct {
	id, role, model string
	created         int64 // Unix time in seconds
}

// part is one part of a message. Unknown types are skipped.
type part struct {
	Type string
	Data struct {
		Text, Thinking string

		ID, Name, Input string // of a call; Input is JSON

		CallID  string `json:"tool_call_id"` // of a result
		Content string
		IsError bool `json:"is_error"`

		Command, Output string // of a command that the user ran
		ExitCode        int    `json:"exit_code"`
	}
}

// translation collects the records of a session.
type translation struct {
	session dialect.Session
	out     []dialect.Record
	running int // number of trailing records that belong to an unfinished message of the model
}

// add adds a record of a message unless it is empty.
func (t *translation) add(m message, r dialect.Record) {
	if r.Empty() && r.Speaker != dialect.Broken {
		return
	}
	r.Time, r.Cwd = time.Unix(m.created, 0).UTC(), t.session.Folder
	t.out = append(t.out, r)
}

// message adds a message with its parts, a JSON list.
func (t *translation) message(m message, data []byte) {
	before := len(t.out)
	t.running = 0
	var parts []part
	if !dialect.Decode(data, &parts) || parts == nil {
		t.add(m, dialect.Record{ID: m.id, Speaker: dialect.Broken})
		return
	}
	r := dialect.Record{
		ID: m.id, Speaker: dialect.Model, Model: m.model, Text: said(parts, "text"), Thinking: said(parts, "reasoning"),
	}
	finished := false
	var commands []part
	for _, p := range parts {
		switch p.Type {
		case "tool_call":
			r.Calls = append(r.Calls, p.calls()...)
		case "tool_result":
			r.Results = append(r.Results, p.result())
		case "shell_command":
			commands = append(commands, p)
		case "finish":
			finished = true
		}
	}
	switch user := m.role == "user"; {
	case m.role == "summary":
		r.Speaker, r.Model, r.Thinking = dialect.Summary, "", ""
	case m.role == "tool":
		r.Speaker = dialect.Tool
	case user && strings.HasPrefix(r.Text, goOn):
		r.Text = ""
	case user && t.session.Agent != "":
		r.Speaker = dialect.Agent
	case user && strings.HasPrefix(r.Text, initialize):
		r.Speaker = dialect.Client
	case user:
		r.Speaker = dialect.Person
	}
	t.add(m, r)
	for i, p := range commands {
		t.command(m, fmt.Sprint(m.id, "-", i+1), p)
	}
	if !finished && m.role != "user" && m.role != "tool" {
		t.running = len(t.out) - before
	}
}

// said joins the texts or the thoughts of a message.
func said(parts []part, typ string) string {
	var out []string
	for _, p := range parts {
		if text := p.Data.Text + p.Data.Thinking; p.Type == typ && strings.TrimSpace(text) != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n\n")
}

// command adds a command that the user ran with !.
func (t *translation) command(m message, id string, p part) {
	call := dialect.Shell(id, p.Data.Command)
	result := dialect.Result{ID: id, Text: p.Data.Output, Failed: p.Data.ExitCode != 0}
	t.add(m, dialect.Record{ID: id, Speaker: dialect.Person, Text: "!" + p.Data.Command})
	t.add(m, dialect.Record{ID: id + "-call", Speaker: dialect.Model, Calls: []dialect.Call{call}})
	t.add(m, dialect.Record{ID: id + "-result", Speaker: dialect.Tool, Results: []dialect.Result{result}})
}

// edit is a change of a file.
type edit struct {
	Before string `json:"old_string"`
	After  string `json:"new_string"`
}

// calls returns the calls of a tool_call part. Several changes of a file become one edit each.
func (p part) calls() []dialect.Call {
	id, input := p.Data.ID, strings.TrimSpace(p.Data.Input)
	var in struct {
		Command string
		Path    string `json:"file_path"`
		Content string
		Edits   []edit
		edit
	}
	valid := dialect.Decode([]byte(input), &in) && strings.HasPrefix(input, "{")
	switch p.Data.Name {
	case "bash":
		return []dialect.Call{dialect.Shell(id, in.Command)}
	case "view":
		return []dialect.Call{dialect.ReadFile(id, in.Path)}
	case "edit":
		return []dialect.Call{dialect.EditFile(id, in.Path, in.Before, in.After)}
	case "write":
		return []dialect.Call{dialect.WriteFile(id, in.Path, in.Content)}
	case "multiedit":
		var out []dialect.Call
		for _, e := range in.Edits {
			out = append(out, dialect.EditFile(id, in.Path, e.Before, e.After))
		}
		if len(out) > 0 {
			return dialect.Numbered(out)
		}
	}
	if !valid {
		input = "{}"
	}
	return []dialect.Call{{ID: id, Name: p.Data.Name, Input: json.RawMessage(input)}}
}

// result converts a tool_result part. The output of a failed command ends with its exit code, followed by its working
// directory and the output of hooks.
func (p part) result() dialect.Result {
	r := dialect.Result{ID: p.Data.CallID, Text: p.Data.Content, Failed: p.Data.IsError}
	switch p.Data.Name {
	case "bash", "job_output":
		if i := strings.LastIndex(r.Text, "\n\n<cwd>"); i >= 0 {
			r.Text = r.Text[:i]
		}
		printed := strings.TrimSpace(r.Text)
		last := printed[strings.LastIndexByte(printed, '\n')+1:]
		code, exited := strings.CutPrefix(last, "Exit code ")
		r.Failed = r.Failed || exited && code != "0" || last == "Command was aborted before completion"
	case "agent", "agentic_fetch":
		if !r.Failed {
			r.Report = r.Text
		}
	}
	return r
}
