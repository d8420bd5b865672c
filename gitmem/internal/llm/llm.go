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

// Tool is what a model may call.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"input_schema"` // JSON schema of its arguments, an object
}

// Request is a conversation that the model continues: its messages alternate between what
// it is told and what it said.
type Request struct {
	System    string
	Messages  []Message
	Tools     []Tool
	MaxTokens int // of the reply
}

// Message is one turn: Results and Text are what the model is told, Reply what it said.
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

// Result is what a call gave.
type Result struct {
	ID     string // of the call
	Text   string
	Failed bool
}

// Reply is what a model said.
type Reply struct {
	Text  string
	Calls []Call
	// Truncated says that the reply ended at MaxTokens.
	Truncated bool
	Tokens    int // that it took, whichever way they went
}

// tokens is a count that a server reports, as far as it can be true: none is less than 0, and no sum of a day
// overflows.
func tokens(reported int) int { return min(max(reported, 0), mostTokens) }

const mostTokens = 1 << 28

// check is an error where a model said nothing.
func (r Reply) check() error {
	if r.Text == "" && len(r.Calls) == 0 {
		return errors.New("the reply is empty")
	}
	return nil
}

// object is JSON for the arguments of a call, {} for what is none.
func object(raw json.RawMessage) json.RawMessage {
	if !json.Valid(raw) {
		return json.RawMessage("{}")
	}
	return raw
}
