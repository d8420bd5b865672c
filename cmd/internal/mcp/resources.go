package mcp

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gitmem/gitmem/gitmem"
)

// scheme begins the URI of a citation.
const scheme = "memory://"

// addResources serves each source by its citation id.
func (s *server) addResources() {
	s.mcp.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "citation", Title: "Source behind a citation", URITemplate: scheme + "{+citation}", MIMEType: "text/plain",
		Description: "A commit, pull request, note, rule or turn of a session by its citation id",
	}, func(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		id := strings.TrimPrefix(r.Params.URI, scheme)
		if plain, err := url.PathUnescape(id); err == nil {
			id = plain
		}
		text, err := s.call(ctx, nil, func(m *gitmem.Memory) (string, error) {
			src, err := m.Shown(ctx, id, gitmem.ShowOptions{Files: true, Later: true, FollowUps: true})
			return sourceText(src, sourceRunes, 1), err
		})
		switch {
		case errors.Is(err, gitmem.ErrNotFound), errors.Is(err, gitmem.ErrUsage):
			return nil, sdk.ResourceNotFoundError(r.Params.URI)
		case err != nil:
			return nil, s.failed(err)
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, MIMEType: "text/plain",
			Text: text}}}, nil
	})
}

// failed converts the error of a request that is not a tool call.
func (s *server) failed(err error) error {
	code := int64(jsonrpc.CodeInternalError)
	if errors.Is(err, gitmem.ErrUsage) {
		code = jsonrpc.CodeInvalidParams
	}
	return &jsonrpc.Error{Code: code, Message: s.env.Clean(s.env.Failure(err))}
}

// addPrompts adds prompts, which a user calls by name as a command of the client.
func (s *server) addPrompts() {
	prompt := func(p *sdk.Prompt, tool string, do func(context.Context, *gitmem.Memory, string) (string, error)) {
		s.mcp.AddPrompt(p, func(ctx context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			text, err := s.call(ctx, nil, func(m *gitmem.Memory) (string, error) {
				return do(ctx, m, r.Params.Arguments["query"])
			})
			if err != nil {
				return nil, s.failed(err)
			}
			text += "\nThis is what memory holds. " + tool
			return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}}},
				nil
		})
	}
	prompt(&sdk.Prompt{Name: "remember", Title: "What is remembered", Description: "What memory holds about a subject",
		Arguments: []*sdk.PromptArgument{{Name: "query", Description: "subject or question", Required: true}}},
		"Summarise it for me with its citation ids, and search on with memory_search if it does not suffice.",
		func(ctx context.Context, m *gitmem.Memory, query string) (string, error) {
			return s.ask(ctx, m, askInput{Question: query}, func(string) {})
		})
	prompt(&sdk.Prompt{Name: "continue", Title: "Where we left off",
		Description: "What the last session did and left open"},
		"Tell me in a few sentences where we stopped and what is open, and propose the next step.",
		func(ctx context.Context, m *gitmem.Memory, _ string) (string, error) {
			return s.personal(ctx, m, personalInput{Query: "continue"})
		})
}
