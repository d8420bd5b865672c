package archive

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// MarkOf is a short hash of the id of the last message that was archived.
func MarkOf(uuid string) string {
	sum := sha256.Sum256([]byte(uuid))
	return hex.EncodeToString(sum[:2])
}

// StillThrough is the line through which a transcript is archived: that of the
// message with the mark, wherever it is now. A transcript without it was written
// anew, and is archived from its beginning.
func StillThrough(file string, before Session) int {
	if before.Through == 0 || before.Mark == "" {
		return before.Through
	}
	at := 0
	for msg, err := range transcript.All(file) {
		mark := MarkOf(msg.UUID)
		switch {
		case err != nil, before.Mark == MarkOf(""), mark == before.Mark && msg.Line == before.Through:
			return before.Through // nothing else is known: rather too little than twice
		case mark == before.Mark:
			at = msg.Line
		}
	}
	return at
}
