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

// onStop logs what was said in a turn and commits what it appended: at the end of
// the turn, and before the client compacts the conversation. The next prompt finds
// what the turn left in memory, since the indexes are brought up to date meanwhile.
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

// learnt tells the person what was noted of them, who can take it back at once; "" for
// nothing, and where something was only said again.
func learnt(done []string) string {
	done = slices.DeleteFunc(slices.Clone(done), func(what string) bool { return strings.HasPrefix(what, "mention ") })
	if len(done) == 0 {
		return ""
	}
	return "gitmem: profile: " + strings.Join(done, ", ") + "; gitmem profile rm takes one back"
}

// keep keeps the session's transcript where the user wants that, beside what the
// hook did: also where nothing is captured now, since what was kept may have to go.
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
