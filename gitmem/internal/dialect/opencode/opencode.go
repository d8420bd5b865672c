// Package opencode reads the sessions of OpenCode, which it keeps in an SQLite database
// (~/.local/share/opencode/opencode.db since version 1.2) and kept before that in JSON files
// (storage/session, message and part). A session that is in both counts as it is in the database.
//
// The form was seen with opencode-ai 1.18.33 and read in its package. Of the database only the tables
// session, message and part are read: the others hold tokens, and texts that the user took back.
//
// A message is one row with JSON, and its texts, thoughts and calls are rows of the table part. Every
// step of the model is a message. What tells who speaks:
//
//   - Text with synthetic is put in by plugins and by the client, never by the user.
//   - `opencode run` gives its sessions rules that deny questions and plans, and puts an argument with
//     spaces in quotes. The first prompt of such a session, and later ones in quotes, are a program's. A
//     prompt that `run` adds to another session can't be told from one that was typed.
//   - A command that the user ran with ! is a synthetic prompt and a call of bash after it, without an
//     exit code: whether it failed is not known.
//   - A session with a parent is a subagent's.
//
// A fork is a copy of all messages under new ids in a session that names no other. A copied message is
// older than its session, which no other message is, so that the title does not matter. It is left out
// if an older session of the project still has it.
//
// /undo only marks the message from which on the session was taken back, and deletes it with the next
// prompt. What is marked is left out, as it may come back by /redo.
package opencode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// Sessions lists the sessions of the databases, and of the older store those that no database has.
func Sessions(home string, getenv func(string) string) ([]dialect.Session, []error) {
	folder := dataFolder(home, getenv)
	if _, err := os.Stat(folder); err != nil {
		return nil, nil // the client was never used
	}
	var out []dialect.Session
	var errs []error
	for _, file := range databases(folder, getenv("OPENCODE_DB")) {
		sessions, err := listDatabase(file)
		if err != nil {
			errs = append(errs, err)
		}
		out = append(out, sessions...)
	}
	known := map[string]bool{}
	for _, s := range out {
		known[rowID(s)] = true
	}
	sessions, more := listFiles(filepath.Join(folder, "storage"), known)
	return append(out, sessions...), append(errs, more...)
}

// Records reads a session.
func Records(of dialect.Session) ([]dialect.Record, error) {
	read := readFiles
	if !strings.HasSuffix(of.Source, ".json") {
		read = readDatabase
	}
	s, err := read(of.Source, rowID(of))
	if err != nil {
		return nil, err
	}
	return s.records(), nil
}

// dataFolder is where the client keeps its data, on every system.
func dataFolder(home string, getenv func(string) string) string {
	data := getenv("XDG_DATA_HOME")
	if data == "" {
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "opencode")
}

// databases are the databases that exist. Releases that are neither latest nor beta have one of their own.
func databases(folder, moved string) []string {
	switch {
	case moved != "" && !filepath.IsAbs(moved):
		moved = filepath.Join(folder, moved)
	case moved == "":
		return slices.DeleteFunc(inFolder(folder, ".db"), func(file string) bool {
			return !strings.HasPrefix(filepath.Base(file), "opencode")
		})
	}
	if _, err := os.Stat(moved); err != nil {
		return nil
	}
	return []string{moved}
}

// rowID is the id of a session in the store.
func rowID(s dialect.Session) string {
	if s.Agent != "" {
		return s.Agent
	}
	return s.ID
}

// valid reports whether an id has the characters that ids of sessions have.
func valid(id string) bool {
	return id != "" && !strings.ContainsFunc(id, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// attach makes subagents of the sessions that have a parent. That of a subagent's subagent is the
// session in which the user works.
func attach(sessions []dialect.Session, parents map[string]string) []dialect.Session {
	for i := range sessions {
		s := &sessions[i]
		if parents[s.ID] == "" {
			continue
		}
		s.Agent = s.ID
		for range parents { // not longer than that, because hostile parents may go in a circle
			parent := parents[s.ID]
			if parent == "" {
				break
			}
			if s.ID = parent; !valid(parent) {
				s.ID = ""
			}
		}
	}
	return sessions
}
