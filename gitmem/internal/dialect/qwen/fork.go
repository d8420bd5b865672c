package qwen

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// copied returns the ids of a fork's lines that count in another session. The client names only the last session that a
// line was copied from, which may be a fork itself, or deleted. Each line therefore counts in the session with the same
// beginning that continued first.
func copied(file string, first line) map[string]bool {
	_, began := ownBeginning(file)
	// Not the first line, since a fork does not get all of the client's own lines.
	id := `"uuid":"` + first.UUID + `"`
	ids := map[string]bool{}
	for _, other := range chats(file) {
		if filepath.Base(other) != first.ForkedFrom.SessionID+".jsonl" && !dialect.HasAtBeginning(other, id) {
			continue
		}
		theirs, at := ownBeginning(other)
		if at < began || at == began && filepath.Base(other) < filepath.Base(file) {
			maps.Copy(ids, theirs)
		}
	}
	return ids
}

// chats lists the sessions of the same project.
func chats(file string) []string {
	dir := filepath.Dir(file)
	if filepath.Base(dir) == archive {
		dir = filepath.Dir(dir)
	}
	var out []string
	for _, pattern := range []string{"*.jsonl", archive + "/*.jsonl"} {
		names, _ := fs.Glob(os.DirFS(dir), pattern) // the pattern is well-formed
		for _, name := range names {
			out = append(out, filepath.Join(dir, filepath.FromSlash(name)))
		}
	}
	return out
}

// ownBeginning returns the ids of a file's readable lines, and the time of the first line that is not a copy. If there
// is none, the returned time sorts after all others.
func ownBeginning(file string) (ids map[string]bool, at string) {
	ids, at = map[string]bool{}, "never"
	_ = dialect.ReadLines(file, func(b []byte) bool {
		var l struct {
			UUID, Timestamp string
			ForkedFrom      origin
		}
		dialect.Decode(b, &l)
		ids[l.UUID] = true
		if at == "never" && l.ForkedFrom.SessionID == "" && l.Timestamp != "" {
			at = l.Timestamp
		}
		return true
	})
	return ids, at
}
