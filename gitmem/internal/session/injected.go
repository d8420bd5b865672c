package session

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// Passages already added to a session are recorded in a small file beside the index: one line each, the hash of the
// citation id or of the text. The text can't be recovered from it, and its loss only causes a repetition.
const (
	seenSuffix    = ".seen"
	seenLineBytes = 13                   // a hash of 12 characters and the line's end
	maxSeenBytes  = 2000 * seenLineBytes // bytes of a file; older lines are dropped
	maxSeenFiles  = 500                  // maximum number of files
	maxSeenAge    = 60 * 24 * time.Hour
)

// InjectedSet contains the hashes of passages added to a session.
type InjectedSet map[string]bool

// Has reports whether a passage was added, by its citation id or its text.
func (s InjectedSet) Has(key string) bool { return s[store.ShortHash(key)] }

func (s *Sessions) seenDir() string { return filepath.Join(s.ws.IndexDir(), "sessions") }

// seenFile uses a hash in the name: a session's id is external input.
func (s *Sessions) seenFile(session string) string {
	return filepath.Join(s.seenDir(), store.ShortHash(session)+seenSuffix)
}

// Injected reads what hooks added to a session. It uses the valid part of a damaged file.
func (s *Sessions) Injected(session string) InjectedSet {
	set := InjectedSet{}
	b, err := os.ReadFile(s.seenFile(session))
	if err != nil {
		return set
	}
	for line := range strings.Lines(string(b[max(0, len(b)-4*maxSeenBytes):])) {
		if line = strings.TrimSuffix(line, "\n"); len(line) == seenLineBytes-1 {
			set[line] = true
		}
	}
	return set
}

// MarkInjected records what was added to a session: citation ids, or texts. The lines of one call are appended by one
// write, so that concurrent hooks lose nothing.
func (s *Sessions) MarkInjected(session string, keys []string) error {
	if len(keys) == 0 || session == "" || s.ws.ReadOnly {
		return nil
	}
	var lines bytes.Buffer
	for _, key := range keys {
		lines.WriteString(store.ShortHash(key) + "\n")
	}
	name := s.seenFile(session)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.Size() >= maxSeenBytes:
		return s.shortenSeen(name, lines.Bytes())
	case errors.Is(err, fs.ErrNotExist):
		s.makeRoom(seenSuffix, maxSeenFiles)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(lines.Bytes())
	return errors.Join(err, f.Close())
}

// shortenSeen keeps the newer half of a file that has become too long, and appends new lines.
func (s *Sessions) shortenSeen(name string, lines []byte) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	b = b[max(0, len(b)-maxSeenBytes/2):]
	if end := bytes.IndexByte(b, '\n'); end >= 0 {
		b = b[end+1:] // the first line may be incomplete
	}
	return os.WriteFile(name, append(b, lines...), 0o600)
}

// makeRoom deletes the files with a suffix of the oldest sessions, to limit their number.
func (s *Sessions) makeRoom(ending string, most int) {
	for i, info := range newestFiles(s.seenDir(), ending) {
		if i >= most-1 || s.ws.Options.Now().Sub(info.ModTime()) > maxSeenAge {
			_ = os.Remove(filepath.Join(s.seenDir(), info.Name())) // the next new session tries again
		}
	}
}
