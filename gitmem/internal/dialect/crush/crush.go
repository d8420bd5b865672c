// Package crush reads the sessions of Crush, which stores them in an SQLite database for each project.
//
// The format was observed with Crush 0.90.0 and read in its source. ~/.local/share/crush/projects.json lists the
// projects with their data folders, usually PROJECT/.crush, which contain crush.db. Only the tables sessions and
// messages are read: the table files contains every version of every edited file.
//
// A message is a row with its parts as JSON. Times are in seconds; within a second the order of the rows counts.
// Speakers:
//
//   - A prompt of `crush run` is indistinguishable from a typed one: both count as a person's.
//   - After a summary in the middle of a turn, the client itself asks to continue. This prompt is skipped.
//   - A session with a parent belongs to a subagent. Its id is MESSAGE$$CALL, in which characters that are invalid in
//     an id become _. When a user deletes a session, its subagents remain.
//
// The exit code of a command is only in the text of its result, which ends with the working directory.
package crush

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/sqlite"
)

// Sessions lists the sessions of all projects whose databases still exist.
func Sessions(home string, getenv func(string) string) ([]dialect.Session, []error) {
	projects, err := readProjects(filepath.Join(dataFolder(home, getenv), "projects.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // the client was never used
	}
	if err != nil {
		return nil, []error{err}
	}
	var out []dialect.Session
	var errs []error
	for _, data := range slices.Sorted(maps.Keys(projects)) {
		file := filepath.Join(data, "crush.db")
		if isTracked(file) {
			errs = append(errs, fmt.Errorf("%s is not read: it came with the repository, which tracks it", file))
			continue
		}
		sessions, err := listDatabase(file, projects[data])
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
		out = append(out, sessions...)
	}
	return out, errs
}

// dataFolder returns the client's folder for global data.
func dataFolder(home string, getenv func(string) string) string {
	data := filepath.Join(home, ".local", "share")
	if runtime.GOOS == "windows" {
		data = cmp.Or(getenv("LOCALAPPDATA"), filepath.Join(home, "AppData", "Local"))
	}
	return cmp.Or(getenv("CRUSH_GLOBAL_DATA"), filepath.Join(cmp.Or(getenv("XDG_DATA_HOME"), data), "crush"))
}

// readProjects reads the list of projects as a map from data folders to project folders. If projects share a data
// folder, as subfolders of a repository do, the project is the folder that contains it.
func readProjects(file string) (map[string]string, error) {
	data, err := dialect.Contents(file)
	if err != nil {
		return nil, err
	}
	var list struct {
		Projects []struct {
			Path string
			Data string `json:"data_dir"`
		}
	}
	if !dialect.Decode(data, &list) {
		return nil, fmt.Errorf("%s: %w", file, dialect.ErrUnknownFormat)
	}
	out := map[string]string{}
	for _, p := range list.Projects {
		data := filepath.Clean(p.Data)
		if filepath.IsAbs(data) && (out[data] == "" || p.Path == filepath.Dir(data)) {
			out[data] = p.Path
		}
	}
	return out, nil
}

// list selects the sessions. updated_at has a resolution of seconds and does not change while the model writes, so the
// length of the last message and the title are used too. A parent may have been deleted.
const list = `
SELECT s.id, s.parent_session_id IS NOT NULL, coalesce(p.id, ''), max(s.updated_at, coalesce(m.updated_at, 0)),
	s.message_count, coalesce(octet_length(m.parts), 0), s.title
FROM sessions s
LEFT JOIN sessions p ON p.id = s.parent_session_id
LEFT JOIN messages m ON m.rowid = (SELECT max(rowid) FROM messages WHERE session_id = s.id)
ORDER BY s.created_at, s.rowid`

func listDatabase(file, folder string) (out []dialect.Session, err error) {
	err = sqlite.Read(file, func(db sqlite.DB) error {
		out = nil
		return db.Query(list, func(r sqlite.Row) {
			s := dialect.Session{
				Source: file, ID: name(r.Text(0)), Folder: folder,
				MtimeNs: dialect.Changed(r.Int(3), time.Second, r.Text(6)), Size: r.Int(4)<<32 + r.Int(5),
			}
			if r.Int(1) != 0 {
				s.ID, s.Agent = name(r.Text(2)), s.ID
			}
			out = append(out, s)
		})
	})
	return out, err
}

// name converts the id of a session to the valid characters of an id.
func name(id string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, id)
}

// Records reads a session. In its name _ matches any character, as in LIKE.
func Records(of dialect.Session) ([]dialect.Record, error) {
	var t translation
	err := sqlite.Read(of.Source, func(db sqlite.DB) error {
		id, wanted := "", cmp.Or(of.Agent, of.ID)
		err := db.Query(`SELECT id, title, created_at FROM sessions WHERE id LIKE ?`, func(r sqlite.Row) {
			id, t = r.Text(0), translation{session: of}
			if title := r.Text(1); title != "Untitled Session" && title != "New Session" && of.Agent == "" {
				t.add(message{created: r.Int(2)}, dialect.Record{Speaker: dialect.Title, Text: title})
			}
		}, wanted)
		if err == nil && id == "" {
			err = fmt.Errorf("session %s: %w", wanted, fs.ErrNotExist)
		}
		if err != nil {
			return err
		}
		return db.Query(`SELECT id, CASE WHEN is_summary_message THEN 'summary' ELSE role END, parts, coalesce(model, ''),
created_at FROM messages WHERE session_id = ? ORDER BY created_at, rowid`, func(r sqlite.Row) {
			t.message(message{r.Text(0), r.Text(1), r.Text(3), r.Int(4)}, []byte(r.Text(2)))
		}, id)
	})
	return t.out[:len(t.out)-t.running], err
}
