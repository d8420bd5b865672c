package codex

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// item is what the client reports when it is complete.
type item struct {
	Type, ID  string
	Source    string
	Content   []part
	Summary   []string `json:"summary_text"`
	Raw       []string `json:"raw_content"`
	Status    string
	Command   []string
	Output    string `json:"aggregated_output"`
	ExitCode  int    `json:"exit_code"`
	Changes   map[string]change
	Stdout    string
	Stderr    string
	Server    string
	Tool      string
	Arguments json.RawMessage
	Result    mcpResult
	Fragments []part // what hooks say
	Error     json.RawMessage
}

// mcpResult is the answer of a server.
type mcpResult struct {
	Content []part
	IsError bool `json:"isError"`
}

// change is what a patch does with a file.
type change struct {
	Type, Content string
	Diff          string `json:"unified_diff"`
	MovePath      string `json:"move_path"`
}

// call is a call of the model.
type call struct {
	payload
	nested int // calls of scripts before it
}

// state says how far a call was answered.
type state int

const (
	partly state = iota + 1 // its command goes on
	whole
)

// item reads an item. The items of commands, patches and servers' tools answer the calls with their id;
// those of a script have no call.
func (r *reader) item(it item) {
	switch it.Type {
	case "UserMessage":
		r.prompt(texts(it.Content))
	case "HookPrompt":
		r.say(dialect.Program, texts(it.Fragments))
	case "EnteredReviewMode", "ExitedReviewMode":
		r.reviewing = it.Type == "EnteredReviewMode"
	case "AgentMessage":
		r.say(dialect.Model, texts(it.Content))
	case "Reasoning":
		r.think(strings.Join(append(it.Summary, it.Raw...), "\n\n"))
	case "CommandExecution":
		r.command(it)
	case "FileChange":
		r.answer(it.ID, edits(it.ID, it.Changes), strings.TrimSpace(it.Stdout+it.Stderr), it.failed())
	case "McpToolCall":
		c := dialect.Call{ID: it.ID, Name: toolName("mcp__"+it.Server, it.Tool), Input: object(it.Arguments, "arguments")}
		r.answer(it.ID, []dialect.Call{c}, texts(it.Result.Content)+errorText(it.Error), it.failed())
	}
}

// command adds a command that the model or the user ran. One that goes on when the client ends did not
// fail: the client ends it.
func (r *reader) command(it item) {
	line := commandLine(it.Command)
	switch {
	case it.Source == "user_shell":
		r.say(dialect.Command, line)
		r.result(dialect.Result{ID: it.ID, Text: it.Output, Failed: it.failed()})
	case r.state[it.ID] == partly && it.ExitCode == -1:
		r.state[it.ID] = whole
	default:
		r.answer(it.ID, []dialect.Call{dialect.Shell(it.ID, line)}, it.Output, it.failed())
	}
}

func (it item) failed() bool {
	return it.Status != "completed" || it.ExitCode != 0 || it.Result.IsError
}

// fileChange is the item of a patch that an older client reports.
func (p payload) fileChange() item {
	return item{Type: "FileChange", ID: p.CallID, Changes: p.Changes, Status: p.Status, Stdout: p.Stdout, Stderr: p.Stderr}
}

// mcp is the item of a call of a server's tool that an older client reports.
func (p payload) mcp() item {
	it := item{Type: "McpToolCall", ID: p.CallID, Server: p.Invocation.Server, Tool: p.Invocation.Tool,
		Arguments: p.Invocation.Arguments, Result: p.Result.OK, Status: "completed"}
	if p.Result.Err != "" {
		it.Status, it.Result.Content = "failed", []part{{Text: p.Result.Err}}
	}
	return it
}

// answer adds calls with their result, which is that of the first. Of a call that was answered partly it
// adds the result alone, of one that was answered nothing.
func (r *reader) answer(id string, calls []dialect.Call, text string, failed bool) {
	if _, direct := r.open[id]; !direct && r.state[id] == 0 {
		r.nested++
	}
	delete(r.open, id)
	before := r.state[id]
	if r.state[id] = whole; before == whole || len(calls) == 0 {
		return
	}
	if before == 0 {
		r.call(calls...)
	}
	r.result(dialect.Result{ID: id, Text: text, Failed: failed})
}

func (r *reader) call(calls ...dialect.Call) {
	r.add(dialect.Record{Speaker: dialect.Model, Calls: calls})
}

func (r *reader) result(res dialect.Result) {
	r.add(dialect.Record{Speaker: dialect.Tool, Results: []dialect.Result{res}})
}

