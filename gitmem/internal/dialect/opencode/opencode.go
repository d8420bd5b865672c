// Package opencode reads the sessions of OpenCode. Since version 1.2 it stores them in an SQLite database
// (~/.local/share/opencode/opencode.db), before that in JSON files (storage/session, message and part). If a session is
// in both, the database counts.
//
// The format was observed with opencode-ai 1.18.33 and read in its package. Only the tables session, message and part
// of the database are read: others contain tokens and texts that the user took back.
//
// A message is one row with JSON; its texts, thoughts and calls are rows of the table part. Each step of the model is a
// message. Speakers:
//
//   - Synthetic text comes from plugins or the client, never from the user.
//   - `opencode run` gives its sessions rules that deny questions and plans, and quotes an argument with spaces. The
//     first prompt of such a session and later quoted prompts are a program's. A prompt that `run` adds to another
//     session is indistinguishable from a typed one.
//   - A command that the user ran with ! is a synthetic prompt followed by a call of bash without an exit code, so its
//     failure is not known.
//   - A session with a parent belongs to a subagent.
//
// A fork is a session with copies of all messages under new ids; it does not name its origin. Only copied messages are
// older than their session, so the title is not needed to detect a fork. A copied message is skipped if an older
// session of the project still has it.
//
// /undo marks the first message that is taken back, and the next prompt deletes the marked messages. Marked messages
// are skipped, since /redo may restore them.
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

// Sessions lists the sessions in the databases, and those of the older store that are in no database.
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

// databases returns the paths of the databases. Release channels other than latest and beta use a separate one.
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
