package hook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
)

// toolNames are the names of tools that Claude Code calls otherwise, in small letters.
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

// otherInput has the fields that other agents name otherwise.
type otherInput struct {
	toolInput
	AbsolutePath lenientString `json:"absolute_path"`
	DirPath      lenientString `json:"dir_path"`
	Agent        lenientString `json:"agent_name"` // of a subagent
	AgentKind    lenientString `json:"agent_type"`
	Patch        lenientString `json:"input"`
}

// patchedFile is the line of a patch that names a file.
var patchedFile = lazy.Pattern(`(?m)^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\r?$`)

// adaptTool gives the tool, its input and what came out the form that Claude Code's have.
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
		text = "" // the written file is named already
	case p.ToolName == "Read" || p.ToolName == "Grep" || p.ToolName == "Glob" || p.ToolName == "LS":
		text = fmt.Sprintf("%d lines", strings.Count(strings.TrimSpace(text)+"\n", "\n")) // of files that may be excluded
	}
	p.ToolResponse, _ = json.Marshal(text) // a text always can be
}

// command is what came out of a command, and whether it failed. That may be unknown.
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

// adaptInput names the fields of a known tool's input as Claude Code does.
func (p *Payload) adaptInput() {
	var in otherInput
	if json.Unmarshal(p.ToolInput, &in) != nil {
		_ = in.Patch.UnmarshalJSON(p.ToolInput) // which never fails
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
	p.ToolInput, _ = json.Marshal(in.toolInput) // texts always can be
}

// answer is what a tool answered the model, and whether the agent says that it failed.
func (p *Payload) answer() (text string, failed bool) {
	var r struct {
		Text      lenientString   `json:"text_result_for_llm"` // Copilot CLI
		CamelText lenientString   `json:"textResultForLlm"`
		Type      lenientString   `json:"result_type"`
		CamelType lenientString   `json:"resultType"`
		Content   content         `json:"content"`    // Codex CLI, of another server's tool
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

// unwrapped is an answer without the tags that Gemini CLI puts around it.
func unwrapped(text string) string {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "<untrusted_context>"); ok {
		text = strings.TrimSpace(strings.TrimSuffix(inner, "</untrusted_context>"))
	}
	return text
}

// shellOutput divides what the model is told of a command into its output and its exit code, which
// Copilot CLI names in a last line, and Gemini CLI and Qwen Code in lines behind the output.
func shellOutput(text string) (output string, code int) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	n := len(lines) - 1
	if _, tail, ok := strings.Cut(lines[n], " completed with exit code "); ok &&
		strings.HasPrefix(lines[n], "<shellId: ") {
		_, _ = fmt.Sscan(strings.TrimSuffix(tail, ">"), &code) // no number is no failure
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

// maxTail is how much of the end of a session file is looked at for what a command came to. Codex CLI
// keeps 64 KiB of its output there.
const maxTail = 512 << 10

// exitCode is what a command of Codex CLI came to, if its session file has it already: the payload does
// not say.
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
