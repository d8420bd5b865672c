package hook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
)

// toolNames maps the tool names of other agents, in lower case, to those of Claude Code.
var toolNames = [...]struct{ other, name string }{
	{"run_shell_command", "Bash"}, {"bash", "Bash"}, {"powershell", "Bash"}, {"local_shell", "Bash"},
	{"replace", "Edit"}, {"edit", "Edit"}, {"apply_patch", "Edit"},
	{"write_file", "Write"}, {"create", "Write"}, {"write", "Write"},
	{"read_file", "Read"}, {"view", "Read"}, {"read", "Read"},
	{"grep_search", "Grep"}, {"search_file_content", "Grep"}, {"grep", "Grep"}, {"rg", "Grep"},
	{"glob", "Glob"}, {"list_directory", "LS"},
	{"web_fetch", "WebFetch"}, {"google_web_search", "WebSearch"}, {"web_search", "WebSearch"},
	{"agent", "Agent"}, {"task", "Agent"}, {"invoke_agent", "Agent"},
}

// otherInput has the fields with other names in other agents.
type otherInput struct {
	toolInput
	AbsolutePath lenientString `json:"absolute_path"`
	DirPath      lenientString `json:"dir_path"`
	Agent        lenientString `json:"agent_name"` // of a subagent
	AgentKind    lenientString `json:"agent_type"`
	Patch        lenientString `json:"input"`
}

// patchedFile matches a line of a patch that names a file.
var patchedFile = lazy.Pattern(`(?m)^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\r?$`)

// adaptTool converts the tool, its input and its result to the form of Claude Code.
func (p *Payload) adaptTool() {
	p.ToolUseID = cmp.Or(string(p.ToolCall), p.ToolUseID)
	text, failed := p.answer()
	tool := p.ToolName
	for _, t := range toolNames {
		if strings.EqualFold(t.other, tool) {
			p.ToolName = t.name
			p.adaptInput()
		}
	}
	switch {
	case p.ToolName == "Bash":
		text, failed = p.command(text, failed)
	case tool == "apply_patch" && p.agent == codex:
		failed = failed || strings.HasPrefix(text, "Exit code: ") && !strings.HasPrefix(text, "Exit code: 0\n")
	}
	switch {
	case failed:
		p.Event, p.Error = "PostToolUseFailure", text
	case p.ToolName == "Edit" || p.ToolName == "Write":
		text = "" // the written file is known already
	case p.ToolName == "Read" || p.ToolName == "Grep" || p.ToolName == "Glob" || p.ToolName == "LS":
		text = fmt.Sprintf("%d lines", strings.Count(strings.TrimSpace(text)+"\n", "\n")) // of files that may be excluded
	}
	p.ToolResponse, _ = json.Marshal(text) // a string can always be encoded
}

// command returns the output of a command, and whether it failed; p.unknown is set if that is unknown.
func (p *Payload) command(text string, failed bool) (string, bool) {
	code, known := 0, true
	if p.agent == codex {
		code, known = p.exitCode()
	} else {
		text, code = shellOutput(text)
	}
	if code != 0 {
		return fmt.Sprintf("Exit code %d\n%s", code, text), true
	}
	p.unknown = !known && !failed
	return text, failed
}

// adaptInput renames the fields of a known tool's input to those of Claude Code.
func (p *Payload) adaptInput() {
	var in otherInput
	if json.Unmarshal(p.ToolInput, &in) != nil {
		_ = in.Patch.UnmarshalJSON(p.ToolInput) // it never fails
	}
	in.Path, in.AgentType = cmp.Or(in.Path, in.DirPath), cmp.Or(in.AgentType, in.Agent, in.AgentKind)
	switch p.ToolName {
	case "Edit":
		for _, m := range patchedFile().FindAllStringSubmatch(string(in.Command+in.Patch), -1) {
			p.patched = append(p.patched, m[1])
		}
		in.Command = ""
		fallthrough
	case "Read", "Write":
		in.FilePath, in.Path, in.Description = cmp.Or(in.FilePath, in.AbsolutePath, in.Path), "", ""
	}
	p.ToolInput, _ = json.Marshal(in.toolInput) // strings can always be encoded
}

