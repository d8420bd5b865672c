package crush

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// goOn begins the prompt with which the client goes on after a summary in the middle of a turn.
const goOn = "The previous session was interrupted because it got too long, the initial user request was: `"

// initialize begins the prompt that the client sends for a project that it does not know yet. The name of
// a file follows.
const initialize = "Analyze this codebase and create/update **"

// failed reports whether the last line of a command's output says that it failed.
func failed(output string) bool {
	output = strings.TrimSpace(output)
	last := output[strings.LastIndexByte(output, '\n')+1:]
	code, ok := strings.CutPrefix(last, "Exit code ")
	n, err := strconv.Atoi(code)
	return ok && err == nil && n != 0 || last == "Command was aborted before completion"
}

// message is a row of the table messages without its parts.
type message struct {
	id, role, model string
	created         int64 // Unix time in seconds
	summary         bool
}

// content are the parts of a message, by type.
type content struct {
	texts, thoughts []string
	calls           []dialect.Call
	results         []dialect.Result
	commands        []command // that the user ran
	finished        bool
}

// part is one part of a message. Types that are not known are passed over.
type part struct {
	Type string
	Data json.RawMessage
}

type command struct {
	Command, Output string
	ExitCode        int `json:"exit_code"`
}

// translation collects the records of a session.
type translation struct {
	session dialect.Session
	out     []dialect.Record
	running int // number of records at the end that belong to a message at which the model still is
}

// title adds the title of a session, but of subagents, whose sessions have a title of their own.
func (t *translation) title(title string, created int64) {
	switch title {
	case "", "Untitled Session", "New Session":
		return
	}
	if t.session.Agent == "" {
		t.add(message{created: created}, dialect.Record{Speaker: dialect.Title, Text: title})
	}
}

// finished are the records without those of a last message at which the model still is.
func (t *translation) finished() []dialect.Record { return t.out[:len(t.out)-t.running] }

func (t *translation) add(m message, r dialect.Record) {
	if m.created > 0 {
		r.Time = time.Unix(m.created, 0).UTC()
	}
	r.Cwd = t.session.Folder
	t.out = append(t.out, r)
}

// message adds a message.
func (t *translation) message(m message, parts []byte) {
	before := len(t.out)
	t.running = 0
	c, ok := read(parts)
	text := strings.Join(c.texts, "\n\n")
	switch {
	case !ok:
		t.add(m, dialect.Record{ID: m.id, Speaker: dialect.Broken})
	case m.summary && text != "":
		t.add(m, dialect.Record{ID: m.id, Speaker: dialect.Summary, Text: text})
	case m.summary:
	case m.role == "user":
		t.user(m, c, text)
	case m.role == "assistant" && (text != "" || len(c.thoughts)+len(c.calls) > 0):
		t.add(m, dialect.Record{
			ID: m.id, Speaker: dialect.Model, Model: m.model, Text: text,
			Thinking: strings.Join(c.thoughts, "\n\n"), Calls: c.calls,
		})
	case m.role == "tool" && len(c.results) > 0:
		t.add(m, dialect.Record{ID: m.id, Speaker: dialect.Tool, Results: c.results})
	}
	if m.role == "assistant" && ok && !c.finished {
		t.running = len(t.out) - before
	}
}

// user adds a prompt, or the commands that the user ran with !.
func (t *translation) user(m message, c content, text string) {
	speaker := dialect.Person
	switch {
	case t.session.Agent != "":
		speaker = dialect.Agent
	case strings.HasPrefix(text, initialize):
		speaker = dialect.Client
	}
	if text != "" && !strings.HasPrefix(text, goOn) {
		t.add(m, dialect.Record{ID: m.id, Speaker: speaker, Text: text})
	}
	for i, shell := range c.commands {
		id := fmt.Sprint(m.id, "-", i+1)
		t.add(m, dialect.Record{ID: id, Speaker: dialect.Person, Text: "!" + shell.Command})
		t.add(m, dialect.Record{
			ID: id + "-call", Speaker: dialect.Model, Calls: []dialect.Call{dialect.Shell(id, shell.Command)},
		})
		t.add(m, dialect.Record{ID: id + "-result", Speaker: dialect.Tool, Results: []dialect.Result{
			{ID: id, Text: shell.Output, Failed: shell.ExitCode != 0},
		}})
	}
}

