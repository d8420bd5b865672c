// Package mcp calls the tools of Model Context Protocol servers. It knows the protocol, through the official
// SDK, and the server processes; it must not know its callers or the purpose of the tools.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Server is a command that speaks the protocol on its standard input and output, or an address that speaks it
// over HTTP.
type Server struct {
	URL     string // "" for a command
	Command *exec.Cmd
}

// endsWithin is how long a server may take to exit after its input was closed. It is short because somebody
// waits for the answer.
const endsWithin = time.Second

// Tool is a tool of a server.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage // JSON schema of its arguments
}

// Client is a connection to a server.
type Client struct {
	Tools   []Tool
	session *sdk.ClientSession
}

// Start starts a server and lists its tools. The connection ends with the context, or with [Client.Close],
// which also ends the command.
func Start(ctx context.Context, s Server) (*Client, error) {
	var transport sdk.Transport = &sdk.StreamableClientTransport{Endpoint: s.URL, MaxRetries: -1}
	if s.URL == "" {
		transport = &sdk.CommandTransport{Command: s.Command, TerminateDuration: endsWithin}
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "gitmem", Version: "1"}, nil)
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return nil, fmt.Errorf("the server of tools did not start: %w", err)
	}
	c := &Client{session: session}
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return nil, errors.Join(fmt.Errorf("the server of tools does not list them: %w", err), session.Close())
		}
		schema, err := json.Marshal(tool.InputSchema)
		if err != nil {
			return nil, errors.Join(err, session.Close())
		}
		c.Tools = append(c.Tools, Tool{tool.Name, tool.Description, schema})
	}
	return c, nil
}

// Call calls a tool and returns the text of its result. failed is set if the tool reported a failure; err is
// set if there was no result.
func (c *Client) Call(ctx context.Context, name string, args json.RawMessage) (text string, failed bool, err error) {
	res, err := c.session.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		return "", false, err
	}
	for _, content := range res.Content {
		switch part := content.(type) {
		case *sdk.TextContent:
			text += part.Text
		case *sdk.EmbeddedResource:
			text += part.Resource.Text
		}
	}
	if text == "" && res.StructuredContent != nil {
		b, err := json.Marshal(res.StructuredContent)
		return string(b), res.IsError, err
	}
	return text, res.IsError, nil
}

// Close ends the connection and the server.
func (c *Client) Close() error { return c.session.Close() }