// output reads the answer to a call as the model sees it. It counts where no item tells the call:
// those of older clients for the shell, those that the client refused, and the client's own tools.
func (r *reader) output(p payload) {
	c, ok := r.open[p.CallID]
	if !ok {
		return
	}
	delete(r.open, p.CallID)
	o := readOutput(p.Output)
	switch {
	case c.Name == "write_stdin" && c.Namespace == "":
		r.poll(c, o)
	case c.Type == "custom_tool_call" && c.Name == "exec":
		if r.nested == c.nested && c.told(o) {
			r.answer(p.CallID, []dialect.Call{c.generic()}, o.text, o.failed)
		}
	case c.Name == "wait" && c.Namespace == "": // for a script
	case o.running != "":
		r.answer(p.CallID, c.calls(r.cwd), o.text, false)
		r.running[o.running], r.state[p.CallID] = p.CallID, partly
	default:
		r.answer(p.CallID, c.calls(r.cwd), o.text, o.failed)
	}
}

// poll reads the answer to a call that looks at a command which goes on, or types something into it.
func (r *reader) poll(c call, o output) {
	var in struct {
		ID    json.RawMessage `json:"session_id"`
		Chars string
	}
	_ = decode(c.arguments(), &in) // what does not decode names no command
	if in.Chars != "" {
		r.call(c.generic())
	}
	if id := r.running[string(in.ID)]; id != "" && o.running == "" && o.exited {
		r.answer(id, []dialect.Call{c.generic()}, o.text, o.failed)
	}
}

// told reports whether a script itself is worth a record: one that runs commands is told by their
// items, which may come later.
func (c call) told(o output) bool {
	return o.failed && !o.aborted || !o.failed && !o.script && !strings.Contains(c.Input, "tools.exec_command")
}

// arguments are those of a function, which are JSON within a text.
func (c call) arguments() json.RawMessage {
	var text string
	if json.Unmarshal(c.Arguments, &text) == nil {
		return json.RawMessage(text)
	}
	return c.Arguments
}

func (c call) generic() dialect.Call {
	out := dialect.Call{ID: c.CallID, Name: toolName(c.Namespace, c.Name)}
	if c.Type == "custom_tool_call" {
		out.Input = map[string]string{"input": c.Input}
	} else {
		out.Input = object(c.arguments(), "arguments")
	}
	return out
}

// calls are the calls that a call of the model makes in a folder.
func (c call) calls(cwd string) []dialect.Call {
	var in struct {
		Cmd     string
		Command json.RawMessage
	}
	args := c.arguments()
	if c.Type == "local_shell_call" {
		args = c.Action
	}
	_ = decode(args, &in) // what does not decode has no command
	var words []string
	_ = decode(in.Command, &words) // a text is no list
	switch {
	case c.Name == "apply_patch":
		patch := c.Input
		if patch == "" {
			patch = string(args)
		}
		if calls := edits(c.CallID, patched(patch, cwd)); len(calls) > 0 {
			return calls
		}
	case c.Namespace != "":
	case c.Name == "exec_command" && in.Cmd != "":
		return []dialect.Call{dialect.Shell(c.CallID, in.Cmd)}
	case len(words) > 0 && (c.Name == "shell" || c.Type == "local_shell_call"):
		return []dialect.Call{dialect.Shell(c.CallID, commandLine(words))}
	case c.Name == "shell_command":
		var line string
		_ = decode(in.Command, &line) // as above
		return []dialect.Call{dialect.Shell(c.CallID, line)}
	}
	return []dialect.Call{c.generic()}
}

// toolName is the name of a tool. That of a server's tool has the server in front, which older clients
// write with the separator.
func toolName(namespace, name string) string {
	if strings.HasPrefix(namespace, "mcp__") {
		return strings.TrimSuffix(namespace, "__") + "__" + name
	}
	return name
}

// commandLine is the line that a shell runs, or the words of a command.
func commandLine(words []string) string {
	if len(words) == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		return words[2]
	}
	return strings.Join(words, " ")
}

// object returns a JSON object for the input of a call; anything else becomes the member of one.
func object(raw json.RawMessage, name string) any {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0:
		return map[string]string{}
	case !json.Valid(raw):
		return map[string]string{name: string(raw)}
	case raw[0] != '{':
		return map[string]json.RawMessage{name: raw}
	}
	return raw
}

func texts(content []part) string {
	var said []string
	for _, p := range content {
		if p.Text != "" {
			said = append(said, p.Text)
		}
	}
	return strings.Join(said, "\n")
}

// errorText is what an error of a server says.
func errorText(raw json.RawMessage) string {
	var text string
	var object struct{ Message string }
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	_ = decode(raw, &object) // an error in another form says nothing
	return object.Message
}

