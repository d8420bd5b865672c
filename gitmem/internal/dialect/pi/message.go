package pi

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// message is what an entry of the type message holds.
type message struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	Timestamp  int64           `json:"timestamp"` // in milliseconds
	Model      string          `json:"model"`
	StopReason string          `json:"stopReason"`
	// Of a result.
	ToolCallID  string `json:"toolCallId"`
	IsError     bool   `json:"isError"`
	NestedCalls struct {
		Calls []nestedCall `json:"calls"`
	} `json:"nestedCalls"`
	// Of a command that the user ran.
	Command   string `json:"command"`
	Output    string `json:"output"`
	ExitCode  int    `json:"exitCode"`
	Cancelled bool   `json:"cancelled"`
}

// nestedCall is a call of a tool by the script of the tool codemode.
type nestedCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Status    string          `json:"status"` // ok, error or unfinished
	Error     string          `json:"error"`
}

// block is a part of a message's content.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// blocks are the parts of the content, which may be a text.
func (m message) blocks() []block {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return []block{{Type: "text", Text: text}}
	}
	var list []block
	_ = json.Unmarshal(m.Content, &list) // a block of another form stays empty
	return list
}

// text joins the texts of the content.
func (m message) text() string {
	var texts []string
	for _, b := range m.blocks() {
		if b.Type == "text" && b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// records returns what a message says. The prompt of the system, and what extensions put in (custom, and
// hookMessage until version 2), say nothing.
func (m message) records(id, cwd string) []dialect.Record {
	switch m.Role {
	case "user":
		return []dialect.Record{{ID: id, Speaker: dialect.Person, Text: typed(m.text())}}
	case "assistant":
		return m.answer(id, cwd)
	case "toolResult":
		return m.result(id, cwd)
	case "bashExecution":
		return m.command(id)
	}
	return nil
}

// answer is what the model said. An answer that failed or was stopped keeps its text, but the client
// does not run its calls.
func (m message) answer(id, cwd string) []dialect.Record {
	rec := dialect.Record{ID: id, Speaker: dialect.Model, Model: m.Model, Text: m.text()}
	var thoughts []string
	for _, b := range m.blocks() {
		switch {
		case b.Type == "thinking" && b.Thinking != "":
			thoughts = append(thoughts, b.Thinking)
		case b.Type == "toolCall" && m.StopReason != "error" && m.StopReason != "aborted":
			rec.Calls = append(rec.Calls, calls(b.ID, b.Name, b.Arguments, cwd)...)
		}
	}
	rec.Thinking = strings.Join(thoughts, "\n\n")
	if rec.Text == "" && rec.Thinking == "" && rec.Calls == nil {
		return nil
	}
	return []dialect.Record{rec}
}

// result is the answer to a call. Before the answer of codemode stands a record of the calls that its script
// made. Where the script asked gitmem, the answer is that to the call of gitmem.
func (m message) result(id, cwd string) []dialect.Record {
	results := []dialect.Result{{ID: m.ToolCallID, Text: m.text(), Failed: m.IsError}}
	nested := dialect.Record{ID: id + "-calls", Speaker: dialect.Model}
	for _, c := range m.NestedCalls.Calls {
		nested.Calls = append(nested.Calls, calls(c.ID, c.Name, c.Arguments, cwd)...)
		r := dialect.Result{ID: c.ID, Text: c.Error, Failed: c.Status == "error"}
		if strings.Contains(c.Name, "gitmem") {
			r.Text, results[0].Text = strings.TrimSpace(results[0].Text+"\n"+c.Error), ""
		}
		if r.Text != "" || r.Failed {
			results = append(results, r)
		}
	}
	rec := dialect.Record{ID: id, Speaker: dialect.Tool, Results: results}
	if nested.Calls == nil {
		return []dialect.Record{rec}
	}
	return []dialect.Record{nested, rec}
}

// command is a shell command that the user ran, and its output.
func (m message) command(id string) []dialect.Record {
	output := strings.TrimSpace(m.Output)
	switch {
	case m.Cancelled:
		output += "\n\n(command cancelled)"
	case m.ExitCode != 0:
		output += "\n\nCommand exited with code " + strconv.Itoa(m.ExitCode)
	}
	recs := []dialect.Record{{ID: id, Speaker: dialect.Command, Text: m.Command}}
	if output = strings.TrimSpace(output); output != "" {
		recs = append(recs, dialect.Record{ID: id + "-output", Speaker: dialect.Client, Text: output})
	}
	return recs
}

// typed is a prompt as it was typed: the client puts the text of files that were named with @ on the command line
// before it, and that of a skill in the place of its command.
func typed(prompt string) string {
	if strings.HasPrefix(prompt, `<file name="`) {
		const end = "</file>\n"
		if at := strings.LastIndex(prompt, end); at >= 0 {
			prompt = prompt[at+len(end):]
		}
	}
	if rest, ok := strings.CutPrefix(prompt, `<skill name="`); ok {
		name, rest, _ := strings.Cut(rest, `" location="`)
		if _, args, ok := strings.Cut(rest, "\n</skill>"); ok {
			prompt = strings.TrimSpace("/skill:" + name + " " + strings.TrimSpace(args))
		}
	}
	return prompt
}

// edit is one of the replacements of an edit.
type edit struct {
	OldText string `json:"oldText"`
	NewText string `json:"newText"`
}

// calls returns the call of a tool: of an edit with several replacements one for each.
func calls(id, name string, args json.RawMessage, cwd string) []dialect.Call {
	var in struct {
		edit           // of older versions
		Edits   []edit `json:"edits"`
		Command string `json:"command"`
		Path    string `json:"path"`
		Content string `json:"content"`
	}
	decode(args, &in)
	if in.Path != "" && !filepath.IsAbs(in.Path) && in.Path[0] != '~' {
		in.Path = filepath.Join(cwd, in.Path)
	}
	switch name {
	case "bash", "powershell":
		return []dialect.Call{dialect.Shell(id, in.Command)}
	case "read":
		return []dialect.Call{dialect.ReadFile(id, in.Path)}
	case "write":
		return []dialect.Call{dialect.WriteFile(id, in.Path, in.Content)}
	case "edit":
		if len(in.Edits) == 0 {
			in.Edits = []edit{in.edit}
		}
		var list []dialect.Call
		for i, e := range in.Edits {
			of := id
			if i > 0 {
				of += "-" + strconv.Itoa(i+1)
			}
			list = append(list, dialect.EditFile(of, in.Path, e.OldText, e.NewText))
		}
		return list
	}
	input := map[string]json.RawMessage{}
	_ = json.Unmarshal(args, &input) // what is no object says nothing
	if input == nil {                // null
		input = map[string]json.RawMessage{}
	}
	return []dialect.Call{{ID: id, Name: name, Input: input}}
}
