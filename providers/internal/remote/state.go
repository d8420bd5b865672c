package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"github.com/gitmem/gitmem/providers"
)

// State is the progress of a [Walk], as part of a cursor. Times are in milliseconds since 1970. The zero
// State means that nothing was read yet.
type State struct {
	// High is the time of the newest change that was seen.
	High int64 `json:"high,omitempty"`
	// ETag is the ETag of the first page, valid while nothing has changed since.
	ETag string `json:"etag,omitempty"`
	// Seen are the entries that changed shortly before High, by key. The next walk reads that interval again,
	// because servers list changes late.
	Seen map[string]Mark `json:"seen,omitempty"`
	// Gap is the unread interval below High, or nil.
	Gap *Gap `json:"hole,omitempty"`
}

// Mark is one entry of [State.Seen].
type Mark struct {
	// At is when it changed, Hash is the hash of the item that was yielded.
	At   int64  `json:"at"`
	Hash string `json:"hash,omitempty"`
}

// Gap is an interval of changes that was not read to its end.
type Gap struct {
	// Oldest is the last change that was read; a walk continues from it towards Floor.
	Oldest int64 `json:"oldest"`
	Floor  int64 `json:"floor,omitempty"`
	// Token is the page to continue with, if the server cannot list an interval between two times.
	Token string `json:"token,omitempty"`
}

// Valid reports whether a walk can have written a state that comes from outside.
func (s State) Valid() bool {
	if s.High < 0 || len(s.ETag) > 300 || strings.ContainsFunc(s.ETag, func(r rune) bool {
		return r < ' ' || r > '~'
	}) || s.High == 0 && (len(s.Seen) > 0 || s.Gap != nil) {
		return false
	}
	h := s.Gap
	return h == nil || 0 <= h.Floor && h.Floor <= h.Oldest && h.Oldest <= s.High && len(h.Token) <= 1000
}

// hashOf returns a hash of all fields of an item.
func hashOf(it providers.Item) string {
	b, err := json.Marshal(it)
	if err != nil {
		return "" // matches no mark, so the item is yielded
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func timeAt(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
