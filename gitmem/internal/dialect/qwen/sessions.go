// Package qwen reads the sessions of Qwen Code. Names and meanings are those of version 0.24.4 (npm
// @qwen-code/qwen-code), as observed in its files and in its code.
//
// Below ~/.qwen, QWEN_HOME or QWEN_RUNTIME_DIR, projects/<name of a folder>/chats/<id>.jsonl is a session, archived
// sessions are in chats/archive, and subagents/<id>/agent-<agent>.jsonl is a subagent of one. The folder cannot be
// derived from its name. Each line names its parent. The client only appends to a file, also when it resumes, compacts
// and rewinds a session: lines after a rewind name an older parent. A fork begins with a copy of its origin with the
// same ids; this package skips the copy.
//
// The client does not record whether a prompt was typed or given with -p.
package qwen

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// archive is the folder of archived sessions, inside the folder of sessions.
const archive = "archive"

// Sessions lists the sessions and their subagents. Their folders are only in their records.
func Sessions(home string, getenv func(string) string) ([]dialect.Session, []error) {
	root, _ := filepath.Abs(filepath.Join(runtimeDir(home, getenv), "projects")) // can fail only for a relative folder
	var out []dialect.Session
	var errs []error
	for _, pattern := range []string{"*/chats/*.jsonl", "*/chats/archive/*.jsonl", "*/subagents/*/agent-?*.jsonl"} {
		names, _ := fs.Glob(os.DirFS(root), pattern) // the pattern is well-formed
		for _, name := range names {
			s := dialect.Session{Source: filepath.Join(root, filepath.FromSlash(name))}
			s.ID = strings.TrimSuffix(path.Base(name), ".jsonl")
			if strings.Contains(pattern, "agent") {
				s.ID, s.Agent = path.Base(path.Dir(name)), strings.TrimPrefix(s.ID, "agent-")
			}
			info, err := os.Lstat(s.Source)
			switch {
			case errors.Is(err, fs.ErrNotExist): // moved meanwhile
			case err != nil:
				errs = append(errs, err)
			case info.Mode().IsRegular() && dialect.ValidID(s.ID+s.Agent):
				s.Size, s.MtimeNs = info.Size(), info.ModTime().UnixNano()
				out = append(out, s)
			}
		}
	}
	return out, errs
}

// runtimeDir returns the folder of the client's records.
func runtimeDir(home string, getenv func(string) string) string {
	for _, name := range []string{"QWEN_RUNTIME_DIR", "QWEN_HOME"} {
		dir := getenv(name)
		if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
			dir = filepath.Join(home, rest)
		}
		if dir != "" {
			return dir
		}
	}
	return filepath.Join(home, ".qwen")
}
