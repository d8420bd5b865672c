// Package pi reads the sessions of the coding agent pi.
//
// It was written after the files and the documentation (docs/session-format.md, docs/message-types.md)
// of version 1.6.0 of the npm package @earendil-works/pi-coding-agent, and after files of versions
// 0.74.2, 0.73.1, 0.32.3 and 0.30.2, the older ones of @mariozechner/pi-coding-agent.
//
// A session is a JSON Lines file:
//
//	~/.pi/agent/sessions/--<working directory, "-" for "/">--/<ISO time>_<id>.jsonl
//
// The first line is the header with the id, the working directory and, of a fork, the file of the
// session that its first entries are copied from. Each line behind it is an entry with an id and the
// id of its parent: the session is a tree in one file, to which the client only appends. Files of
// version 1 (until 0.30) have neither id, and are in the order of the conversation.
package pi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// Sessions lists the files of sessions that pi stores for the user whose home folder is given.
func Sessions(home string, getenv func(string) string) ([]dialect.Session, []error) {
	agent := filepath.Join(home, ".pi", "agent")
	if dir := getenv("PI_CODING_AGENT_DIR"); dir != "" {
		agent = expand(dir, home)
	}
	list := lister{seen: map[string]bool{}}
	root := filepath.Join(agent, "sessions")
	for _, e := range list.read(root) {
		if e.IsDir() {
			list.folder(filepath.Join(root, e.Name()))
		}
	}
	dir := getenv("PI_CODING_AGENT_SESSION_DIR")
	if dir == "" {
		dir = sessionDir(filepath.Join(agent, "settings.json"))
	}
	if dir = expand(dir, home); filepath.IsAbs(dir) { // another one begins at an unknown working directory
		list.folder(dir)
	}
	return list.sessions, list.errs
}

// expand is a folder with the home folder in the place of a tilde.
func expand(dir, home string) string {
	dir = strings.TrimPrefix(dir, "file://")
	if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || rest[0] == '/') {
		return filepath.Join(home, rest)
	}
	return dir
}

// sessionDir is the setting of the same name, "" if there is none.
func sessionDir(file string) string {
	var settings struct {
		SessionDir string `json:"sessionDir"`
	}
	if text, err := os.ReadFile(file); err == nil {
		_ = json.Unmarshal(text, &settings) // what the client can't read does not count there either
	}
	return settings.SessionDir
}

// lister collects sessions.
type lister struct {
	sessions []dialect.Session
	errs     []error
	seen     map[string]bool // folders
}

// read returns what a folder holds, nothing where there is no folder.
func (l *lister) read(dir string) []fs.DirEntry {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.errs = append(l.errs, fmt.Errorf("sessions of pi: %w", err))
	}
	return entries
}

// folder adds the sessions of one folder.
func (l *lister) folder(dir string) {
	if dir = filepath.Clean(dir); l.seen[dir] {
		return
	}
	l.seen[dir] = true
	for _, e := range l.read(dir) {
		if !strings.HasSuffix(e.Name(), ".jsonl") {
			continue
		}
		file := filepath.Join(dir, e.Name())
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() {
			continue // deleted meanwhile, or no file
		}
		id := idOf(e.Name())
		if id == "" {
			h, err := readHeader(file)
			if err != nil {
				l.errs = append(l.errs, err)
				continue
			}
			id = validID(h.ID)
		}
		l.sessions = append(l.sessions, dialect.Session{
			Source: file, ID: id, Size: info.Size(), MtimeNs: info.ModTime().UnixNano(),
		})
	}
}

// idOf is the id of the session in the name that the client gives a file. It is "" for other names: a
// header may hold another id than the name where the id is no UUID of version 7, as until version 0.30.
func idOf(name string) string {
	at, id, _ := strings.Cut(strings.TrimSuffix(name, ".jsonl"), "_")
	if len(at) != len("2006-01-02T15-04-05-000Z") || len(id) != 36 || id[14] != '7' {
		return ""
	}
	return validID(id)
}

// validID is an id with a dash for each character that a session's id must not have.
func validID(id string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", r) {
			return r
		}
		return '-'
	}, id)
}
