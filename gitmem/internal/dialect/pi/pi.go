// Package pi reads the sessions of the coding agent pi.
//
// It is based on the files and the documentation (docs/session-format.md, docs/message-types.md) of version 1.6.0 of
// the npm package @earendil-works/pi-coding-agent, and on files of versions 0.74.2, 0.73.1, 0.32.3 and 0.30.2, the
// older ones of @mariozechner/pi-coding-agent.
//
// A session is a JSON Lines file:
//
//	~/.pi/agent/sessions/--<working directory, "-" for "/">--/<ISO time>_<id>.jsonl
//
// The first line is the header with the id, the working directory and, for a fork, the file of the session from which
// its first entries were copied. Each other line is an entry with an id and the id of its parent: the session is a tree
// in one file, to which the client only appends. Files of version 1 (until 0.30) have no ids and are in the order of
// the conversation.
package pi

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// Sessions lists the session files of pi for the user with the given home folder.
func Sessions(home string, getenv func(string) string) (sessions []dialect.Session, errs []error) {
	read := func(dir string) []fs.DirEntry {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("sessions of pi: %w", err))
		}
		return entries
	}
	agent := expand(cmp.Or(getenv("PI_CODING_AGENT_DIR"), "~/.pi/agent"), home)
	var folders []string
	for _, e := range read(filepath.Join(agent, "sessions")) {
		if e.IsDir() {
			folders = append(folders, filepath.Join(agent, "sessions", e.Name()))
		}
	}
	var settings struct{ SessionDir string }
	if text, err := dialect.Contents(filepath.Join(agent, "settings.json")); err == nil {
		dialect.Decode(text, &settings) // the client ignores invalid settings, too
	}
	dir := expand(cmp.Or(getenv("PI_CODING_AGENT_SESSION_DIR"), settings.SessionDir), home)
	if filepath.IsAbs(dir) && !slices.Contains(folders, dir) { // a relative folder depends on an unknown working directory
		folders = append(folders, dir)
	}
	for _, folder := range folders {
		for _, e := range read(folder) {
			s, err := session(filepath.Join(folder, e.Name()))
			if err != nil {
				errs = append(errs, err)
			} else if s.ID != "" {
				sessions = append(sessions, s)
			}
		}
	}
	return sessions, errs
}

// expand returns the path of a folder with the home folder in place of a tilde.
func expand(dir, home string) string {
	dir = strings.TrimPrefix(dir, "file://")
	if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || rest[0] == '/') {
		dir = home + rest
	}
	return filepath.Clean(dir)
}

// session describes the session in a file. Its id is "" if the file is not a session.
func session(file string) (s dialect.Session, err error) {
	info, err := os.Stat(file)
	name, isLines := strings.CutSuffix(filepath.Base(file), ".jsonl")
	if err != nil || !isLines || !info.Mode().IsRegular() {
		return s, nil // or the file was deleted meanwhile
	}
	s = dialect.Session{Source: file, Size: info.Size(), MtimeNs: info.ModTime().UnixNano()}
	_, s.ID, _ = strings.Cut(name, "_")
	if len(s.ID) == 36 && s.ID[14] == '7' && dialect.ValidID(s.ID) {
		return s, nil
	}
	// The header may contain another id, unless that is a UUID of version 7.
	for header, err := range entries(file) {
		s.ID = strings.Map(func(r rune) rune {
			if dialect.ValidID(string(r)) {
				return r
			}
			return '-'
		}, header.ID)
		return s, err
	}
	return dialect.Session{}, nil // the client has only created the file so far
}

// entry is a line of a file.
type entry struct {
	Type, ID, Timestamp              string
	Cwd, ParentSession, BranchedFrom string  // of the header; BranchedFrom is the parent in version 1
	ParentID                         *string // "" in a first entry
	Message                          message
	Summary, Name                    string
}

// entries yields the lines of a file, the header first. An unreadable line has no type. In files of version 1 an entry
// gets an id, the same as its copy in a fork. An entry without a parent continues the preceding line.
func entries(file string) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		f, err := dialect.Open(file)
		if err != nil {
			yield(entry{}, err)
			return
		}
		defer f.Close()
		first, before := true, ""
		for line, err := range dialect.Lines(f) {
			parent := before
			e := entry{ParentID: &parent}
			ok := dialect.Decode(line, &e)
			if e.ParentID == nil { // null in the line: a first entry
				parent, e.ParentID = "", &parent
			}
			switch {
			case err != nil:
				err = fmt.Errorf("%s: %w", file, err)
			case first && (!ok || e.Type != "session" || e.ID == ""):
				err = fmt.Errorf("%s: %w", file, dialect.ErrUnknownFormat)
			case !ok || e.Type == "":
				e = entry{}
			case e.ID == "":
				sum := sha256.Sum256(line)
				e.ID = hex.EncodeToString(sum[:8])
			}
			if !yield(e, err) || err != nil {
				return
			}
			first, before = false, cmp.Or(e.ID, before)
		}
	}
}

// copied returns the ids of the entries that a fork shares with its origin. It returns none if the origin was deleted
// or is not older than the fork.
func (e entry) copied(file string) map[string]bool {
	parent := cmp.Or(e.ParentSession, e.BranchedFrom)
	if parent == "" {
		return nil
	}
	if info, err := os.Stat(parent); err != nil || !info.Mode().IsRegular() { // the whole store may have been moved
		parent = filepath.Join(filepath.Dir(filepath.Dir(file)), filepath.Base(filepath.Dir(parent)), filepath.Base(parent))
	}
	ids := map[string]bool{}
	for of, err := range entries(parent) {
		if err != nil || of.Type == "session" && of.Timestamp >= e.Timestamp {
			break
		}
		ids[of.ID] = true
	}
	return ids
}
