package gemini

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
)

// part is one part of a content.
type part struct {
	Text             string            `json:"text"`
	Thought          bool              `json:"thought"`
	FunctionResponse *functionResponse `json:"functionResponse"`
}

type functionResponse struct {
	ID       string                     `json:"id"`
	Response map[string]json.RawMessage `json:"response"`
}

// parts are the parts of a content, which is a text, a part, or a list of both.
func parts(content json.RawMessage) []part {
	var list []json.RawMessage
	if json.Unmarshal(content, &list) != nil {
		list = []json.RawMessage{content}
	}
	var out []part
	for _, raw := range list {
		var p part
		if json.Unmarshal(raw, &p.Text) != nil && decode(json.Unmarshal(raw, &p)) != nil {
			continue
		}
		out = append(out, p)
	}
	return out
}

// said is the text of a message as it was sent.
func (m message) said() string {
	var b strings.Builder
	for _, p := range parts(m.Content) {
		if !p.Thought {
			b.WriteString(p.Text)
		}
	}
	return strings.TrimSpace(b.String())
}

// words returns what a content says without what the client and hooks put around it, and whether the
// context of a hook stood before it in one text: a headless run puts it there. Text beside results of
// tools is the client's, but for what the user typed to steer it.
func words(content json.RawMessage) (text string, led bool) {
	list := parts(content)
	answers := slices.ContainsFunc(list, func(p part) bool { return p.FunctionResponse != nil })
	var kept []string
	for _, p := range list {
		t := strings.TrimSpace(p.Text)
		for strings.HasPrefix(t, hookTag) {
			_, rest, _ := strings.Cut(t, hookEnd)
			t = strings.TrimSpace(rest)
			led = led || t != ""
		}
		steering := strings.HasPrefix(t, "User steering update:") || strings.HasPrefix(t, "User hints:")
		if !p.Thought && t != "" && !isContext(t) && (steering || !answers) {
			kept = append(kept, t)
		}
	}
	return typedText(withoutFiles(strings.Join(kept, "\n"))), led
}

// The tags of the client.
const (
	hookTag, hookEnd         = "<hook_context>", "</hook_context>"
	snapshotTag, snapshotEnd = "<state_snapshot>", "</state_snapshot>"
	wrapTag, wrapEnd         = "<untrusted_context>", "</untrusted_context>"
)

// contexts begin what the client puts into the user's place by itself.
var contexts = [...]string{
	"<session_context>", "<loaded_context>", "This is the Gemini CLI. We are setting up the context",
	"Here is the user's editor context", "Here is a summary of changes in the user's editor context",
	"- **Workspace Directories:**", "System: Potential loop detected.", "[System: You ",
	"User has manually exited Plan Mode.", "Plan approved. Switching to", "Background execution update:",
}

// isContext reports whether a text in the user's place is the client's.
func isContext(text string) bool {
	return text == "Please continue." || text == "System: Please continue." ||
		strings.HasPrefix(text, hookTag) && strings.HasSuffix(text, hookEnd) ||
		slices.ContainsFunc(contexts[:], func(c string) bool { return strings.HasPrefix(text, c) })
}

// withoutFiles leaves out the files that a prompt names with @.
func withoutFiles(text string) string {
	for _, from := range []string{"--- Content from referenced files ---", "--- Content from referenced context ---"} {
		before, files, ok := strings.Cut(text, from)
		if !ok {
			continue
		}
		const end = "--- End of content ---"
		after := ""
		if i := strings.LastIndex(files, end); i >= 0 {
			after = files[i+len(end):]
		}
		text = strings.TrimSpace(before + after)
	}
	return text
}

// typedText is what the user typed of a text that the client made of it: a command in shell mode, which
// stands there with its output, or a word to the working model.
func typedText(text string) string {
	if rest, ok := strings.CutPrefix(text, "I ran the following shell command:\n```sh\n"); ok {
		command, _, _ := strings.Cut(rest, "\n```\n")
		return "!" + strings.NewReplacer("\\`", "`", `\\`, `\`).Replace(command)
	}
	if _, rest, ok := strings.Cut(text, "\n<user_input>\n"); ok && strings.HasPrefix(text, "User ") {
		said, _, _ := strings.Cut(rest, "\n</user_input>")
		return said
	}
	return text
}

// output is what a call was answered: the client keeps the parts of the whole answer.
func (c toolCall) output() (text string, failed, ok bool) {
	list := parts(c.Result)
	var texts []string
	responses := 0
	for _, p := range list {
		if p.FunctionResponse != nil {
			responses++
		}
	}
	for _, p := range list {
		f := p.FunctionResponse
		switch {
		case f == nil && responses <= 1 && p.Text != "":
			texts = append(texts, unwrap(p.Text))
		case f != nil && (f.ID == c.ID || responses == 1):
			response, isError := f.text()
			texts, failed = append(texts, response), failed || isError
		}
	}
	return strings.TrimSpace(strings.Join(texts, "\n")), failed, len(texts) > 0
}

// text is what a tool answered.
func (f functionResponse) text() (text string, failed bool) {
	for _, key := range []string{"error", "output"} {
		raw, ok := f.Response[key]
		if ok && json.Unmarshal(raw, &text) == nil {
			return unwrap(text), key == "error"
		}
	}
	b, err := json.Marshal(f.Response)
	if err != nil || len(f.Response) == 0 {
		return "", false
	}
	return string(b), false
}

// unwrap is an answer without the context of hooks behind it and the tags around it.
func unwrap(text string) string {
	text = strings.TrimSpace(text)
	for strings.HasSuffix(text, hookEnd) && strings.Contains(text, hookTag) {
		text = strings.TrimSpace(text[:strings.LastIndex(text, hookTag)])
	}
	if inner, ok := strings.CutPrefix(text, wrapTag); ok {
		text = strings.TrimSpace(strings.TrimSuffix(inner, wrapEnd))
	}
	return text
}

// maxPath is more bytes than the name of any folder has.
const maxPath = 4096

// folder is the working directory by its hash: one of the folders above the paths that calls name. ""
// if none has the hash.
func (h *history) folder() string {
	tried := map[string]bool{}
	try := func(path string) string {
		for len(path) <= maxPath && filepath.IsAbs(path) && !tried[path] {
			if tried[path] = true; hash(path) == h.hash {
				return path
			}
			path = filepath.Dir(path)
		}
		return ""
	}
	for _, d := range h.directories {
		if found := try(filepath.Clean(d)); found != "" {
			return found
		}
	}
	for _, e := range h.entries {
		for _, c := range e.ToolCalls {
			file := c.arg("file_path", "absolute_path", "dir_path", "path")
			if found := try(filepath.Clean(file)); found != "" {
				return found
			}
		}
	}
	return ""
}
