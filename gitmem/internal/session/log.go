package session

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// LogEntry is something that happened in a session beside its tool calls and turns.
type LogEntry struct {
	Session string
	Kind    string // one word, by which the line is known again, such as subagent
	Name    string // what it is about, such as the type of a subagent; "" for nothing
	Text    string // redacted, and cut to 500 characters on one line
	Typed   bool   // a model wrote it in words that the user had typed
	Key     string // tells entries apart that are alike otherwise, such as the id of a subagent
}

const entryRunes = 500

// Log appends an entry to the session's log, on one line, unless the same kind, key and text
// are there since yesterday, and reports whether it did. Two hooks at once may both write. One
// without text is not kept. The next [Sessions.EndTurn] commits it. The error is
// ErrNotCaptured as of [Sessions.Observe].
func (s *Sessions) Log(ctx context.Context, e LogEntry) (logged bool, err error) {
	text := s.logText(e.Text, entryRunes)
	if text == "" {
		return false, nil
	}
	about := strings.TrimSpace(messages.OneLine(s.ws.Clean(e.Name), 64) + " said: ")
	return s.logEntry(ctx, e.Session, func(now time.Time) (entry, key string) {
		key = transcript.TextHash(e.Kind + e.Key + e.Text)
		typed := ""
		if e.Typed {
			typed = cite.Typed
		}
		return cite.ObservationLine(now, e.Kind+" · "+about+" "+text+" · "+typed+key, ""), key
	})
}

// Leave appends what a session tells of itself to its log, and commits it: an entry of the
// kind cite.EntryContext or cite.EntrySummary. The error is ErrNotCaptured as of
// [Sessions.Observe].
func (s *Sessions) Leave(ctx context.Context, session, kind, text string) error {
	switch n := utf8.RuneCountInString(text); {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("%w: the text is empty", messages.ErrUsage)
	case n > entryRunes:
		return fmt.Errorf("%w: the text has %d characters, more than %d", messages.ErrUsage, n, entryRunes)
	}
	mine := s.src.WrittenBy(session, text) == ""
	if _, err := s.Log(ctx, LogEntry{Session: session, Kind: kind, Text: text, Typed: mine}); err != nil {
		return err
	}
	_, err := s.Stop(ctx, session)
	return err
}

// logEntry appends one entry to today's log of a session, unless its key is there.
func (s *Sessions) logEntry(ctx context.Context, session string,
	line func(now time.Time) (entry, key string)) (logged bool, err error) {
	if err := CheckID(session); err != nil {
		return false, err
	}
	p, err := s.Capturing(ctx)
	if err != nil {
		return false, err
	}
	unlock, _ := s.lockTurns(session) // a busy lock costs at most the same entry twice
	if unlock != nil {
		defer unlock()
	}
	now := s.ws.Options.Now().UTC()
	w := &turnWriter{s: s, p: p, session: session, logs: map[string]*turnLog{}}
	log := w.log(now)
	entry, key := line(now)
	if log.marks[key] {
		return false, nil
	}
	log.text.WriteString(entry)
	_, err = w.append()
	return err == nil, err
}
