// Package qwen reads the sessions of Qwen Code. Names and meanings are those of version 0.24.4 (npm
// @qwen-code/qwen-code), seen in its files and in its code.
//
// Below ~/.qwen, QWEN_HOME or QWEN_RUNTIME_DIR, projects/<name of a folder>/chats/<id>.jsonl is a
// session, which chats/archive has when it was archived, and subagents/<id>/agent-<agent>.jsonl a
// subagent of one. The name of the folder does not tell which it is. Each line names its parent. The
// client only appends to a file, also when it resumes, compacts and rewinds a session: what follows a
// rewind names an older parent. A fork begins with a copy of its origin in which the ids stay, and which is
// left out here.
//
// The client does not record whether a prompt was typed or given with -p.
package qwen

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// archive is the folder of archived sessions, which is among the sessions.
const archive = "archive"

// Sessions lists the sessions and their subagents. Their folders stand in their records only.
func Sessions(home string, getenv func(string) string) ([]dialect.Session, []error) {
	root, err := filepath.Abs(filepath.Join(runtimeDir(home, getenv), "projects"))
	if err != nil {
		return nil, []error{err}
	}
	var l list
	for _, project := range l.folders(root) {
		dir := filepath.Join(root, project.Name())
		for _, chats := range []string{filepath.Join(dir, "chats"), filepath.Join(dir, "chats", archive)} {
			for _, e := range l.read(chats) {
				id, ok := strings.CutSuffix(e.Name(), ".jsonl")
				l.add(ok, chats, e, dialect.Session{ID: id})
			}
		}
		subagents := filepath.Join(dir, "subagents")
		for _, parent := range l.folders(subagents) {
			of := filepath.Join(subagents, parent.Name())
			for _, e := range l.read(of) {
				name, ok := strings.CutSuffix(e.Name(), ".jsonl")
				agent, isAgent := strings.CutPrefix(name, "agent-")
				l.add(ok && isAgent && dialect.ValidID(agent), of, e, dialect.Session{ID: parent.Name(), Agent: agent})
			}
		}
	}
	return l.sessions, l.errs
}

// runtimeDir is the folder in which the client keeps what it records.
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

// list collects sessions.
type list struct {
	sessions []dialect.Session
	errs     []error
}

// read lists a folder, which need not exist.
func (l *list) read(dir string) []fs.DirEntry {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.errs = append(l.errs, err)
	}
	return entries
}

// folders lists the folders in one.
func (l *list) folders(dir string) []fs.DirEntry {
	return slices.DeleteFunc(l.read(dir), func(e fs.DirEntry) bool { return !e.IsDir() })
}

// add adds the session of a file, if it is one.
func (l *list) add(ok bool, dir string, e fs.DirEntry, s dialect.Session) {
	if !ok || !e.Type().IsRegular() || !dialect.ValidID(s.ID) {
		return
	}
	info, err := e.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return // moved meanwhile
	}
	if err != nil {
		l.errs = append(l.errs, err)
		return
	}
	s.Source, s.Size, s.MtimeNs = filepath.Join(dir, e.Name()), info.Size(), info.ModTime().UnixNano()
	l.sessions = append(l.sessions, s)
}
