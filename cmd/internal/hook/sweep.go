package hook

import (
	"context"
	"fmt"
)

// onSweep archives sessions that ended without saying so, and synchronises memory if the
// configuration says so. The start of a session leaves this to the background.
func onSweep(ctx context.Context, c *call) (reply, error) {
	did, err := c.memory.Sessions().Recover(ctx, c.SessionID)
	var answer reply
	if did.Archived > 0 {
		answer.detail = fmt.Sprintf("archived %d sessions that did not end; %s", did.Archived, did.Commit+did.Note)
	}
	return c.synchronise(ctx, answer, err)
}
