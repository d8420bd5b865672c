package transcript

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/internal/slice"
)

// Kind is the kind of a block of a record.
type Kind string

// The kinds of blocks that are sources of their own besides the text.
const (
	KindTool     Kind = "tool"     // a call of a tool
	KindResult   Kind = "result"   // the answer of a tool
	KindThinking Kind = "thinking" // the assistant's thinking
	KindPlan     Kind = "plan"     // a plan that was shown to the user or written to a file
	KindTodo     Kind = "todo"     // a list of tasks
	KindTitle    Kind = "title"    // title of the session, by the client or the user
)

// Block is a part of a record that is a source of its own.
type Block struct {
	Kind  Kind
	N     int    // 1-based number among the blocks of its kind in the record
	Text  string // for a call its input without the contents of files
	Tool  string // name of the tool; for a result only if known by ToolID
	ID    string // of the call; a result has the same id
	Paths []string
	Error bool // the result is an error
}

// Name returns the block's name within its record: tool, tool-2.
func (b Block) Name() string {
	if b.N == 1 {
		return string(b.Kind)
	}
	return string(b.Kind) + "-" + strconv.Itoa(b.N)
}

// Blocks returns the parts of a record other than its text, in the order thinking, calls, results. It includes calls
// with empty text, but not results and thinking without text.
func (m Message) Blocks() []Block {
	var out []Block
	n := map[Kind]int{}
	add := func(b Block) {
		n[b.Kind]++
		b.N = n[b.Kind]
		out = append(out, b)
	}
	if m.Role == RoleTitle {
		add(Block{Kind: KindTitle, Text: m.Text})
	}
	if strings.TrimSpace(m.Thinking) != "" {
		add(Block{Kind: KindThinking, Text: m.Thinking})
	}
	for _, t := range m.Tools {
		add(t.block())
	}
	for _, r := range m.Results {
		b := Block{Kind: KindResult, Text: r.Text, ID: r.ID, Error: r.Error}
		if strings.TrimSpace(b.Text) != "" || b.Error {
			add(b)
		} else {
			n[b.Kind]++ // numbered as in the record
		}
	}
	return out
}

// block returns the block of a call.
func (t ToolUse) block() Block {
	b := Block{Kind: KindTool, Tool: t.Name, ID: t.ID, Paths: t.Paths}
	switch t.Name {
	case "ExitPlanMode", "exit_plan_mode":
		if plan := t.text("plan"); plan != "" {
			b.Kind, b.Text = KindPlan, plan
			return b
		}
	case "TodoWrite":
		if list := todoList(t.todos()); list != "" {
			b.Kind, b.Text = KindTodo, list
			return b
		}
	case "TaskCreate":
		b.Kind = KindTodo
	case "Write":
		if len(t.Paths) == 1 && isPlan(t.Paths[0]) {
			b.Kind, b.Text = KindPlan, t.text("content")
			return b
		}
	}
	b.Text = t.InputText()
	return b
}

// OwnTool reports whether a tool is one of gitmem's, under the names that clients give to tools of a server:
// mcp__gitmem__ask, mcp_gitmem_ask, gitmem-ask, gitmem_ask. A plugin's server is called plugin_gitmem_gitmem.
func OwnTool(name string) bool {
	if server, ok := strings.CutPrefix(name, "mcp__"); ok {
		server, _, _ = strings.Cut(server, "__")
		return strings.Contains(server, "gitmem")
	}
	return hasPrefix(strings.TrimPrefix(name, "mcp_"), "gitmem_", "gitmem-")
}

// Kind returns the kind of the call's block.
func (t ToolUse) Kind() Kind { return t.block().Kind }

