package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
)

// content is the body of a message, sorted by kinds of blocks.
type content struct {
	text, thinking []string
	tools          []ToolUse
	results        []ToolResult
	// private is the number of private blocks that are open after the text so far.
	private int
}

// hidden is put before the text of a part inside a private block, so that it is fully redacted even on its own.
const hidden = "<private>"

// block is one element of a message's content.
type block struct {
	Type           string
	Text, Thinking string
	ID, Name       string
	Input          json.RawMessage
	ToolUseID      string `json:"tool_use_id"`
	Content        json.RawMessage
	IsError        bool `json:"is_error"`
}

// parseContent parses content that is a string or an array of blocks. It skips blocks without text, such as images.
func parseContent(raw json.RawMessage) (content, bool) {
	if text, ok := parseString(raw); ok {
		return content{text: []string{text}}, true
	}
	blocks, ok := parseBlocks(raw)
	var c content
	for _, b := range blocks {
		c.add(b)
	}
	return c, ok
}

func parseString(raw json.RawMessage) (string, bool) {
	var s string
	ok := len(raw) > 0 && raw[0] == '"' && unmarshal(raw, &s) == nil
	return s, ok
}

func parseBlocks(raw json.RawMessage) ([]block, bool) {
	if len(raw) == 0 || raw[0] != '[' {
		return nil, false
	}
	var blocks []block
	err := unmarshal(raw, &blocks)
	mismatch := (*json.UnmarshalTypeError)(nil)
	return blocks, err == nil || errors.As(err, &mismatch)
}

// add adds the next block. A private block opened in the text includes the following calls, results and thinking until
// the text closes it; the text itself is joined later and redacted as a whole. Tags in a tool's answer have no effect
// beyond it: they are quotations.
func (c *content) add(b block) {
	switch b.Type {
	case "text":
		c.text = append(c.text, b.Text)
		text, _ := cutReminders(b.Text, fromAnywhere)
		c.private = redact.OpenBlock(text, c.private)
	case "thinking":
		c.thinking = append(c.thinking, c.shown(b.Thinking))
	case "tool_use", "server_tool_use", "mcp_tool_use":
		if c.private > 0 {
			b.Input = nil
		}
		c.tools = append(c.tools, newToolUse(b))
	case "tool_result", "mcp_tool_result":
		c.results = append(c.results, ToolResult{ID: b.ToolUseID, Text: c.shown(resultText(b.Content)), Error: b.IsError})
	}
}

func (c *content) shown(text string) string {
	if c.private > 0 && text != "" {
		return hidden
	}
	return text
}

// resultText returns the text of a tool's answer, which is a string or an
// array of blocks.
func resultText(raw json.RawMessage) string {
	if text, ok := parseString(raw); ok {
		return text
	}
	blocks, _ := parseBlocks(raw)
	var texts []string
	for _, b := range blocks {
		if b.Type == "text" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

func newToolUse(b block) ToolUse {
	t := ToolUse{ID: b.ID, Name: b.Name, Input: bytes.Clone(b.Input), Paths: inputPaths(b.Input), Writes: writes(b.Name)}
	if t.Name == "Bash" {
		t.Command = t.text("command")
	}
	return t
}

// inputPaths returns the paths in a tool's input, by the keys that the client's own tools use for them.
func inputPaths(input json.RawMessage) []string {
	var in struct {
		FilePath     string `json:"file_path"`
		NotebookPath string `json:"notebook_path"`
		Path         string
	}
	if len(input) == 0 || input[0] != '{' {
		return nil
	}
	// An input that does not decode has no paths; the input itself is kept whole.
	_ = unmarshal(input, &in)
	return slice.Filter([]string{in.FilePath, in.NotebookPath, in.Path}, func(p string) bool { return p != "" })
}

func writes(tool string) bool {
	switch tool {
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
		return true
	}
	return false
}

// fromEditor matches an editor's description of the open file or selection, before the user's own text.
var fromEditor = lazy.Pattern(`(?s)^\s*(?:<ide_(?:opened_file|selection|diagnostics)>.*?</ide_\w+>\s*)+`)

// userText joins the text of a user line without client insertions, and reports whether there were any.
func (c content) userText() (text string, injected bool) {
	var kept []string
	for _, t := range c.text {
		t, removed := cutReminders(t, fromAnywhere)
		injected = injected || removed
		if strings.Contains(t, "<ide_") {
			t = fromEditor().ReplaceAllString(t, "")
		}
		if t != "" {
			kept = append(kept, t)
		}
	}
	return strings.Join(kept, "\n\n"), injected
}

var reminder = lazy.Pattern(`(?s)<system-reminder>.*?</system-reminder>`)

// cutReminders removes the <system-reminder> blocks that cut accepts from a text, and reports whether there were any.
func cutReminders(text string, cut func(block string) bool) (kept string, removed bool) {
	if !strings.Contains(text, "<system-reminder>") { // fast path: most texts have none
		return text, false
	}
	kept = reminder().ReplaceAllStringFunc(text, func(block string) string {
		if !cut(block) {
			return block
		}
		removed = true
		return ""
	})
	if removed {
		kept = strings.TrimSpace(kept)
	}
	return kept, removed
}

// fromAnywhere accepts every reminder: a user's own text contains none of the user's.
func fromAnywhere(string) bool { return true }

// fromHook accepts the reminders with which the client passes on the output of a hook. A tool's answer may quote
// others, for example from a file.
func fromHook(block string) bool {
	return strings.Contains(block, " hook additional context:") || strings.Contains(block, " hook success:")
}