// answer returns the result of a tool for the model, and whether the agent reports a failure.
func (p *Payload) answer() (text string, failed bool) {
	var r struct {
		Text      lenientString   `json:"text_result_for_llm"` // Copilot CLI
		CamelText lenientString   `json:"textResultForLlm"`
		Type      lenientString   `json:"result_type"`
		CamelType lenientString   `json:"resultType"`
		Content   content         `json:"content"`    // Codex CLI, of an MCP tool
		Model     content         `json:"llmContent"` // Gemini CLI and Qwen Code
		IsError   json.RawMessage `json:"isError"`
		Failure   *struct {
			Message lenientString `json:"message"`
		} `json:"error"`
	}
	failed = p.Event == "PostToolUseFailure"
	raw := p.ToolResponse
	if p.ToolResult != nil {
		raw = p.ToolResult
	}
	switch {
	case p.Error != "":
		return p.Error, true
	case json.Unmarshal(raw, &text) == nil:
		return text, failed
	case json.Unmarshal(raw, &r) != nil:
		return string(raw), failed
	}
	text = string(cmp.Or(content(r.Text), content(r.CamelText), r.Content, r.Model))
	if r.Failure != nil {
		text, failed = string(cmp.Or(r.Failure.Message, lenientString(text))), true
	}
	kind := cmp.Or(r.Type, r.CamelType, "success")
	return unwrapped(text), failed || kind != "success" || string(r.IsError) == "true"
}

// unwrapped removes the tags that Gemini CLI puts around an answer.
func unwrapped(text string) string {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "<untrusted_context>"); ok {
		text = strings.TrimSpace(strings.TrimSuffix(inner, "</untrusted_context>"))
	}
	return text
}

// shellOutput splits the result of a command into its output and its exit code, which Copilot CLI writes in
// the last line, and Gemini CLI and Qwen Code in lines after the output.
func shellOutput(text string) (output string, code int) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	n := len(lines) - 1
	if _, tail, ok := strings.Cut(lines[n], " completed with exit code "); ok &&
		strings.HasPrefix(lines[n], "<shellId: ") {
		_, _ = fmt.Sscan(strings.TrimSuffix(tail, ">"), &code) // no number means no failure
		return strings.Join(lines[:n], "\n"), code
	}
	for ; n >= 0; n-- {
		label, value, _ := strings.Cut(lines[n], ": ")
		switch label {
		case "Exit Code":
			_, _ = fmt.Sscan(value, &code)
			continue
		case "Signal":
			if value != "(none)" && value != "0" {
				code = cmp.Or(code, -1)
			}
			continue
		case "Process Group PGID", "Background PIDs", "Error":
			continue
		}
		break
	}
	output = strings.Join(lines[:n+1], "\n")
	labelled := strings.HasPrefix(output, "Output: ") || strings.HasPrefix(output, "Command: ")
	if _, rest, ok := strings.Cut("\n"+output, "\nOutput: "); ok && labelled {
		output = rest
	}
	if output == "(empty)" {
		output = ""
	}
	return output, code
}

// maxTail is how much of the end of a session file is searched for the result of a command. Codex CLI keeps
// 64 KiB of its output there.
const maxTail = 512 << 10

// exitCode returns the exit code of a command of Codex CLI, if it is in the session file already: the payload
// does not contain it.
func (p *Payload) exitCode() (code int, known bool) {
	b, err := fileTail(p.TranscriptPath, maxTail)
	if err != nil || p.ToolUseID == "" {
		return 0, false
	}
	for line := range bytes.Lines(b) {
		var record struct {
			Payload struct {
				Item struct {
					ID   string `json:"id"`
					Code *int   `json:"exit_code"`
				} `json:"item"`
			} `json:"payload"`
		}
		if !bytes.Contains(line, []byte(p.ToolUseID)) || json.Unmarshal(line, &record) != nil {
			continue
		}
		if item := record.Payload.Item; item.ID == p.ToolUseID && item.Code != nil {
			code, known = *item.Code, true
		}
	}
	return code, known
}
