package session

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// turnsMark is how far a session's transcript was logged. It is a cache: without it
// the transcript's end is read again, and the log itself says what it holds.
type turnsMark struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
	Line   int    `json:"line"`
	// From is where the last prompt before that begins, by which what is said next is understood.
	From       transcript.Position `json:"from"`
	Prompt     string              `json:"prompt"` // mark of the last prompt
	Hidden     bool                `json:"hidden"` // what was said last may not be captured
	LastOffset int64               `json:"last_offset"`
	LastLength int64               `json:"last_length"`
	LastUUID   string              `json:"last_uuid"` // of the record there, by which a rewritten transcript is known
	// TakenBack are the ranges of lines that were taken back, as far as the log says so.
	TakenBack transcript.Lines `json:"taken_back,omitempty"`
	// Uncounted: Line is counted from somewhere behind the transcript's beginning.
	Uncounted bool `json:"uncounted,omitempty"`
}

func (s *Sessions) turnsFile(session, ext string) string {
	return filepath.Join(s.ws.IndexDir(), "turns", s.ws.SessionName(session)+ext)
}

// lockTurns lets one process at a time log a session. Where no lock can be made the
// work is done without.
func (s *Sessions) lockTurns(session string) (unlock func(), free bool) {
	name := s.turnsFile(session, ".lock")
	unlock, free, err := osfile.Lock(name)
	if err != nil {
		return func() {}, true
	}
	return unlock, free
}

// maxUnknown is how much of a transcript is read that was never logged, or whose
// mark is lost: a client waits for it. The whole of it is archived later.
const maxUnknown = 1 << 20

// maxCounted is how large a transcript may be whose lines are counted for that. Those
// of a larger one are logged without their numbers.
const maxCounted = 64 << 20

// turnsAt is where to go on in a session's transcript.
func (s *Sessions) turnsAt(session, file string, f *transcript.Handle) turnsMark {
	var at turnsMark
	if b, err := os.ReadFile(s.turnsFile(session, ".json")); err == nil && json.Unmarshal(b, &at) == nil &&
		at.File == file && at.holds(f) {
		if at.Offset-at.From.Offset > maxUnknown/4 {
			at.From = transcript.Position{Offset: at.Offset, Line: at.Line}
		}
		return at
	}
	from, counted := transcript.Tail(f, transcript.Position{}, f.Size(), maxUnknown, maxCounted)
	return turnsMark{Offset: from.Offset, Line: from.Line, From: from, Uncounted: !counted}
}

// holds reports whether a mark is one of this transcript as it is now.
func (at turnsMark) holds(f *transcript.Handle) bool {
	if at.Offset < 0 || at.Line < 0 || at.Offset > f.Size() || at.LastUUID == "" {
		return false
	}
	msg, err := transcript.At(f, at.LastOffset, at.LastLength)
	return err == nil && msg.UUID == at.LastUUID
}

// markTurns remembers how far a transcript was logged. Failing costs the next call
// time and nothing else.
func (s *Sessions) markTurns(session string, at turnsMark) {
	b, err := json.Marshal(at)
	if err != nil {
		return
	}
	_ = os.WriteFile(s.turnsFile(session, ".json"), b, 0o600) // a broken one is read as none
}
