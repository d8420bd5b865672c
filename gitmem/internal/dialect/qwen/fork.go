package qwen

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// copied returns the ids of the lines of a fork that count in another session. The client names only the
// session that a line was copied from last, which may be a fork itself, or deleted. Each line therefore
// counts in that one of the sessions with the same beginning which went on first.
func copied(file string, first line) map[string]bool {
	_, began := ownBeginning(file)
	// Not the first line, as a fork does not get all lines of the client's own.
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

// ownBeginning returns the ids of a file's lines, as far as it can be read, and the time of the first one
// that is no copy, which is greater than all others where there is none.
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
