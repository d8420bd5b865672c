package hook

import (
	"context"
	"fmt"
)

// onCompact keeps the summary that the client made of the conversation.
func onCompact(ctx context.Context, c *call) (reply, error) {
	did, err := c.memory.Sessions().Compacted(ctx, c.SessionID, c.TranscriptPath, c.Trigger, c.CompactSummary)
	if err != nil || did.Lines == 0 {
		return reply{}, err
	}
	commit, err := c.memory.Sessions().Stop(ctx, c.SessionID)
	return reply{detail: fmt.Sprintf("kept the summary; %s", commit)}, err
}

// onSubagentStop logs what a subagent answered. The client has agents of its own,
// which have no type and are nobody's concern.
func onSubagentStop(ctx context.Context, c *call) (reply, error) {
	if c.AgentType == "" {
		return reply{}, nil
	}
	did, err := c.memory.Sessions().Subagent(ctx, c.SessionID, c.AgentID, c.AgentType, c.LastMessage)
	if err != nil || did.Lines == 0 {
		return reply{}, err
	}
	return reply{detail: "logged the answer of " + c.AgentType}, nil
}
