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

// LogEntry is an event in a session other than its tool calls and turns.
type LogEntry struct {
	Session string
	Kind    string // one word that identifies the type of line, such as subagent
	Name    string // subject, such as the type of a subagent; "" for none
	Text    string // redacted, and cut to 500 characters on one line
	Typed   bool   // a model wrote it in the user's words
	Key     string // distinguishes otherwise equal entries, such as the id of a subagent
}

const entryRunes = 500

// Log appends an entry to the session's log, on one line, unless today's or yesterday's log contains the same kind, key
// and text, and reports whether it did. Two concurrent hooks may both write. Entries without text are ignored. The next
// [Sessions.EndTurn] commits it. The error is ErrNotCaptured as in [Sessions.Observe].
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

// Leave appends an entry that a session writes about itself to its log, and commits it: of the kind cite.EntryContext
// or cite.EntrySummary. The error is ErrNotCaptured as in [Sessions.Observe].
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

// logEntry appends one entry to today's log of a session, unless the log contains its key.
func (s *Sessions) logEntry(ctx context.Context, session string,
	line func(now time.Time) (entry, key string)) (logged bool, err error) {
	if err := CheckID(session); err != nil {
		return false, err
	}
	p, err := s.Capturing(ctx)
	if err != nil {
		return false, err
	}
	unlock, _ := s.lockTurns(session) // a busy lock causes at most a duplicate entry
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
