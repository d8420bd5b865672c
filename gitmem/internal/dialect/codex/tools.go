package codex

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// call is a tool call.
type call struct {
	*payload      // nil if a script makes the call
	told     bool // the call is recorded
	ended    bool // its end is recorded, too
}

// command adds a command that the model or the user ran. When the client exits, it ends running commands with code -1;
// these did not fail.
func (r *reader) command(p *payload) {
	line := commandLine(p.Command)
	c := r.calls[p.ID]
	switch {
	case p.Source == "user_shell":
		r.say(dialect.Record{Speaker: dialect.Command, Text: line})
		r.calls[p.ID] = &call{told: true}
		r.answer(p.ID, nil, p.CommandOutput, p.failed())
	case c != nil && c.told && p.ExitCode == -1:
		c.ended = true
	default:
		r.answer(p.ID, []dialect.Call{dialect.Shell(p.ID, line)}, p.CommandOutput, p.failed())
	}
}

// serverTool adds a call of an MCP server's tool.
func (r *reader) serverTool(p *payload) {
	id, tool, result := cmp.Or(p.ID, p.CallID), p, p.Result
	if p.Invocation != nil {
		tool = p.Invocation
	}
	if result.OK != nil {
		result = *result.OK
	}
	c := dialect.Call{ID: id, Name: "mcp__" + tool.Server + "__" + tool.Tool, Input: object(tool.Arguments)}
	failed := p.failed() || result.IsError || result.Err != ""
	r.answer(id, []dialect.Call{c}, texts(result.Content)+result.Err+p.Error.Message, failed)
}

// answer adds a call, or the calls of a patch, and the result of the first one. Several records may contain the answer
// to a call; answer skips what was added before.
func (r *reader) answer(id string, calls []dialect.Call, text string, failed bool) {
	c := r.calls[id]
	if c == nil {
		c = &call{}
		r.calls[id] = c
	}
	if c.ended || !c.told && len(calls) == 0 {
		return
	}
	if !c.told {
		r.add(dialect.Record{Speaker: dialect.Model, Calls: calls})
	}
	c.told, c.ended = true, true
	r.add(dialect.Record{Speaker: dialect.Tool, Results: []dialect.Result{{ID: id, Text: text, Failed: failed}}})
}

// output reads the answer to a call as the model sees it. It is used only if the client reports no event: for the shell
// of older clients, for refused calls, and for the client's own tools. A script (exec) is used if it fails, or if it
// calls no tool whose calls the client reports.
func (r *reader) output(p *payload) {
	c := r.calls[p.CallID]
	if c == nil || c.payload == nil || c.told {
		return
	}
	o := readOutput(p.Output)
	switch {
	case c.Name == "write_stdin": // polls a running command or sends input to it
		var in map[string]json.RawMessage
		dialect.Decode(c.Arguments, &in)
		if id := r.running[string(in["session_id"])]; id != "" && o.exited {
			r.answer(id, nil, o.text, o.failed)
		}
	case c.Name == "wait": // for a script
	case c.Name == "exec" && (o.unfinished || !o.failed && isReported(c.Input)):
	default:
		r.answer(p.CallID, c.translate(r.cwd), o.text, o.failed)
		if o.running != "" {
			r.running[o.running], c.ended = p.CallID, false
		}
	}
}

// isReported reports whether a script calls a tool whose calls the client reports.
func isReported(script string) bool {
	return strings.Contains(script, "tools.exec_command") || strings.Contains(script, "tools.apply_patch") ||
		strings.Contains(script, "tools.mcp__")
}

// generic returns the call as the model makes it. The name of a server's tool is prefixed with the server; older
// clients include the separator in the namespace.
func (c *call) generic() dialect.Call {
	out := dialect.Call{ID: c.CallID, Name: c.Name, Input: object(c.Arguments)}
	if strings.HasPrefix(c.Namespace, "mcp__") {
		out.Name = strings.TrimSuffix(c.Namespace, "__") + "__" + c.Name
	}
	if c.Input != "" {
		out.Input = map[string]string{"input": c.Input}
	}
	return out
}

