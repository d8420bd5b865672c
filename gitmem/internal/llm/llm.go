// Package llm calls language models that use tools, through the Messages API of Anthropic or the
// chat API of OpenAI and compatible servers. It knows their wire formats; it must not know what is
// asked or what the tools do.
package llm

import (
	"context"
	"encoding/json"
	"errors"
)

// Model is a language model.
type Model interface {
	// Reply continues a conversation.
	Reply(ctx context.Context, r Request) (Reply, error)
}

// Tool is a tool that a model may call.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"input_schema"` // JSON schema of its arguments, an object
}

// Request is a conversation for the model to continue: its messages alternate between input and replies.
type Request struct {
	System    string
	Messages  []Message
	Tools     []Tool
	MaxTokens int // of the reply
}

// Message is one turn: Results and Text are input to the model, Reply is its output.
type Message struct {
	Text    string
	Results []Result
	Reply   *Reply
}

// Call is the call of a tool by a model.
type Call struct {
	ID   string
	Name string
	Args json.RawMessage
}

// Result is the result of a call.
type Result struct {
	ID     string // of the call
	Text   string
	Failed bool
}

// Reply is the output of a model.
type Reply struct {
	Text  string
	Calls []Call
	// Truncated means that the reply ended at MaxTokens.
	Truncated bool
	Tokens    int // all tokens, of input and output
}

// tokens limits a count reported by a server to a plausible range, so that it is not negative and the sum of a day
// can't overflow.
func tokens(reported int) int { return min(max(reported, 0), mostTokens) }

const mostTokens = 1 << 28

// check returns an error for an empty reply.
func (r Reply) check() error {
	if r.Text == "" && len(r.Calls) == 0 {
		return errors.New("the reply is empty")
	}
	return nil
}

// object returns the arguments of a call as JSON, {} if they are invalid.
func object(raw json.RawMessage) json.RawMessage {
	if !json.Valid(raw) {
		return json.RawMessage("{}")
	}
	return raw
}
