// Package gemini reads the sessions of Gemini CLI (npm @google/gemini-cli).
//
// The format is that of version 0.61.0, as that client writes it and as its chatRecordingService reads it: a session is
// a log of operations in a .jsonl file. Before 0.39 it was one document in a .json file, as 0.20.2, 0.28.2, 0.36.0 and
// 0.38.2 write it.
//
// The client may keep a session in several files, one of which has all messages. It writes a resumed .json file as a
// .jsonl file of the same name and continues there. It copies the project folder of a client before 0.29 to one with a
// readable name. And it creates a second file at each resume, which contains no message of the conversation.
package gemini

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// Sessions lists the sessions of Gemini CLI. The variable GEMINI_CLI_HOME moves its folder.
func Sessions(home string, getenv func(string) string) ([]dialect.Session, []error) {
	home = cmp.Or(getenv("GEMINI_CLI_HOME"), home)
	var l list
	for _, dir := range []string{".gemini", ".cache/.gemini"} { // the second one in the sandbox of macOS
		tmp := filepath.Join(home, filepath.FromSlash(dir), "tmp")
		for _, project := range l.read(tmp) {
			dir := filepath.Join(tmp, project.Name())
			root, _ := dialect.Contents(filepath.Join(dir, ".project_root")) // clients before 0.29 wrote none
			l.folder(filepath.Join(dir, "chats"), dialect.Session{Folder: strings.TrimSpace(string(root))})
		}
	}
	slices.SortFunc(l.sessions, func(a, b dialect.Session) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Agent, b.Agent), compareFiles(a, b))
	})
	sameSession := func(a, b dialect.Session) bool { return a.ID == b.ID && a.Agent == b.Agent }
	return slices.CompactFunc(l.sessions, sameSession), l.errs
}

// compareFiles sorts the file of a session with all its messages first: the first one by the time in its name, in the
// folder that names its project, and the .jsonl file before the .json file.
func compareFiles(a, b dialect.Session) int {
	x, y := filepath.Base(a.Source), filepath.Base(b.Source)
	return cmp.Or(cmp.Compare(b.Folder, a.Folder), cmp.Compare(withoutExt(x), withoutExt(y)), cmp.Compare(y, x))
}

func withoutExt(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }

// list collects the files of sessions.
type list struct {
	sessions []dialect.Session
	errs     []error
}

// note records an error, unless a file does not exist: the client deletes sessions.
func (l *list) note(err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.errs = append(l.errs, err)
	}
}

// read lists a folder that may not exist.
func (l *list) read(dir string) []fs.DirEntry {
	entries, err := os.ReadDir(dir)
	l.note(err)
	return entries
}

// folder lists the files in a folder of chats. Each subfolder contains the subagents of the session that it is named
// after.
func (l *list) folder(dir string, s dialect.Session) {
	for _, e := range l.read(dir) {
		name := e.Name()
		s.Source = filepath.Join(dir, name)
		isFile := e.Type().IsRegular() && (filepath.Ext(name) == ".json" || filepath.Ext(name) == ".jsonl")
		switch {
		case e.IsDir() && s.ID == "" && dialect.ValidID(name):
			l.folder(s.Source, dialect.Session{ID: name, Folder: s.Folder})
		case isFile && s.ID != "" && dialect.ValidID(withoutExt(name)):
			s.Agent = withoutExt(name)
			l.add(e, s)
		case isFile && s.ID == "" && strings.HasPrefix(name, "session-"):
			l.add(e, s)
		}
	}
}

// add adds a file unless it is empty.
func (l *list) add(file fs.DirEntry, s dialect.Session) {
	info, err := file.Info()
	if err == nil && s.ID == "" && info.Size() > 0 {
		s.ID, err = sessionID(s.Source)
	}
	if l.note(err); err == nil && info.Size() > 0 {
		s.Size, s.MtimeNs = info.Size(), info.ModTime().UnixNano()
		l.sessions = append(l.sessions, s)
	}
}

// sessionID reads the session id at the start of a file.
func sessionID(file string) (string, error) {
	f, err := dialect.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var begin [3]json.Token // {"sessionId": "…"
	in := json.NewDecoder(io.LimitReader(f, 4<<10))
	for i := range begin {
		begin[i], _ = in.Token() // nil on errors
	}
	if id, _ := begin[2].(string); begin[1] == "sessionId" && dialect.ValidID(id) {
		return id, nil
	}
	return "", fmt.Errorf("%s: %w", file, dialect.ErrUnknownFormat)
}
