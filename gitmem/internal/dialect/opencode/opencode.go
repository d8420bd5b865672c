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
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/sqlite"
)

// Sessions lists the sessions of the databases, and of the older store those that no database has.
func Sessions(home string, getenv func(string) string) ([]dialect.Session, []error) {
	folder := filepath.Join(cmp.Or(getenv("XDG_DATA_HOME"), filepath.Join(home, ".local", "share")), "opencode")
	l := listing{parents: map[string]string{}}
	var errs []error
	for _, file := range databases(folder, getenv("OPENCODE_DB")) {
		if err := l.database(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	errs = append(errs, l.files(filepath.Join(folder, "storage"))...)
	return l.attached(), errs
}

// databases are the files of the databases. Releases that are neither latest nor beta have one of their own.
func databases(folder, moved string) []string {
	names := []string{moved}
	if moved == "" {
		names, _ = fs.Glob(os.DirFS(folder), "opencode*.db") // the pattern is valid
	}
	for i, name := range names {
		if !filepath.IsAbs(name) {
			names[i] = filepath.Join(folder, name)
		}
	}
	return names
}

// Records reads a session.
func Records(of dialect.Session) ([]dialect.Record, error) {
	id := cmp.Or(of.Agent, of.ID)
	var s session
	var err error
	if project, file := filepath.Split(of.Source); strings.HasSuffix(file, ".json") {
		storage := filepath.Join(project, "..", "..")
		s, err = read(files{os.DirFS(storage), path.Join("session", filepath.Base(project))}, id)
		if err != nil {
			err = fmt.Errorf("%s: %w", of.Source, err)
		}
	} else {
		err = sqlite.Read(of.Source, func(db sqlite.DB) (err error) {
			s, err = read(database{db}, id)
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	return s.records(), nil
}
