package mcp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gitmem/gitmem/gitmem"
)

// caller identifies who makes a call, as far as the client reports it.
type caller struct {
	session string // id of the session, "" if the client does not name it
	agent   string // the client's agent, "" for a client that names the session, or an unknown agent
}

// callerKey is the key of the caller in the context of a call.
type callerKey struct{}

func callerOf(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}

// withCaller adds the caller to the context of a tool call. Codex names the session with each call. OpenCode,
// Crush, Gemini CLI, Qwen Code and pi do not, neither there nor in the environment of a server; the name of
// such a client begins with the agent's: gemini-cli-mcp-client.
func withCaller(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		if c, ok := r.(*sdk.CallToolRequest); ok {
			ctx = context.WithValue(ctx, callerKey{}, callerIn(c))
		}
		return next(ctx, method, r)
	}
}

func callerIn(r *sdk.CallToolRequest) (c caller) {
	turn, _ := r.Params.GetMeta()["x-codex-turn-metadata"].(map[string]any)
	if id, _ := turn["session_id"].(string); id != "" {
		c.session = "codex-" + id
	}
	if client := r.ClientInfo(); client != nil {
		name, _, _ := strings.Cut(client.Name, "-")
		if slices.Contains([]string{"opencode", "crush", "gemini", "qwen", "pi"}, name) {
			c.agent = name
		}
	}
	return c
}

// session returns the session that a call is from, or several, separated by commas; "" if unknown.
func (s *server) session(ctx context.Context, m *gitmem.Memory) string {
	c := callerOf(ctx)
	id := cmp.Or(c.session, s.env.Session)
	if id == "" && c.agent != "" {
		id = m.Sessions().Asking(c.agent, s.env.Started)
	}
	return id
}