// read reads the parts of a message. It reports whether they are a list.
func read(data []byte) (content, bool) {
	var parts []part
	if !decode(data, &parts) {
		return content{}, false
	}
	var c content
	for _, p := range parts {
		c.add(p)
	}
	return c, len(parts) > 0 || strings.TrimSpace(string(data)) == "[]"
}

func (c *content) add(p part) {
	switch p.Type {
	case "text":
		var t struct{ Text string }
		if decode(p.Data, &t) && strings.TrimSpace(t.Text) != "" {
			c.texts = append(c.texts, t.Text)
		}
	case "reasoning":
		var t struct{ Thinking string }
		if decode(p.Data, &t) && strings.TrimSpace(t.Thinking) != "" {
			c.thoughts = append(c.thoughts, t.Thinking)
		}
	case "tool_call":
		var t call
		if decode(p.Data, &t) && t.Name != "" {
			c.calls = append(c.calls, t.calls()...)
		}
	case "tool_result":
		var t result
		if decode(p.Data, &t) {
			c.results = append(c.results, t.result())
		}
	case "shell_command":
		var t command
		if decode(p.Data, &t) && t.Command != "" {
			c.commands = append(c.commands, t)
		}
	case "finish":
		c.finished = true
	}
}

// call is a part of the type tool_call. Input is JSON in a string.
type call struct{ ID, Name, Input string }

// input are the members that the input of a call may have.
type input struct {
	Command string
	Path    string `json:"file_path"`
	Content string
	Edits   []edit
	edit
}

type edit struct {
	Before string `json:"old_string"`
	After  string `json:"new_string"`
}

// calls are the calls of the part. Several changes of a file are one edit each.
func (c call) calls() []dialect.Call {
	var in input
	ok := decode([]byte(c.Input), &in)
	switch c.Name {
	case "bash":
		return []dialect.Call{dialect.Shell(c.ID, in.Command)}
	case "view":
		return []dialect.Call{dialect.ReadFile(c.ID, in.Path)}
	case "edit":
		return []dialect.Call{dialect.EditFile(c.ID, in.Path, in.Before, in.After)}
	case "write":
		return []dialect.Call{dialect.WriteFile(c.ID, in.Path, in.Content)}
	case "multiedit":
		var out []dialect.Call
		for i, e := range in.Edits {
			id := c.ID
			if i > 0 {
				id = fmt.Sprint(c.ID, "-", i+1)
			}
			out = append(out, dialect.EditFile(id, in.Path, e.Before, e.After))
		}
		if len(out) > 0 {
			return out
		}
	}
	raw := json.RawMessage("{}")
	if trimmed := strings.TrimSpace(c.Input); ok && strings.HasPrefix(trimmed, "{") {
		raw = json.RawMessage(trimmed)
	}
	return []dialect.Call{{ID: c.ID, Name: c.Name, Input: raw}}
}

// result is a part of the type tool_result. Metadata is JSON in a string.
type result struct {
	ID       string `json:"tool_call_id"`
	Name     string
	Content  string
	Metadata string
	IsError  bool `json:"is_error"`
}

func (r result) result() dialect.Result {
	text, failing := r.Content, r.IsError
	switch r.Name {
	case "bash":
		text = r.output()
		failing = failing || failed(text)
	case "job_output":
		failing = failing || failed(text)
	}
	out := dialect.Result{ID: r.ID, Text: text, Failed: failing}
	if (r.Name == "agent" || r.Name == "agentic_fetch") && !failing {
		out.Report = text
	}
	return out
}

// output is what a command printed, without the working directory that the client writes behind it, and
// without what a hook added.
func (r result) output() string {
	var meta struct{ Output string }
	if decode([]byte(r.Metadata), &meta) && meta.Output != "" && strings.HasPrefix(r.Content, meta.Output) {
		return meta.Output
	}
	if i := strings.LastIndex(r.Content, "\n\n<cwd>"); i >= 0 {
		return r.Content[:i]
	}
	return r.Content
}
