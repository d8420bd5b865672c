package cite

import (
	"cmp"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// PromptSession is the session part of the citation id of a prompt in the client's
// history: older clients noted none.
func PromptSession(m transcript.Message) string { return cmp.Or(m.Session, "history") }

// HistoryFile is the client's prompt history in its folder.
func HistoryFile(configRoot string) string { return filepath.Join(configRoot, "history.jsonl") }
