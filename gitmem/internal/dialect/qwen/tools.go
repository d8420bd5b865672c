package qwen

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// shell is the tool that runs commands.
const shell = "run_shell_command"

// part is a part of a message: a text, a thought, a call or the result of one.
type part struct {
	Text             string
	Thought          bool
	FunctionCall     functionCall
	FunctionResponse struct {
		ID, Name string
		Response struct{ Output, Error string }
	}
}

// functionCall is a tool call. If a model gives two calls the same id, the client appends __qwen_dup_2 to the second
// one.
type functionCall struct {
	ID, Name string
	Args     json.RawMessage
}

// outcome is the result of a tool. Display is what the user sees, a string or an object.
type outcome struct {
	Status  string
	Display json.RawMessage `json:"resultDisplay"`
}

// display is the display of some tools.
type display struct {
	Type         string
	ExitCode     int
	Output, Text string // of a command: its output, and the text for the model
	FileDiff     string // of an edit
	Result       string // of a subagent that the session waited for
}

// calls returns the calls of a message.
func (c content) calls() []dialect.Call {
	var out []dialect.Call
	for _, p := range c.Parts {
		if p.FunctionCall.ID != "" && p.FunctionCall.Name != "" {
			out = append(out, p.FunctionCall.call())
		}
	}
	return out
}

// call converts the call. The model calls most server tools through tool_call, which takes their names.
func (f functionCall) call() dialect.Call {
	var in struct {
		Name, Command string
		Arguments     json.RawMessage
		FilePath      string `json:"file_path"`
		Content       string
		OldString     string `json:"old_string"`
		NewString     string `json:"new_string"`
	}
	if !dialect.Decode(f.Args, &in) || f.Args[0] != '{' {
		return dialect.Call{ID: f.ID, Name: f.Name, Input: struct{}{}}
	}
	switch f.Name {
	case "tool_call":
		if in.Name != "" && in.Name != f.Name {
			return functionCall{f.ID, in.Name, in.Arguments}.call()
		}
	case shell:
		return dialect.Shell(f.ID, in.Command)
	case "read_file":
		return dialect.ReadFile(f.ID, in.FilePath)
	case "edit":
		return dialect.EditFile(f.ID, in.FilePath, in.OldString, in.NewString)
	case "write_file":
		return dialect.WriteFile(f.ID, in.FilePath, in.Content)
	}
	return dialect.Call{ID: f.ID, Name: f.Name, Input: f.Args}
}

// results returns the results of tools.
func (c content) results(o outcome) []dialect.Result {
	var out []dialect.Result
	for _, p := range c.Parts {
		if f := p.FunctionResponse; f.ID != "" {
			output, failure := f.Response.Output, f.Response.Error
			if f.Name == shell && len(o.Display) == 0 { // of a subagent
				output, failure = commandOutput(output), commandOutput(failure)
			}
			r := o.result(f.ID, output, failure)
			if f.Name == "tool_search" { // tool schemas
				r.Text = ""
			}
			out = append(out, r)
		}
	}
	return out
}

// result returns the result of a call. The client appends hook output to the text for the model, so the displayed text
// is used if it is equivalent.
func (o outcome) result(id, output, failure string) dialect.Result {
	var shown string
	var d display
	if dialect.Decode(o.Display, &shown) && shown == "" {
		dialect.Decode(o.Display, &d)
	}
	out := dialect.Result{ID: id, Text: output + failure, Report: d.Result}
	out.Failed = o.Status == "error" || o.Status == "cancelled" || d.ExitCode != 0 || failure != ""
	switch {
	case shown != "" && strings.HasPrefix(out.Text, shown):
		out.Text = shown
	case d.Type == "shell_result" && !out.Failed:
		out.Text = d.Output
	default: // Text has the exit code
		out.Text = cmp.Or(d.Output, d.FileDiff, d.Result, d.Text, out.Text)
	}
	return out
}

// commandOutput extracts a command's output from the text for the model, which has lines with the command and its
// folder before it, and lines about its end and hook output after it.
func commandOutput(text string) string {
	_, output, ok := strings.Cut(text, "\nOutput: ")
	end := strings.LastIndex(output, "\nError: ")
	if !ok || end < 0 || !strings.HasPrefix(text, "Command: ") {
		return text
	}
	return output[:end]
}
