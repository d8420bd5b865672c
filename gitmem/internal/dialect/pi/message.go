package pi

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// message is the content of an entry of type message.
type message struct {
	Role, Model, StopReason string
	Content                 content

	// Fields of a result. The nested calls are those of a script of the tool codemode.
	ToolCallID  string
	IsError     bool
	NestedCalls struct{ Calls []block }

	// Fields of a command that the user ran.
	Command, Output string
	ExitCode        int
}

// block is a part of a message's content, or a nested call with its status: ok, error or unfinished.
type block struct {
	Type, Text, Thinking    string
	ID, Name, Status, Error string
	Arguments               json.RawMessage
}

// content is the content of a message.
type content []block

// UnmarshalJSON decodes a string or blocks. A block of another form stays empty.
func (c *content) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		*c = content{{Type: "text"}}
		return json.Unmarshal(b, &(*c)[0].Text)
	}
	dialect.Decode(b, (*[]block)(c))
	return nil
}

// texts joins the texts and the thoughts.
func (c content) texts() (text, thinking string) {
	var texts, thoughts []string
	for _, b := range c {
		if b.Type == "text" && b.Text != "" {
			texts = append(texts, b.Text)
		}
		if b.Thinking != "" {
			thoughts = append(thoughts, b.Thinking)
		}
	}
	return strings.Join(texts, "\n\n"), strings.Join(thoughts, "\n\n")
}

// records returns the records of a message; rec has the id of its entry. The record is empty for the system prompt and
// for messages of extensions (custom, and hookMessage until version 2).
func (m message) records(rec dialect.Record, cwd string) []dialect.Record {
	text, thinking := m.Content.texts()
	switch m.Role {
	case "user":
		rec.Speaker, rec.Text = dialect.Person, typed(text)
	case "assistant":
		rec.Speaker, rec.Model, rec.Text, rec.Thinking = dialect.Model, m.Model, text, thinking
		// The client does not run the calls of a failed or stopped answer.
		for _, b := range m.Content {
			if b.Type == "toolCall" && m.StopReason != "error" && m.StopReason != "aborted" {
				rec.Calls = append(rec.Calls, b.calls(cwd)...)
			}
		}
	case "toolResult":
		return m.result(rec, text, cwd)
	case "bashExecution":
		return m.command(rec)
	}
	return []dialect.Record{rec}
}

// result returns the result of a call, preceded by the calls that the script of codemode made. If such a script called
// gitmem, its output counts as gitmem's.
func (m message) result(rec dialect.Record, text, cwd string) []dialect.Record {
	nested := dialect.Record{ID: rec.ID + "-calls", Speaker: dialect.Model}
	rec.Speaker, rec.Results = dialect.Tool, []dialect.Result{{ID: m.ToolCallID, Text: text, Failed: m.IsError}}
	for _, b := range m.NestedCalls.Calls {
		nested.Calls = append(nested.Calls, b.calls(cwd)...)
		r := dialect.Result{ID: b.ID, Text: b.Error, Failed: b.Status == "error"}
		if strings.Contains(b.Name, "gitmem") {
			r.Text, rec.Results[0].Text = strings.TrimSpace(rec.Results[0].Text+"\n"+b.Error), ""
		}
		if r.Text != "" || r.Failed {
			rec.Results = append(rec.Results, r)
		}
	}
	return []dialect.Record{nested, rec}
}

// command returns a shell command that the user ran, and its output.
func (m message) command(rec dialect.Record) []dialect.Record {
	rec.Speaker, rec.Text = dialect.Command, m.Command
	output := dialect.Record{ID: rec.ID + "-output", Speaker: dialect.Client, Text: strings.TrimSpace(m.Output)}
	if m.ExitCode != 0 {
		output.Text = strings.TrimSpace(output.Text + "\n\nCommand exited with code " + strconv.Itoa(m.ExitCode))
	}
	return []dialect.Record{rec, output}
}

// typed returns the typed part of a prompt. The client puts the text of files that were named with @ on the command
// line before it, and replaces the command of a skill by the skill's text.
func typed(prompt string) string {
	if strings.HasPrefix(prompt, `<file name="`) {
		const end = "</file>\n"
		if at := strings.LastIndex(prompt, end); at >= 0 {
			prompt = prompt[at+len(end):]
		}
	}
	if rest, ok := strings.CutPrefix(prompt, `<skill name="`); ok {
		const end = "\n</skill>" // the last one, since the skill's own text may contain it
		name, rest, _ := strings.Cut(rest, `" location="`)
		if at := strings.LastIndex(rest, end); at >= 0 {
			prompt = strings.TrimSpace("/skill:" + name + " " + strings.TrimSpace(rest[at+len(end):]))
		}
	}
	return prompt
}

// edit is one replacement of an edit call.
type edit struct{ OldText, NewText string }

// calls returns the call of a tool, or one call for each replacement of an edit.
func (b block) calls(cwd string) (list []dialect.Call) {
	var in struct {
		edit                   // of older versions
		Edits                  []edit
		Command, Path, Content string
	}
	dialect.Decode(b.Arguments, &in)
	if in.Path != "" && !filepath.IsAbs(in.Path) && in.Path[0] != '~' {
		in.Path = filepath.Join(cwd, in.Path)
	}
	switch b.Name {
	case "bash", "powershell":
		return []dialect.Call{dialect.Shell(b.ID, in.Command)}
	case "read":
		return []dialect.Call{dialect.ReadFile(b.ID, in.Path)}
	case "write":
		return []dialect.Call{dialect.WriteFile(b.ID, in.Path, in.Content)}
	case "edit":
		if len(in.Edits) == 0 {
			in.Edits = []edit{in.edit}
		}
		for i, e := range in.Edits {
			list = append(list, dialect.EditFile(b.ID, in.Path, e.OldText, e.NewText))
			if i > 0 {
				list[i].ID += "-" + strconv.Itoa(i+1)
			}
		}
		return list
	}
	var input map[string]json.RawMessage
	if dialect.Decode(b.Arguments, &input); input == nil {
		input = map[string]json.RawMessage{}
	}
	return []dialect.Call{{ID: b.ID, Name: b.Name, Input: input}}
}
