package gitmem

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// lineTraces bounds how much of the traces a status line reads.
const lineTraces = 8 << 20

// StatusLine is what the client shows of gitmem below its prompt, in one line: what
// this session was told, and whether its tool calls are captured. It reads little and
// opens no index. Of a session that began megabytes of traces ago it counts the rest
// and says so.
func (s *Sessions) StatusLine(ctx context.Context, session string) string {
	line := "gitmem: nothing told yet"
	if transcript.ValidSessionID(session) {
		t, whole := s.m.recentCost(session)
		more := ""
		if !whole {
			more = "+"
		}
		if t.chars > 0 {
			line = fmt.Sprintf("gitmem: told %s%s · %s%s chars", plural(t.injections, "time"), more, brief(t.chars), more)
		}
	}
	c, err := s.m.Capture(ctx)
	switch {
	case err != nil:
		return line + " · capture unknown"
	case c.State == CaptureOn:
		return line
	case c.State == CaptureUnreadable:
		return line + " · config unreadable, nothing captured"
	}
	return line + " · " + c.State
}

// recentCost sums a session's records of the newest traces; whole is false where
// there are more traces than were read.
func (m *Memory) recentCost(session string) (sum told, whole bool) {
	left := int64(lineTraces)
	for _, name := range slices.Backward(traceFiles(m.dirsOfTraces(nil), "", "")) {
		info, err := os.Stat(name)
		if err != nil {
			continue // deleted meanwhile
		}
		if left -= info.Size(); left < 0 {
			return sum, false
		}
		_, _ = eachTrace(name, ofSession(session), func(r traceRecord) { // a line for people to glance at
			if r.Session == session && r.Chars > 0 {
				sum.add(told{1, r.Chars})
			}
		})
	}
	return sum, true
}

// brief writes a number briefly.
func brief(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%.1fk", float64(n)/1000)
}
