package hook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/internal/slice"
)

// toolResponse has the response fields of known tools that describe the result.
type toolResponse struct {
	Stdout      *lenientString `json:"stdout"` // nil if the response is not that of a command
	Stderr      lenientString  `json:"stderr"`
	Interrupted bool           `json:"interrupted"`
	IsImage     bool           `json:"isImage"` // then stdout is an image in base 64
	Background  lenientString  `json:"backgroundTaskId"`

	FilePath lenientString `json:"filePath"`
	Type     lenientString `json:"type"`
	File     fileOut       `json:"file"`
	Error    lenientString `json:"error"`

	Filenames []lenientString `json:"filenames"` // found by name or content
	NumFiles  *int            `json:"numFiles"`
	Truncated bool            `json:"truncated"`
	Content   content         `json:"content"` // matching lines, or blocks of text
	Status    lenientString   `json:"status"`  // of an agent
	Result    *lenientString  `json:"result"`  // of a page
	Code      int             `json:"code"`
	Results   content         `json:"results"` // of a search
	Matches   []lenientString `json:"matches"` // names of tools
	Success   *bool           `json:"success"` // of a skill
	Command   lenientString   `json:"commandName"`
}

type fileOut struct {
	FilePath   lenientString `json:"filePath"`
	NumLines   int           `json:"numLines"`
	TotalLines int           `json:"totalLines"`
	Cells      []any         `json:"cells"`
}

// interrupted reports whether somebody stopped the command.
func (p Payload) interrupted() bool {
	if !bytes.Contains(p.ToolResponse, []byte(`"interrupted":true`)) {
		return false
	}
	var r toolResponse
	return p.ToolName == "Bash" && json.Unmarshal(p.ToolResponse, &r) == nil && r.Interrupted
}

// output returns the result of a tool call, as text if the tool is known, and the files that a search found.
func (p Payload) output() (text string, found []lenientString) {
	switch {
	case p.Error != "":
		return p.Error, nil
	case json.Unmarshal(p.ToolResponse, &text) == nil:
		return text, nil
	}
	if text, ok := blocks(p.ToolResponse); ok {
		return text, nil
	}
	if strings.HasPrefix(p.ToolName, "mcp__") { // its objects have their own form
		return string(p.ToolResponse), nil
	}
	var r toolResponse
	if json.Unmarshal(p.ToolResponse, &r) != nil {
		return string(p.ToolResponse), nil
	}
	if text, ok := r.text(p.ToolName); ok {
		return text, r.Filenames
	}
	return string(p.ToolResponse), r.Filenames
}

// text returns the response of a known tool as text; false if it has another form.
func (r toolResponse) text(tool string) (string, bool) {
	switch tool {
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		return string(r.Error), true // the written file is known already; its content is in git
	case "TodoWrite":
		return "", true // the response repeats the request
	case "Grep", "Glob":
		return r.searchText()
	case "WebFetch":
		if r.Result != nil {
			return fmt.Sprintf("%d: %s", r.Code, *r.Result), true
		}
	case "WebSearch":
		return string(r.Results), r.Results != ""
	case "Task", "Agent":
		return string(cmp.Or(lenientString(r.Content), r.Status)), r.Content != "" || r.Status != ""
	case "ToolSearch":
		return joinStrings(r.Matches), r.Matches != nil
	case "Skill":
		if r.Success != nil && r.Command != "" {
			return fmt.Sprintf("success: %t", *r.Success), true
		}
	}
	return r.contentText()
}

// contentText returns the output of a command or the content of a file.
func (r toolResponse) contentText() (string, bool) {
	switch {
	case r.Stdout != nil && r.IsImage:
		return "an image", true
	case r.Stdout != nil && r.Background != "":
		return "in the background as " + string(r.Background), true
	case r.Stdout != nil:
		return strings.TrimSpace(string(*r.Stdout + "\n" + r.Stderr)), true
	case len(r.File.Cells) > 0:
		return fmt.Sprintf("%d cells", len(r.File.Cells)), true
	case r.File.TotalLines > 0 || (r.File.FilePath != "" && r.Type == "text"):
		return fmt.Sprintf("%d of %d lines", r.File.NumLines, r.File.TotalLines), true
	case r.Type == "image" || r.Type == "pdf" || r.Type == "parts" || r.Type == "file_unchanged":
		return strings.ReplaceAll(string(r.Type), "_", " "), true
	case r.FilePath != "" || r.Type != "" || r.File.FilePath != "":
		return "", true
	}
	return "", false
}

// searchText returns the result of a search for files or in files.
func (r toolResponse) searchText() (string, bool) {
	if r.NumFiles == nil && r.Filenames == nil {
		return "", false
	}
	if r.Content != "" {
		return string(r.Content), true // the lines, each with its file
	}
	n := len(r.Filenames)
	if r.NumFiles != nil {
		n = *r.NumFiles
	}
	text := fmt.Sprintf("%d files", n)
	if n == 1 {
		text = "1 file"
	}
	if r.Truncated {
		text += " and more"
	}
	if len(r.Filenames) > 0 {
		text += ": " + joinStrings(r.Filenames)
	}
	return text, true
}

func joinStrings(list []lenientString) string {
	parts := slice.Map(list, func(w lenientString) string { return string(w) })
	return strings.Join(parts, ", ")
}

// content is a text, or a list of blocks with texts, as one text.
type content string

// UnmarshalJSON never fails: see lenientString.
func (c *content) UnmarshalJSON(b []byte) error {
	if text, ok := blocks(b); ok {
		*c = content(text)
		return nil
	}
	var w lenientString
	err := w.UnmarshalJSON(b)
	*c = content(w)
	return err
}

// block is a part of an answer, or of a search result.
type block struct {
	Type    lenientString `json:"type"`
	Text    lenientString `json:"text"`
	Title   lenientString `json:"title"`
	Content []block       `json:"content"`
}

func (b block) texts() []string {
	var out []string
	switch {
	case b.Text != "" || b.Title != "":
		out = append(out, string(cmp.Or(b.Text, b.Title)))
	case b.Type != "" && b.Type != "text":
		out = append(out, fmt.Sprintf("(%s)", b.Type))
	}
	for _, c := range b.Content {
		out = append(out, c.texts()...)
	}
	return out
}

// blocks joins the texts of a list of content blocks and of texts; false if the value is not such a list.
func blocks(b []byte) (string, bool) {
	var list []json.RawMessage
	if json.Unmarshal(b, &list) != nil {
		return "", false
	}
	var parts []string
	for _, e := range list {
		var w lenientString
		var part block
		switch {
		case w.UnmarshalJSON(e) == nil && w != "":
			parts = append(parts, string(w))
		case json.Unmarshal(e, &part) == nil:
			parts = append(parts, part.texts()...)
		}
	}
	return strings.Join(parts, "\n"), len(parts) > 0
}
