package session

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// turnsMark is the position up to which a session's transcript was logged. It is a cache: without it the transcript's
// end is read again, and the log shows its own content.
type turnsMark struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
	Line   int    `json:"line"`
	// From is the start of the last prompt before that, as context for what follows.
	From       transcript.Position `json:"from"`
	Prompt     string              `json:"prompt"` // mark of the last prompt
	Hidden     bool                `json:"hidden"` // the last message must not be captured
	LastOffset int64               `json:"last_offset"`
	LastLength int64               `json:"last_length"`
	LastUUID   string              `json:"last_uuid"` // of the last record, to detect a rewritten transcript
	// TakenBack are the ranges of lines taken back according to the log.
	TakenBack transcript.Lines `json:"taken_back,omitempty"`
	// Uncounted: Line is not counted from the transcript's beginning.
	Uncounted bool `json:"uncounted,omitempty"`
}

func (s *Sessions) turnsFile(session, ext string) string {
	return filepath.Join(s.ws.IndexDir(), "turns", s.ws.SessionName(session)+ext)
}

// lockTurns lets one process at a time log a session. If no lock can be created, the work is done without it.
func (s *Sessions) lockTurns(session string) (unlock func(), free bool) {
	name := s.turnsFile(session, ".lock")
	unlock, free, err := osfile.Lock(name)
	if err != nil {
		return func() {}, true
	}
	return unlock, free
}

// maxUnknown is the size of the part that is read of a transcript that was never logged, or whose mark is lost: a
// client waits for it. The whole transcript is archived later.
const maxUnknown = 1 << 20

// maxCounted is the maximum size of a transcript whose lines are counted for that. Lines of a larger one are logged
// without numbers.
const maxCounted = 64 << 20

// turnsAt returns the position at which to continue in a session's transcript.
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

// holds reports whether a mark fits the present transcript.
func (at turnsMark) holds(f *transcript.Handle) bool {
	if at.Offset < 0 || at.Line < 0 || at.Offset > f.Size() || at.LastUUID == "" {
		return false
	}
	msg, err := transcript.At(f, at.LastOffset, at.LastLength)
	return err == nil && msg.UUID == at.LastUUID
}

// markTurns stores the position up to which a transcript was logged. A failure only costs the next call time.
func (s *Sessions) markTurns(session string, at turnsMark) {
	b, err := json.Marshal(at)
	if err != nil {
		return
	}
	_ = os.WriteFile(s.turnsFile(session, ".json"), b, 0o600) // a broken file counts as none
}
