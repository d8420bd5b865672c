package gitmem

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// Compacted appends the client's summary of a session that it compacted to the
// session's log, as one observation whose text follows in quoted lines; the next
// [Memory.EndTurn] commits it. The same summary is kept once. trigger is the client's
// word, manual or auto. The error is ErrNotCaptured as of [Memory.Observe].
func (m *Memory) Compacted(ctx context.Context, session, trigger, summary string) (Stopped, error) {
	text := m.quoted(summary)
	if text == "" {
		return Stopped{}, nil
	}
	return m.logEntry(ctx, session, func(now time.Time, n int) (entry, key string) {
		key = lineMark("summary" + summary)
		return fmt.Sprintf("- %s summary · said: compacted (%s) · %s ^o-%d\n%s", now.Format(time.TimeOnly), oneLine(m.clean(trigger), 16), key, n, text), key
	})
}

// quoted is a text in lines that neither begin anything nor carry an id of their own.
func (m *Memory) quoted(text string) string {
	if len(text) > rawBytes {
		text = m.clean(text[:rawBytes])
		text = text[:max(0, len(text)-keyBytes)]
	} else {
		text = m.clean(text)
	}
	var b strings.Builder
	for line := range strings.Lines(clip(plain(text), summaryRunes)) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString("  > " + strings.ReplaceAll(line, " ^o-", " o-") + "\n")
		}
	}
	return b.String()
}

const subagentRunes = 500

// Subagent appends what a subagent of a kind answered to the session's log, on one
// line. The error is ErrNotCaptured as of [Memory.Observe].
func (m *Memory) Subagent(ctx context.Context, session, agent, kind, answer string) (Stopped, error) {
	said := m.said(answer, subagentRunes)
	if said == "" {
		return Stopped{}, nil
	}
	return m.logEntry(ctx, session, func(now time.Time, n int) (entry, key string) {
		key = lineMark("subagent" + agent + answer)
		return fmt.Sprintf("- %s subagent · %s said: %s · %s ^o-%d\n", now.Format(time.TimeOnly), oneLine(m.clean(kind), 64), said, key, n), key
	})
}

// logEntry appends one entry to today's log of a session, unless its key is there.
func (m *Memory) logEntry(ctx context.Context, session string, make func(now time.Time, n int) (entry, key string)) (Stopped, error) {
	var out Stopped
	if !transcript.ValidSessionID(session) {
		return out, fmt.Errorf("%w: session id %q", ErrUsage, clip(session, 40))
	}
	if err := m.mayCapture(ctx); err != nil {
		return out, err
	}
	if _, err := m.appendable(); err != nil {
		return out, err
	}
	p, err := m.here(ctx)
	if err != nil {
		return out, err
	}
	unlock, _ := m.lockTurns(session) // a busy lock costs a number twice, which readers count
	if unlock != nil {
		defer unlock()
	}
	now := m.o.Now().UTC()
	w := &turnWriter{m: m, p: p, session: session, logs: map[string]*turnLog{}}
	log := w.log(now)
	entry, key := make(now, log.count+1)
	if strings.Contains(log.known, " "+key+" ^o-") {
		return out, nil
	}
	log.text.WriteString(entry)
	if _, err := w.append(); err != nil {
		return out, err
	}
	out.Lines = 1
	return out, nil
}
