package hook

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxContext is the longest text that the client passes to the model unchanged, in characters: for a longer
// one the model gets a preview and the path of a file. Codex CLI counts bytes.
const maxContext = 10_000

// reply is what a hook did and what it answers the client.
type reply struct {
	detail  string // for the trace, "" if the hook did nothing
	reason  string // why it did nothing, for the trace
	context string // for the model, at most maxContext characters
	message string // for the person, shown once
	agent   string // the receiving agent, "" for Claude Code
}

// output is a reply in the client's format.
type output struct {
	SystemMessage string         `json:"systemMessage,omitempty"`
	Context       string         `json:"additionalContext,omitempty"` // Copilot CLI
	Specific      *hookSpecifics `json:"hookSpecificOutput,omitempty"`
}

type hookSpecifics struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// chars returns the length of the text for the model, in characters.
func (r reply) chars() int { return utf8.RuneCountInString(r.context) }

// write sends the reply to the client. An empty reply writes nothing.
func (r reply) write(w io.Writer, event string) error {
	if r.context == "" && r.message == "" {
		return nil
	}
	n, unit := r.chars(), "characters"
	switch r.agent {
	case codex:
		n, unit = len(r.context), "bytes"
	case gemini:
		r.context = strings.NewReplacer("<", "‹", ">", "›").Replace(r.context) // otherwise the model would get &lt;
	}
	if n > maxContext {
		return fmt.Errorf("%d %s for the model are more than the %d that reach it", n, unit, maxContext)
	}
	out := output{SystemMessage: r.message}
	switch {
	case r.agent == copilot:
		out.Context = r.context
	case r.context != "":
		out.Specific = &hookSpecifics{Event: event, Context: r.context}
	}
	b, err := json.Marshal(out)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
