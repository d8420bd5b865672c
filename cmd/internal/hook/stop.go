package hook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem"
)

// onStop logs the messages of a turn and commits the new text: at the end of the turn, and before the client
// compacts the conversation. The indexes are refreshed meanwhile, so that the next prompt finds what the turn
// added to memory.
func onStop(ctx context.Context, c *call) (reply, error) {
	if c.agent == copilot && c.Event == "Stop" {
		c.awaitAnswer(ctx)
	}
	did, err := c.memory.Sessions().EndTurn(ctx, gitmem.Turn{Session: c.SessionID, Transcript: c.TranscriptPath,
		Answer: c.LastMessage})
	detail := did.Commit
	if did.Lines > 0 {
		detail = fmt.Sprintf("logged %d; %s", did.Lines, cmp.Or(did.Commit, "not committed"))
	}
	if len(did.Learnt) > 0 {
		detail += "; profile: " + strings.Join(did.Learnt, ", ")
	}
	if !errors.Is(err, gitmem.ErrNotCaptured) {
		err = errors.Join(err, c.index())
	}
	if c.agent != "" && err == nil {
		err = c.secure()
	}
	detail, err = keep(ctx, c.memory, c.Payload, detail, err)
	return reply{detail: detail, message: learnt(did.Learnt)}, err
}

// learnt returns a message about what was recorded of the user, who can undo it at once; "" for nothing, and
// for repeated mentions.
func learnt(done []string) string {
	done = slices.DeleteFunc(slices.Clone(done), func(what string) bool { return strings.HasPrefix(what, "mention ") })
	if len(done) == 0 {
		return ""
	}
	return "gitmem: profile: " + strings.Join(done, ", ") + "; gitmem profile rm takes one back"
}

// keep copies the session's transcript if the user wants that, in addition to the work of the hook. It also
// runs if capturing is off, because existing copies may have to be deleted.
func keep(ctx context.Context, m *gitmem.Memory, p Payload, detail string, err error) (string, error) {
	did, keepErr := m.Sessions().KeepTranscript(ctx, p.SessionID, p.TranscriptPath)
	switch {
	case keepErr != nil:
		err = errors.Join(err, fmt.Errorf("keep the transcript: %w", keepErr))
	case did != "" && errors.Is(err, gitmem.ErrNotCaptured):
		err = fmt.Errorf("%w; transcript %s", err, did)
	case did != "":
		detail = strings.Trim(detail+"; "+did, "; ")
	}
	return detail, err
}
