package opencode

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// calls are the calls of a tool part. A patch changes several files: it is one edit of each. The ids are
// those of parts, because some models give all their calls the same.
func (p part) calls() []dialect.Call {
	in := p.State.Input
	switch p.Tool {
	case "bash":
		return []dialect.Call{dialect.Shell(p.id, text(in, "command"))}
	case "read":
		return []dialect.Call{dialect.ReadFile(p.id, text(in, "filePath"))}
	case "edit":
		return []dialect.Call{dialect.EditFile(p.id, text(in, "filePath"), text(in, "oldString"), text(in, "newString"))}
	case "write":
		return []dialect.Call{dialect.WriteFile(p.id, text(in, "filePath"), text(in, "content"))}
	case "patch", "apply_patch":
		if edits := patched(p.id, text(in, "patchText")); len(edits) > 0 {
			return edits
		}
	}
	if len(in) == 0 || in[0] != '{' {
		in = json.RawMessage("{}")
	}
	return []dialect.Call{{ID: p.id, Name: p.Tool, Input: in}}
}

// patched are the edits of a patch, whose lines are those of a file's hunks after "*** Update File: name",
// Add or Delete.
func patched(id, patch string) []dialect.Call {
	var out []dialect.Call
	var path string
	var before, after strings.Builder
	end := func() {
		if path == "" {
			return
		}
		name := id
		if len(out) > 0 {
			name = fmt.Sprint(id, "-", len(out)+1)
		}
		out = append(out, dialect.EditFile(name, path, before.String(), after.String()))
	}
	for line := range strings.Lines(patch) {
		text := strings.TrimRight(line, "\r\n")
		if heading, ok := strings.CutPrefix(text, "*** "); ok {
			if _, file, ok := strings.Cut(heading, " File: "); ok {
				end()
				path = strings.TrimSpace(file)
				before.Reset()
				after.Reset()
			}
			continue
		}
		switch {
		case strings.HasPrefix(line, "-"):
			before.WriteString(line[1:])
		case strings.HasPrefix(line, "+"):
			after.WriteString(line[1:])
		}
	}
	end()
	return out
}

// result is the answer to the call of a tool part, if there is one.
func (p part) result() (dialect.Result, bool) {
	r := dialect.Result{ID: p.id, Text: p.State.Output}
	switch p.State.Status {
	case "completed":
		exit := string(p.State.Metadata.Exit)
		r.Failed = exit != "" && exit != "0" && exit != "null" || p.Tool == "invalid"
		if p.Tool == "task" {
			r.Report = report(p.State.Output)
		}
	case "error":
		r.Failed = true
		if p.State.Error != "" {
			r.Text = p.State.Error
		}
	default:
		return r, false
	}
	return r, true
}

// report is what a subagent answered, without the tags that the client writes around it.
func report(output string) string {
	_, inner, ok := strings.Cut(output, "<task_result>")
	if !ok {
		return ""
	}
	if end := strings.LastIndex(inner, "</task_result>"); end >= 0 {
		inner = inner[:end]
	}
	return strings.TrimSpace(inner)
}

// text is a text of a call's input, "" where there is none.
func text(input json.RawMessage, name string) string {
	var in map[string]json.RawMessage
	var s string
	if json.Unmarshal(input, &in) == nil {
		decode(in[name], &s)
	}
	return s
}
