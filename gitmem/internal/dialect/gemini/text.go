package gemini

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// content is the content of a message or a tool result: a string, a part, or a list of parts.
type content []part

type part struct {
	Text             string
	Thought          bool
	FunctionResponse *struct {
		ID       string
		Response struct{ Output, Error string }
	}
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *content) UnmarshalJSON(b []byte) error {
	*c = nil
	switch b[0] {
	case '"':
		*c = content{{}}
		return json.Unmarshal(b, &(*c)[0].Text)
	case '{':
		*c = content{{}}
		dialect.Decode(b, &(*c)[0])
	case '[':
		dialect.Decode(b, (*[]part)(c))
	}
	return nil
}

// text returns the text as it was sent.
func (c content) text() string {
	var b strings.Builder
	for _, p := range c {
		if !p.Thought {
			b.WriteString(p.Text)
		}
	}
	return strings.TrimSpace(b.String())
}

// words returns the text of a user message without additions of the client and hooks, and whether the same part began
// with a hook's context, as in a headless run. Text next to tool results comes from the client, except what the user
// typed to steer the running model.
func (c content) words() (text string, headless bool) {
	results := slices.ContainsFunc(c, func(p part) bool { return p.FunctionResponse != nil })
	var kept []string
	for _, p := range c {
		t := strings.TrimSpace(p.Text)
		for strings.HasPrefix(t, hookTag) {
			_, t, _ = strings.Cut(t, hookEnd)
			t = strings.TrimSpace(t)
			headless = headless || t != ""
		}
		if _, said, ok := strings.Cut(t, "\n<user_input>\n"); ok && strings.HasPrefix(t, "User ") {
			t, _, _ = strings.Cut(said, "\n</user_input>")
		} else if results {
			continue
		}
		if !slices.ContainsFunc(contexts[:], func(begin string) bool { return strings.HasPrefix(t, begin) }) {
			kept = append(kept, t)
		}
	}
	text, _, _ = strings.Cut(strings.Join(kept, "\n"), "\n--- Content from referenced ") // files referenced with @
	if rest, ok := strings.CutPrefix(text, "I ran the following shell command:\n```sh\n"); ok {
		text, _, _ = strings.Cut(rest, "\n```\n")
		text = "!" + strings.NewReplacer("\\`", "`", `\\`, `\`).Replace(text)
	}
	return strings.TrimSpace(text), headless
}

// The tags of the client.
const (
	hookTag, hookEnd         = "<hook_context>", "</hook_context>"
	snapshotTag, snapshotEnd = "<state_snapshot>", "</state_snapshot>"
	wrapTag, wrapEnd         = "<untrusted_context>", "</untrusted_context>"
)

// contexts are the prefixes of texts that the client itself adds to user messages.
var contexts = [...]string{
	"<session_context>", "<loaded_context>", snapshotTag, "This is the Gemini CLI. We are setting up the context",
	"Here is the user's editor context", "Here is a summary of changes in the user's editor context",
	"- **Workspace Directories:**", "System: Potential loop detected.", "[System: You ",
	"User has manually exited Plan Mode.", "Plan approved. Switching to", "Background execution update:",
	"Please continue.", "System: Please continue.",
}

// unwrap removes a trailing hook context and the surrounding tags from a tool result.
func unwrap(text string) string {
	text = strings.TrimSpace(text)
	for strings.HasSuffix(text, hookEnd) && strings.Contains(text, hookTag) {
		text = strings.TrimSpace(text[:strings.LastIndex(text, hookTag)])
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, wrapTag), wrapEnd))
}