// edits are the calls that change files, with ids that begin with that of the patch.
func edits(id string, changes map[string]change) (out []dialect.Call) {
	next := func() string {
		if len(out) == 0 {
			return id
		}
		return id + "-" + strconv.Itoa(len(out)+1)
	}
	for _, file := range slices.Sorted(maps.Keys(changes)) {
		c := changes[file]
		switch before, after := sides(c.Diff); c.Type {
		case "add":
			out = append(out, dialect.WriteFile(next(), file, c.Content))
		case "delete":
			out = append(out, dialect.EditFile(next(), file, c.Content, ""))
		default:
			out = append(out, dialect.EditFile(next(), file, before, after))
		}
		if c.MovePath != "" {
			out = append(out, dialect.EditFile(next(), c.MovePath, "", ""))
		}
	}
	return out
}

// sides returns what the hunks of a diff replace, and by what.
func sides(diff string) (before, after string) {
	var b, a strings.Builder
	for line := range strings.Lines(diff) {
		switch line[0] {
		case '-':
			b.WriteString(line[1:])
		case '+':
			a.WriteString(line[1:])
		case ' ':
			b.WriteString(line[1:])
			a.WriteString(line[1:])
		}
	}
	return b.String(), a.String()
}

// patched returns the changes of a patch in the form of the client's tool.
func patched(patch, cwd string) map[string]change {
	out := map[string]change{}
	file := ""
	for section := range strings.SplitSeq(patch, "\n*** ") {
		head, body, _ := strings.Cut(section, "\n")
		kind, name, _ := strings.Cut(strings.TrimSpace(head), ": ")
		name = under(cwd, name)
		switch kind {
		case "Add File":
			_, content := sides(body + "\n")
			out[name] = change{Type: "add", Content: content}
		case "Delete File":
			out[name] = change{Type: "delete"}
		case "Update File":
			file, out[name] = name, change{Diff: body + "\n"}
		case "Move to":
			out[file] = change{Diff: body + "\n", MovePath: name}
		}
	}
	return out
}

func under(cwd, file string) string {
	if path.IsAbs(file) {
		return file
	}
	return path.Join(cwd, file)
}

// output is the answer to a call as the model sees it.
type output struct {
	text    string
	failed  bool
	exited  bool   // the client says with which code the command ended
	running string // the client's number of a command that goes on
	script  bool   // a script goes on
	aborted bool   // the user interrupted it
}

// refusals begin an answer that says that the client did not do what a call wants.
var refusals = [...]string{
	"unsupported call: ", "failed to parse function arguments", "apply_patch verification failed",
	"aborted by user", "exec_command failed", "write_stdin failed", "Script failed",
}

// readOutput reads an output: a text, or parts. The client puts lines in front of what a command
// writes, up to one that says "Output:", or writes both as JSON.
func readOutput(raw json.RawMessage) (o output) {
	var parts []part
	if json.Unmarshal(raw, &o.text) != nil {
		_ = decode(raw, &parts) // an answer in another form has no text
		o.text = texts(parts)
	}
	o.aborted, o.script = strings.HasPrefix(o.text, "aborted by user"), strings.HasPrefix(o.text, "Script running")
	_, o.failed = cutPrefix(o.text, refusals[:]...)
	var old struct {
		Output   string
		Metadata struct {
			ExitCode *int `json:"exit_code"`
		}
	}
	if json.Unmarshal([]byte(o.text), &old) == nil && old.Metadata.ExitCode != nil {
		return output{text: old.Output, failed: *old.Metadata.ExitCode != 0, exited: true}
	}
	o.readHead()
	return o
}

// notes begin the lines in front of what a command writes that say nothing of how it ended.
var notes = [...]string{"Chunk ID", "Wall time", "Original token count", "Total output lines", "Script "}

// readHead cuts the lines in front of what a command writes, and reads how it ended.
func (o *output) readHead() {
	code, running := "", ""
	for rest := o.text; ; {
		line, after, more := strings.Cut(rest, "\n")
		if strings.HasPrefix(line, "Output:") {
			o.text, o.running, o.exited = strings.TrimPrefix(after, "\n"), running, code != ""
			o.failed = o.failed || o.exited && code != "0"
			return
		}
		if c, ok := cutPrefix(line, "Process exited with code ", "Exit code: "); ok {
			code = c
		} else if n, ok := cutPrefix(line, "Process running with session ID "); ok {
			running = n
		} else if _, ok := cutPrefix(line, notes[:]...); !ok || !more {
			return // no such lines
		}
		rest = after
	}
}

func cutPrefix(s string, prefixes ...string) (string, bool) {
	for _, p := range prefixes {
		if after, ok := strings.CutPrefix(s, p); ok {
			return after, true
		}
	}
	return s, false
}
