package llm

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/gitmem/gitmem/gitmem/internal/modelapi"
)

// anthropic is a client of the Messages API: https://docs.claude.com/en/api/messages.
type anthropic struct {
	server *modelapi.Client
	model  string
}

// Anthropic returns a model behind the Messages API at an address, which ends before /v1.
func Anthropic(s modelapi.Server, model string) (Model, error) {
	s.KeyHeader, s.Header = "X-Api-Key", http.Header{"Anthropic-Version": {"2023-06-01"}}
	client, err := modelapi.NewClient(s)
	return &anthropic{client, model}, err
}

// anthropicBlock is a piece of a message.
type anthropicBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   string          `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
}

type anthropicMessage struct {
	Role    string           `json:"role"`
	Content []anthropicBlock `json:"content"`
}

type anthropicRequest struct {
	Model     string             `json:"model"`
	MaxTokens int                `json:"max_tokens"`
	System    string             `json:"system"`
	Messages  []anthropicMessage `json:"messages"`
	Tools     []Tool             `json:"tools,omitempty"`
}

type anthropicReply struct {
	Content    []anthropicBlock `json:"content"`
	StopReason string           `json:"stop_reason"`
	Usage      AnthropicUsage   `json:"usage"`
}

// AnthropicUsage contains the token counts of a reply, as in the Messages API and the claude program.
type AnthropicUsage struct {
	Input       int `json:"input_tokens"`
	CacheRead   int `json:"cache_read_input_tokens"`
	CacheCreate int `json:"cache_creation_input_tokens"`
	Output      int `json:"output_tokens"`
}

// Total returns the sum of all tokens.
func (u AnthropicUsage) Total() int {
	return tokens(u.Input) + tokens(u.CacheRead) + tokens(u.CacheCreate) + tokens(u.Output)
}

// Reply continues a conversation.
func (a *anthropic) Reply(ctx context.Context, r Request) (Reply, error) {
	body := anthropicRequest{Model: a.model, MaxTokens: r.MaxTokens, System: r.System, Tools: r.Tools}
	for _, m := range r.Messages {
		body.Messages = append(body.Messages, anthropicTurn(m))
	}
	return modelapi.Post(ctx, a.server, "Messages", "v1/messages", body, readAnthropic)
}

// anthropicTurn converts a message to the form of the API.
func anthropicTurn(m Message) anthropicMessage {
	if m.Reply != nil {
		out := anthropicMessage{Role: "assistant"}
		if m.Reply.Text != "" {
			out.Content = append(out.Content, anthropicBlock{Type: "text", Text: m.Reply.Text})
		}
		for _, c := range m.Reply.Calls {
			out.Content = append(out.Content, anthropicBlock{Type: "tool_use", ID: c.ID, Name: c.Name, Input: object(c.Args)})
		}
		return out
	}
	out := anthropicMessage{Role: "user"}
	for _, r := range m.Results {
		out.Content = append(out.Content, anthropicBlock{Type: "tool_result", ToolUseID: r.ID, Content: r.Text,
			IsError: r.Failed})
	}
	if m.Text != "" {
		out.Content = append(out.Content, anthropicBlock{Type: "text", Text: m.Text})
	}
	return out
}

func readAnthropic(reply anthropicReply) (Reply, error) {
	out := Reply{Truncated: reply.StopReason == "max_tokens", Tokens: reply.Usage.Total()}
	for _, b := range reply.Content {
		switch b.Type {
		case "text":
			out.Text += b.Text
		case "tool_use":
			out.Calls = append(out.Calls, Call{b.ID, b.Name, b.Input})
		}
	}
	return out, out.check()
}
