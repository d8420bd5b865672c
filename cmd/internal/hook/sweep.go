package hook

import (
	"context"
	"fmt"
)

// onSweep archives sessions that ended without a hook, and synchronises memory if this is configured. A
// session start runs it in the background.
func onSweep(ctx context.Context, c *call) (reply, error) {
	did, err := c.memory.Sessions().Recover(ctx, c.SessionID)
	var answer reply
	if did.Archived > 0 {
		answer.detail = fmt.Sprintf("archived %d sessions that did not end; %s", did.Archived, did.Commit+did.Note)
	}
	return c.synchronise(ctx, answer, err)
}
