package llm

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/modelapi"
)

// openai is a client of the chat API: https://platform.openai.com/docs/api-reference/chat. Servers for other models
// offer it too.
type openai struct {
	server *modelapi.Client
	model  string
}

// OpenAI returns a model behind the chat API at an address, which ends before /chat/completions.
func OpenAI(s modelapi.Server, model string) (Model, error) {
	client, err := modelapi.NewClient(s)
	return &openai{client, model}, err
}

type openaiCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"` // JSON
	} `json:"function"`
}

type openaiMessage struct {
	Role       string       `json:"role"`
	Content    string       `json:"content"`
	ToolCalls  []openaiCall `json:"tool_calls,omitempty"`
	ToolCallID string       `json:"tool_call_id,omitempty"`
}

type openaiTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

type openaiRequest struct {
	Model     string `json:"model"`
	MaxTokens int    `json:"max_tokens,omitempty"`
	// MaxCompletion replaces MaxTokens for OpenAI's own models.
	MaxCompletion int             `json:"max_completion_tokens,omitempty"`
	Messages      []openaiMessage `json:"messages"`
	Tools         []openaiTool    `json:"tools,omitempty"`
}

type openaiReply struct {
	Choices []struct {
		Message      openaiMessage `json:"message"`
		FinishReason string        `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	} `json:"usage"`
}

// Reply continues a conversation.
func (o *openai) Reply(ctx context.Context, r Request) (Reply, error) {
	body := openaiRequest{Model: o.model, MaxTokens: r.MaxTokens,
		Messages: []openaiMessage{{Role: "system", Content: r.System}}}
	if strings.HasPrefix(o.server.Base(), "https://api.openai.com/") {
		body.MaxTokens, body.MaxCompletion = 0, r.MaxTokens
	}
	for _, t := range r.Tools {
		tool := openaiTool{Type: "function"}
		tool.Function.Name, tool.Function.Description, tool.Function.Parameters = t.Name, t.Description, t.Schema
		body.Tools = append(body.Tools, tool)
	}
	for _, m := range r.Messages {
		body.Messages = append(body.Messages, openaiTurns(m)...)
	}
	return modelapi.Post(ctx, o.server, "chat", "chat/completions", body, readOpenAI)
}

// openaiTurns converts a message to the form of the API, which has one message for each result.
func openaiTurns(m Message) (out []openaiMessage) {
	if m.Reply != nil {
		said := openaiMessage{Role: "assistant", Content: m.Reply.Text}
		for _, c := range m.Reply.Calls {
			call := openaiCall{ID: c.ID, Type: "function"}
			call.Function.Name, call.Function.Arguments = c.Name, string(object(c.Args))
			said.ToolCalls = append(said.ToolCalls, call)
		}
		return []openaiMessage{said}
	}
	for _, r := range m.Results {
		text := r.Text
		if r.Failed {
			text = "error: " + text
		}
		out = append(out, openaiMessage{Role: "tool", ToolCallID: r.ID, Content: text})
	}
	if m.Text != "" {
		out = append(out, openaiMessage{Role: "user", Content: m.Text})
	}
	return out
}

func readOpenAI(reply openaiReply) (Reply, error) {
	out := Reply{Tokens: tokens(reply.Usage.Prompt) + tokens(reply.Usage.Completion)}
	for _, said := range reply.Choices[:min(len(reply.Choices), 1)] {
		out.Text, out.Truncated = said.Message.Content, said.FinishReason == "length"
		for _, c := range said.Message.ToolCalls {
			out.Calls = append(out.Calls, Call{c.ID, c.Function.Name, json.RawMessage(c.Function.Arguments)})
		}
	}
	return out, out.check()
}
