package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"os"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// MarkOf is a short hash of the id of the last message that was archived.
func MarkOf(uuid string) string {
	sum := sha256.Sum256([]byte(uuid))
	return hex.EncodeToString(sum[:2])
}

// StillThrough is the line through which a transcript is archived: that of the
// message with the mark, wherever it stands now. A transcript without it was written
// anew, and is archived from its beginning.
func StillThrough(file string, before Session) int {
	if before.Through == 0 || before.Mark == "" {
		return before.Through
	}
	f, err := os.Open(file)
	if err != nil {
		return before.Through
	}
	defer f.Close()
	if msg, err := transcript.Line(f, before.Through); err == nil && MarkOf(msg.UUID) == before.Mark {
		return before.Through
	}
	if _, err := f.Seek(0, 0); err != nil {
		return before.Through
	}
	at, blank := 0, MarkOf("") == before.Mark
	for msg, err := range transcript.NewReader(f, transcript.Position{}).All() {
		if err != nil || blank {
			return before.Through // nothing is known: rather too little than twice
		}
		if msg.UUID != "" && MarkOf(msg.UUID) == before.Mark {
			at = msg.Line
		}
	}
	return at
}