// isPlan reports whether a path is a Markdown file in a folder named plans, such as the client's own.
func isPlan(file string) bool {
	file = strings.ReplaceAll(file, `\`, "/")
	return path.Base(path.Dir(file)) == "plans" && path.Ext(file) == ".md"
}

// text returns a string field of the input.
func (t ToolUse) text(key string) string {
	var in map[string]json.RawMessage
	if unmarshal(t.Input, &in) != nil {
		return ""
	}
	s, _ := parseString(in[key])
	return s
}

// todos returns the tasks of a TodoWrite call.
func (t ToolUse) todos() []todo {
	var in struct{ Todos []todo }
	_ = unmarshal(t.Input, &in) // an input that does not decode has no list
	return in.Todos
}

type todo struct {
	Content string `json:"content"`
	Status  string `json:"status"`
}

// CleanTasks passes the texts about the client's tasks in a call through clean. Other calls are returned unchanged.
func (t ToolUse) CleanTasks(clean func(string) string) ToolUse {
	var input any
	switch t.Name {
	case "TodoWrite":
		todos := t.todos()
		for i := range todos {
			todos[i].Content = clean(todos[i].Content)
		}
		input = map[string]any{"todos": todos}
	case "TaskCreate":
		input = map[string]string{"subject": clean(t.text("subject"))}
	default:
		return t
	}
	t.Input, _ = json.Marshal(input) // strings always encode
	return t
}

// todoList returns tasks as a Markdown list.
func todoList(todos []todo) string {
	return strings.Join(slice.Map(todos, func(todo todo) string {
		switch todo.Status {
		case "completed":
			return "- [x] " + todo.Content
		case inProgress:
			return "- [~] " + todo.Content
		}
		return "- [ ] " + todo.Content
	}), "\n")
}

// InputText returns the part of a call's input that describes the action: the command, the pattern, the question, then
// all other texts with their keys, but neither paths, which are in Paths, nor contents of files.
func (t ToolUse) InputText() string {
	var in map[string]json.RawMessage
	if unmarshal(t.Input, &in) != nil {
		return ""
	}
	var lines []string
	for _, key := range []string{"command", "pattern", "query", "url", "subject", "question", "skill", "args", "glob",
		"description", "prompt"} {
		if s, ok := parseString(in[key]); ok && strings.TrimSpace(s) != "" {
			lines = append(lines, s)
			delete(in, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(in)) {
		if silent(key) {
			continue
		}
		if s := flat(in[key], maxDepth); s != "" {
			lines = append(lines, key+": "+s)
		}
	}
	return strings.Join(lines, "\n")
}

// Written returns the texts that a call writes into files, concatenated.
func (t ToolUse) Written() string {
	var in struct {
		Content   string
		NewString string `json:"new_string"`
		NewSource string `json:"new_source"`
		Edits     []struct {
			NewString string `json:"new_string"`
		}
	}
	if !t.Writes || unmarshal(t.Input, &in) != nil {
		return ""
	}
	texts := []string{in.Content, in.NewString, in.NewSource}
	for _, e := range in.Edits {
		texts = append(texts, e.NewString)
	}
	return strings.Join(texts, "\n")
}

// silent reports whether an input key does not describe the action: paths, and contents of files.
func silent(key string) bool {
	switch key {
	case "file_path", "notebook_path", "path", "content", "old_string", "new_string", "new_source", "edits", "file_text",
		"insert_text",
		"timeout", "run_in_background", "limit", "offset", "replace_all", "cell_id", "activeForm",
		"output_mode", "head_limit",
		"-n", "-i", "-A", "-B", "-C", "multiline", "subagent_type", "model", "dangerouslyDisableSandbox":
		return true
	}
	return false
}

// maxDepth is the nesting depth to which the texts of an input are searched.
const maxDepth = 6

// flat returns the texts and numbers within a value one after the other, down to depth levels. Texts keep their keys,
// which show that some are secrets, and the arguments of a command line are kept together.
func flat(raw json.RawMessage, depth int) string {
	if len(raw) == 0 || depth == 0 {
		return ""
	}
	switch raw[0] {
	case '"':
		s, _ := parseString(raw)
		return s
	case '[':
		return flatList(raw, depth)
	case '{':
		var in map[string]json.RawMessage
		_ = unmarshal(raw, &in) // raw is already decoded once
		var parts []string
		for _, key := range slices.Sorted(maps.Keys(in)) {
			if s := flat(in[key], depth-1); s != "" && !silent(key) {
				parts = append(parts, key+": "+s)
			}
		}
		return strings.Join(parts, "; ")
	case 't', 'f', 'n':
		return ""
	}
	return string(raw)
}

func flatList(raw json.RawMessage, depth int) string {
	var list []json.RawMessage
	_ = unmarshal(raw, &list)
	var parts []string
	between := "; "
	for _, v := range list {
		s := flat(v, depth-1)
		if s == "" {
			continue
		}
		if v[0] == '"' && s[0] == '-' {
			between = " "
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, between)
}
