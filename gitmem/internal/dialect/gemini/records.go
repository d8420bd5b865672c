package gemini

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

type toolCall struct {
	ID, Name, Status string
	Timestamp        time.Time
	Args             json.RawMessage
	Result           content
}

// arguments contains the arguments of known tools. Clients before 0.29 use absolute_path.
type arguments struct {
	Command, Content, Title string
	FilePath                string `json:"file_path"`
	AbsolutePath            string `json:"absolute_path"`
	OldString               string `json:"old_string"`
	NewString               string `json:"new_string"`
}

// tell adds the records of a message.
func (c *conversation) tell(m message) {
	switch m.Type {
	case "user":
		c.prompt(m)
	case "gemini":
		c.answer(m)
	}
}

// prompt adds a user message. It skips tool results, which are also stored with their calls.
func (c *conversation) prompt(m message) {
	r := dialect.Record{ID: m.ID, Time: m.Timestamp, Speaker: dialect.Person}
	sent, headless := m.Content.words()
	typed, _ := m.DisplayContent.words()
	switch {
	case sent == "":
		return
	case c.session.Agent != "":
		r.Speaker, r.Text = dialect.Agent, sent
	case typed == c.typed && !strings.HasPrefix(typed, "/") && !strings.Contains(sent, typed):
		r.Speaker, r.Text = dialect.Program, sent // a hook made the model continue
	default:
		r.Text = cmp.Or(typed, sent)
		if c.typed = r.Text; headless {
			r.Speaker = dialect.Program
		}
	}
	c.add(r)
}

// answer adds a message of the model, a record for each result of its calls, and the topic that it names.
func (c *conversation) answer(m message) {
	said := dialect.Record{ID: m.ID, Time: m.Timestamp, Speaker: dialect.Model, Model: m.Model, Text: m.Content.text()}
	var thoughts []string
	for _, t := range m.Thoughts {
		thoughts = append(thoughts, strings.Trim(t.Subject+"\n"+t.Description, "\n"))
	}
	said.Thinking = strings.Join(thoughts, "\n\n")
	var results []dialect.Record
	topic := ""
	for _, t := range m.ToolCalls {
		var args arguments
		dialect.Decode(t.Args, &args)
		said.Calls = append(said.Calls, t.call(args, c.session.Folder))
		if t.Name == "update_topic" {
			topic = args.Title
		}
		if result := t.result(); result.Failed || len(t.Result) > 0 {
			id := fmt.Sprintf("%s_response%d", m.ID, len(results)+1)
			r := dialect.Record{ID: id, Time: t.Timestamp, Speaker: dialect.Tool, Results: []dialect.Result{result}}
			results = append(results, r)
		}
	}
	if said.Empty() {
		return
	}
	c.add(said)
	for _, r := range results {
		c.add(r)
	}
	c.setTitle(topic)
}

// call converts the call to the common form.
func (t toolCall) call(args arguments, folder string) dialect.Call {
	file := cmp.Or(args.FilePath, args.AbsolutePath)
	if file != "" && !filepath.IsAbs(file) {
		file = filepath.Join(folder, file)
	}
	switch t.Name {
	case "run_shell_command":
		return dialect.Shell(t.ID, args.Command)
	case "read_file":
		return dialect.ReadFile(t.ID, file)
	case "replace":
		return dialect.EditFile(t.ID, file, args.OldString, args.NewString)
	case "write_file":
		return dialect.WriteFile(t.ID, file, args.Content)
	}
	if len(t.Args) == 0 || t.Args[0] != '{' {
		t.Args = json.RawMessage("{}")
	}
	return dialect.Call{ID: t.ID, Name: t.Name, Input: t.Args}
}

// result returns the result of the call. The client may store the results of all calls of a message in each of them.
func (t toolCall) result() dialect.Result {
	r := dialect.Result{ID: t.ID, Failed: t.Status == "error" || t.Status == "cancelled"}
	for _, p := range t.Result {
		r.Text += p.Text
		if f := p.FunctionResponse; f != nil && f.ID == t.ID {
			r.Text += f.Response.Output + f.Response.Error
			r.Failed = r.Failed || f.Response.Error != ""
		}
	}
	r.Text = unwrap(r.Text)
	r.Failed = r.Failed || t.Name == "run_shell_command" && commandFailed(r.Text)
	if strings.HasPrefix(r.Text, "Subagent '") {
		_, r.Report, _ = strings.Cut(r.Text, "\nResult:\n")
	}
	return r
}

// commandFailed reports whether the lines that the client appends to a command's output name a nonzero exit code or a
// signal.
func commandFailed(text string) bool {
	for _, l := range slices.Backward(strings.Split(text, "\n")) {
		switch name, value, _ := strings.Cut(l, ": "); name {
		case "Exit Code", "Signal":
			if value != "0" && value != "(none)" {
				return true
			}
		case "Process Group PGID", "Background PIDs", "Error":
		default:
			return false
		}
	}
	return false
}
