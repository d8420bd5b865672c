package archive

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// MarkOf returns a short hash of the id of the last archived message.
func MarkOf(uuid string) string {
	sum := sha256.Sum256([]byte(uuid))
	return hex.EncodeToString(sum[:2])
}

// StillThrough returns the last archived line of a transcript: the current line of the message with the mark. If the
// transcript does not contain that message, it was rewritten, and the result is 0 so that it is archived from the
// beginning.
func StillThrough(file string, before Session) int {
	if before.Through == 0 || before.Mark == "" {
		return before.Through
	}
	at := 0
	for msg, err := range transcript.All(file) {
		mark := MarkOf(msg.UUID)
		switch {
		case err != nil, before.Mark == MarkOf(""), mark == before.Mark && msg.Line == before.Through:
			return before.Through // without a mark, archiving too little is better than archiving twice
		case mark == before.Mark:
			at = msg.Line
		}
	}
	return at
}