// translate returns the calls that a call of the model makes in a folder. The shell tool has had several names. Its
// command is a string or a list of words.
func (c *call) translate(cwd string) []dialect.Call {
	var text struct{ Cmd, Command string }
	var words struct{ Command []string }
	dialect.Decode(c.Arguments, &text) // without a command if that fails
	dialect.Decode(c.Arguments, &words)
	text.Cmd += text.Command + commandLine(words.Command)
	if calls := edits(c.CallID, changes(c.Input, cwd)); c.Name == "apply_patch" && len(calls) > 0 {
		return calls
	}
	if text.Cmd != "" && c.Namespace == "" {
		return []dialect.Call{dialect.Shell(c.CallID, text.Cmd)}
	}
	return []dialect.Call{c.generic()}
}

// commandLine returns the line that a shell runs, or the words of a command.
func commandLine(words []string) string {
	if len(words) == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		return words[2]
	}
	return strings.Join(words, " ")
}

// object returns the input of a call: a JSON object, or an empty one if the model wrote something else.
func object(raw json.RawMessage) any {
	if strings.HasPrefix(strings.TrimSpace(string(raw)), "{") && json.Valid(raw) {
		return raw
	}
	return map[string]string{}
}

// edits returns the calls that change files, with ids that begin with the id of the patch.
func edits(id string, changes map[string]change) (out []dialect.Call) {
	for _, file := range slices.Sorted(maps.Keys(changes)) {
		c := changes[file]
		before, after := sides(c.Diff)
		edit := dialect.EditFile(id, file, before+c.Content, after) // a deleted file has content
		if c.Type == "add" {
			edit = dialect.WriteFile(id, file, c.Content)
		}
		out = append(out, edit)
		if c.MovePath != "" {
			out = append(out, dialect.EditFile(id, c.MovePath, "", ""))
		}
	}
	return dialect.Numbered(out)
}

// sides returns the old and the new text of the hunks of a diff.
func sides(diff string) (before, after string) {
	var b, a strings.Builder
	for line := range strings.Lines(diff) {
		if line[0] == '-' || line[0] == ' ' {
			b.WriteString(line[1:])
		}
		if line[0] == '+' || line[0] == ' ' {
			a.WriteString(line[1:])
		}
	}
	return b.String(), a.String()
}

// changes parses a patch in the format of the client's tool: sections that begin with a line such as "*** Update File:
// a.go". If a file is moved, the section of its new name contains the hunks.
func changes(patch, cwd string) map[string]change {
	out := map[string]change{}
	for section := range strings.SplitSeq(patch, "\n*** ") {
		head, body, _ := strings.Cut(section, "\n")
		_, name, found := strings.Cut(strings.TrimSpace(head), ": ")
		if !path.IsAbs(name) {
			name = path.Join(cwd, name)
		}
		if found {
			out[name] = change{Diff: body + "\n"}
		}
	}
	return out
}

// output is the answer to a call as the model sees it.
type output struct {
	text       string
	failed     bool
	exited     bool   // the client reports the exit code
	running    string // the client's number of a running command
	unfinished bool   // the user interrupted it, or a script is still running
}

// readOutput parses an output: a string or parts. Before a command's output the client writes lines about its end, up
// to a line "Output:". Older clients encode both as JSON.
func readOutput(raw json.RawMessage) (o output) {
	var parts []part
	dialect.Decode(raw, &o.text) // other forms have no text
	dialect.Decode(raw, &parts)
	o.text += texts(parts)
	o.unfinished = startsWith(o.text, "aborted by user", "Script running")
	o.failed = startsWith(o.text, "unsupported call: ", "failed to parse function arguments",
		"apply_patch verification failed", "aborted by user", "exec_command failed", "Script failed")
	var old struct {
		Output   string
		Metadata map[string]float64
	}
	dialect.Decode([]byte(o.text), &old)
	if code, ok := old.Metadata["exit_code"]; ok {
		return output{text: old.Output, failed: code != 0}
	}
	head, text, found := strings.Cut(o.text, "\nOutput:\n")
	if !found || !startsWith(head, "Chunk ID", "Wall time", "Exit code: ", "Script ") {
		return o
	}
	o.text = strings.TrimPrefix(text, "\n")
	for line := range strings.SplitSeq(head, "\n") {
		switch number := line[strings.LastIndexByte(line, ' ')+1:]; {
		case startsWith(line, "Process exited with code ", "Exit code: "):
			o.exited, o.failed = true, o.failed || number != "0"
		case startsWith(line, "Process running with session ID "):
			o.running = number
		}
	}
	return o
}

func startsWith(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}
