package copilot

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// request is a tool call. Arguments is an object, or the text of a patch for apply_patch.
type request struct {
	ToolCallID, Name string
	Arguments        json.RawMessage
}

// outcome is the result of a tool.
type outcome struct {
	Success        *bool
	Result         struct{ Content, DetailedContent string }
	Error          struct{ Message string }
	ShellExecution struct{ ExitCode int }
}

// calls returns the calls of a message. Server tools have names such as gitmem-ask.
func (r *reader) calls(requests []request) []dialect.Call {
	var out []dialect.Call
	for _, q := range requests {
		r.tools[q.ToolCallID] = q.Name
		out = append(out, r.call(q)...)
	}
	return out
}

// call returns one call, or one for each file of a patch.
func (r *reader) call(q request) []dialect.Call {
	var in struct {
		Command, Path string
		FileText      string `json:"file_text"`
		OldStr        string `json:"old_str"`
		NewStr        string `json:"new_str"`
	}
	object := dialect.Decode(q.Arguments, &in) && q.Arguments[0] == '{'
	switch {
	case object && isShell(q.Name) && in.Command != "":
		return []dialect.Call{dialect.Shell(q.ToolCallID, in.Command)}
	case object && q.Name == "view":
		return []dialect.Call{dialect.ReadFile(q.ToolCallID, in.Path)}
	case object && q.Name == "edit":
		return []dialect.Call{dialect.EditFile(q.ToolCallID, in.Path, in.OldStr, in.NewStr)}
	case object && q.Name == "create":
		return []dialect.Call{dialect.WriteFile(q.ToolCallID, in.Path, in.FileText)}
	case object:
		return []dialect.Call{{ID: q.ToolCallID, Name: q.Name, Input: q.Arguments}}
	}
	var text string
	_ = json.Unmarshal(q.Arguments, &text) // empty if it is not a string
	if edits := dialect.Patch(q.ToolCallID, r.cwd, text); q.Name == "apply_patch" && len(edits) > 0 {
		return edits
	}
	return []dialect.Call{{ID: q.ToolCallID, Name: q.Name, Input: map[string]string{"input": text}}}
}

// isShell reports whether a tool runs a command or reads the output of one.
func isShell(tool string) bool {
	return strings.HasSuffix(tool, "bash") || strings.HasSuffix(tool, "powershell")
}

// result returns the result of a tool. The client has two texts for it: the text for the model may be truncated, and
// the text for the user may be only a label; for edits it is a diff.
func (r *reader) result(d data) dialect.Result {
	tool := r.tools[d.ToolCallID]
	out := dialect.Result{ID: d.ToolCallID, Text: withoutHooks(d.Result.Content)}
	if shown := d.Result.DetailedContent; len(shown) >= len(out.Text) && tool != "view" {
		out.Text = strings.TrimPrefix(shown, "\n")
	}
	out.Text = cmp.Or(out.Text, d.Error.Message)
	out.Failed = d.Success != nil && !*d.Success || d.ShellExecution.ExitCode != 0 ||
		isShell(tool) && exitCode(out.Text) != 0
	if r.waits[d.ToolCallID] && !out.Failed {
		out.Report = out.Text
	}
	delete(r.waits, d.ToolCallID)
	return out
}

// withoutHooks removes the hook output that the client appends to a text for the model.
func withoutHooks(text string) string {
	end := strings.LastIndex(text, " Additional guidance from postToolUse")
	if start := strings.LastIndex(text[:max(end, 0)], "\n\nTool \""); start >= 0 {
		return text[:start]
	}
	return text
}

// exitCode parses the last line of a shell tool's output: <shellId: 0 completed with exit code 3>.
func exitCode(text string) int {
	_, code, _ := strings.Cut(text[strings.LastIndexByte(text, '\n')+1:], " completed with exit code ")
	n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(code), ">")) // without a number it did not fail
	return n
}
