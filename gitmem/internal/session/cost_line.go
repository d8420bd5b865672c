package session

import (
	"context"
	"fmt"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/traces"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// lineTraces is the maximum size of traces that a status line reads.
const lineTraces = 8 << 20

// StatusLine returns the line that the client shows below its prompt: what was added to this session, and whether its
// tool calls are captured. It reads little and opens no index. For a session that began megabytes of traces ago it
// counts only the recent part and notes that.
func (s *Sessions) StatusLine(ctx context.Context, session string) string {
	line := "gitmem: nothing told yet"
	if transcript.ValidSessionID(session) {
		t, whole, _ := traces.InjectedInto(s.ws.DirsOfTraces(), session, lineTraces) // unreadable traces are ignored
		more := ""
		if !whole {
			more = "+"
		}
		if t.Chars > 0 {
			line = fmt.Sprintf("gitmem: told %s%s · %s%s chars", messages.Plural(t.Injections, "time"), more,
				messages.Brief(t.Chars), more)
		}
	}
	c, err := s.ws.Capture(ctx)
	switch {
	case err != nil:
		return line + " · capture unknown"
	case c.State == workspace.CaptureOn:
		return line
	case c.State == workspace.CaptureUnreadable:
		return line + " · config unreadable, nothing captured"
	}
	return line + " · " + c.State
}
