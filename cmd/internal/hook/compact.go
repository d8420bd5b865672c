package hook

import (
	"context"
	"fmt"

	"github.com/gitmem/gitmem/gitmem"
)

// onCompact stores the client's summary of the conversation.
func onCompact(ctx context.Context, c *call) (reply, error) {
	logged, err := c.memory.Sessions().Compacted(ctx, c.SessionID, c.TranscriptPath, c.Trigger, c.CompactSummary)
	if err != nil || !logged {
		return reply{}, err
	}
	commit, err := c.memory.Sessions().Stop(ctx, c.SessionID)
	return reply{detail: fmt.Sprintf("kept the summary; %s", commit)}, err
}

// onSubagentStop logs the answer of a subagent. The client's internal agents have no type and are left out.
func onSubagentStop(ctx context.Context, c *call) (reply, error) {
	if c.AgentType == "" {
		return reply{}, nil
	}
	logged, err := c.memory.Sessions().Log(ctx, gitmem.LogEntry{Session: c.SessionID, Kind: "subagent", Name: c.AgentType,
		Text: c.LastMessage, Key: c.AgentID})
	if err != nil || !logged {
		return reply{}, err
	}
	return reply{detail: "logged the answer of " + c.AgentType}, nil
}
