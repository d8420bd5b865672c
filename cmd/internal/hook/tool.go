package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/gitmem"
)

// onToolUse logs a tool call.
func onToolUse(ctx context.Context, c *call) (reply, error) {
	file, err := c.memory.Sessions().Observe(ctx, c.Observation())
	return reply{detail: file}, err
}

// toolInput has the input fields of known tools that name files or describe the request. A field of another
// type is left empty: see lenientString.
type toolInput struct {
	Command      lenientString `json:"command"`
	FilePath     lenientString `json:"file_path"`
	NotebookPath lenientString `json:"notebook_path"`
	Path         lenientString `json:"path"` // searched folder
	Pattern      lenientString `json:"pattern"`
	URL          lenientString `json:"url"`
	Query        lenientString `json:"query"`
	Prompt       lenientString `json:"prompt"`
	Description  lenientString `json:"description"`
	AgentType    lenientString `json:"subagent_type"`
	Skill        lenientString `json:"skill"`
	Args         lenientString `json:"args"`
	Plan         lenientString `json:"plan"`
	Subject      lenientString `json:"subject"` // of a task
	Todos        todos         `json:"todos"`
}

// Observation returns the tool call of a payload as it is logged. A tool with unknown fields is logged as its
// raw JSON.
func (p Payload) Observation() gitmem.Observation {
	o := gitmem.Observation{
		Session: p.SessionID, Call: p.ToolUseID, Tool: p.ToolName, Agent: p.AgentType,
		OK: p.Event != "PostToolUseFailure", Unsettled: p.unknown, Interrupted: p.IsInterrupt || p.interrupted(),
	}
	if p.AgentID == "" {
		o.Agent = "" // the type of a main thread is not that of a subagent
	}
	var in toolInput
	_ = json.Unmarshal(p.ToolInput, &in) // another form leaves the fields empty
	file := string(cmp.Or(in.FilePath, in.NotebookPath))
	o.Input = in.request()
	switch p.ToolName {
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		o.Wrote = relative(p.Cwd, file)
		for _, f := range p.patched {
			o.Wrote = append(o.Wrote, relative(p.Cwd, f)...)
		}
	case "Read", "NotebookRead":
		o.Read = relative(p.Cwd, file)
	case "Grep", "Glob", "LS":
		o.Searched = relative(p.Cwd, string(in.Path))
		if p.ToolName == "LS" {
			o.Input = cmp.Or(o.Input, strings.Join(o.Searched, ""))
		}
	default:
		o.Read = relative(p.Cwd, file)
		if o.Input == "" && file == "" && string(p.ToolInput) != "null" {
			o.Input = string(p.ToolInput)
		}
	}
	var found []lenientString
	o.Output, found = p.output()
	for _, f := range found {
		o.Searched = append(o.Searched, string(f))
	}
	return o
}

// request returns the request to a known tool.
func (in toolInput) request() string {
	first := cmp.Or(in.Command, in.Pattern, in.URL, in.Query)
	switch {
	case first != "":
		return string(first)
	case in.Skill != "":
		return strings.TrimSpace(string(in.Skill + " " + in.Args))
	case in.AgentType != "":
		return string(in.AgentType + ": " + cmp.Or(in.Prompt, in.Description))
	}
	return string(cmp.Or(in.Prompt, in.Subject, in.Description, in.Plan, lenientString(in.Todos)))
}

// relative returns the path of a file relative to the working folder if it is in it.
func relative(cwd, file string) []string {
	if file == "" {
		return nil
	}
	if rel, err := filepath.Rel(cwd, file); err == nil && filepath.IsLocal(rel) {
		return []string{filepath.ToSlash(rel)}
	}
	return []string{file}
}

// lenientString is a JSON string. Any other value is ignored, without affecting the other fields.
type lenientString string

// UnmarshalJSON never fails.
func (w *lenientString) UnmarshalJSON(b []byte) error {
	var s string
	if len(b) > 0 && b[0] == '"' && json.Unmarshal(b, &s) == nil {
		*w = lenientString(s)
	}
	return nil
}

// todos is a to-do list as one text.
type todos string

// UnmarshalJSON never fails: see lenientString.
func (t *todos) UnmarshalJSON(b []byte) error {
	var list []struct {
		Content lenientString `json:"content"`
		Status  lenientString `json:"status"`
	}
	if json.Unmarshal(b, &list) != nil {
		return nil
	}
	var parts []string
	for _, e := range list {
		parts = append(parts, fmt.Sprintf("%s (%s)", e.Content, cmp.Or(e.Status, "pending")))
	}
	*t = todos(strings.Join(parts, "; "))
	return nil
}
