// Package crush reads the sessions of Crush, which it keeps in an SQLite database for each project.
//
// The form was seen with Crush 0.90.0 and read in its source. ~/.local/share/crush/projects.json lists
// the projects with their folder for data, most often PROJECT/.crush, in which crush.db lies. Of that
// only the tables sessions and messages are read: the table files holds every version of every file that
// was edited.
//
// A message is a row with its parts as JSON. Times are in seconds, so that the order of the rows decides
// within one. What tells who speaks:
//
//   - Nothing tells `crush run` from a prompt that was typed: both are a person's.
//   - After a summary in the middle of a turn, the client itself asks to go on. That is left out.
//   - A session with a parent is a subagent's. Its id is MESSAGE$$CALL, in which characters that an id
//     may not have become _. When a user deletes a session, its subagents stay.
//
// The exit code of a command stands only in the text of its result, which ends in the working directory.
package crush

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/sqlite"
)

// Sessions lists the sessions of all projects whose databases are still there.
func Sessions(home string, getenv func(string) string) ([]dialect.Session, []error) {
	list := filepath.Join(dataFolder(home, getenv), "projects.json")
	projects, err := readProjects(list)
	if err != nil {
		return nil, []error{err}
	}
	var out []dialect.Session
	var errs []error
	for _, p := range projects {
		file := filepath.Join(p.Data, "crush.db")
		if isTracked(file) {
			errs = append(errs, fmt.Errorf("%s is not read: it came with the repository, which tracks it", file))
			continue
		}
		sessions, err := listDatabase(file, p.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
		out = append(out, sessions...)
	}
	return out, errs
}

// dataFolder is where the client keeps what is of no project.
func dataFolder(home string, getenv func(string) string) string {
	if moved := getenv("CRUSH_GLOBAL_DATA"); moved != "" {
		return moved
	}
	data := getenv("XDG_DATA_HOME")
	if local := getenv("LOCALAPPDATA"); data == "" && runtime.GOOS == "windows" && local != "" {
		data = local
	}
	if data == "" && runtime.GOOS == "windows" {
		data = filepath.Join(home, "AppData", "Local")
	}
	if data == "" {
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "crush")
}

// project is a folder in which the client was started, and where its data lies.
type project struct {
	Path string
	Data string `json:"data_dir"`
}

// readProjects reads the list of projects, each folder for data once. If projects share one, as the
// folders of a repository do, the project is the folder around it.
func readProjects(file string) ([]project, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list struct{ Projects []project }
	if !decode(data, &list) {
		return nil, fmt.Errorf("%s: %w", file, dialect.ErrUnknownFormat)
	}
	var out []project
	at := map[string]int{} // in out, by folder for data
	for _, p := range list.Projects {
		if !filepath.IsAbs(p.Data) {
			continue
		}
		p.Data = filepath.Clean(p.Data)
		i, known := at[p.Data]
		switch {
		case !known:
			at[p.Data] = len(out)
			out = append(out, p)
		case p.Path == filepath.Dir(p.Data):
			out[i] = p
		}
	}
	return out, nil
}

// list asks for the sessions. updated_at counts seconds and does not change while the model writes, so
// that the length of the last message and the title are looked at too.
const list = `
SELECT s.id, coalesce(s.parent_session_id, ''), p.id IS NULL, max(s.updated_at, coalesce(m.updated_at, 0)),
	s.message_count, coalesce(octet_length(m.parts), 0), s.title
FROM sessions s
LEFT JOIN sessions p ON p.id = s.parent_session_id
LEFT JOIN messages m ON m.rowid = (SELECT max(rowid) FROM messages WHERE session_id = s.id)
ORDER BY s.created_at, s.rowid`

func listDatabase(file, folder string) ([]dialect.Session, error) {
	if _, err := os.Stat(file); err != nil {
		return nil, err
	}
	var out []dialect.Session
	err := sqlite.Read(file, func(db sqlite.DB) error {
		out = nil
		return db.Query(list, func(r sqlite.Row) {
			title := crc32.ChecksumIEEE([]byte(r.Text(6))) % uint32(time.Second) // below the time's resolution
			s := dialect.Session{
				Source: file, ID: name(r.Text(0)), Folder: folder,
				MtimeNs: r.Int(3)*int64(time.Second) + int64(title), Size: r.Int(4)<<32 + r.Int(5),
			}
			if parent := r.Text(1); parent != "" {
				s.Agent, s.ID = s.ID, name(parent)
				if r.Int(2) != 0 { // the parent was deleted
					s.ID = ""
				}
			}
			out = append(out, s)
		})
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// name is the id of a session in the characters that an id may have.
func name(id string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, id)
}

// Records reads a session.
func Records(of dialect.Session) ([]dialect.Record, error) {
	var t translation
	err := sqlite.Read(of.Source, func(db sqlite.DB) error {
		t = translation{session: of}
		id, err := t.find(db)
		if err != nil {
			return err
		}
		return db.Query(`SELECT id, role, parts, coalesce(model, ''), created_at, is_summary_message FROM messages
WHERE session_id = ? ORDER BY created_at, rowid`, func(r sqlite.Row) {
			t.message(message{
				id: r.Text(0), role: r.Text(1), model: r.Text(3), created: r.Int(4), summary: r.Int(5) != 0,
			}, []byte(r.Text(2)))
		}, id)
	})
	if err != nil {
		return nil, err
	}
	return t.finished(), nil
}

// find returns the id of the session in the database, and adds its title.
func (t *translation) find(db sqlite.DB) (string, error) {
	wanted, id := t.session.ID, ""
	if t.session.Agent != "" {
		wanted = t.session.Agent
	}
	err := db.Query(`SELECT id, title, created_at FROM sessions`, func(r sqlite.Row) {
		if name(r.Text(0)) == wanted && id == "" {
			id = r.Text(0)
			t.title(r.Text(1), r.Int(2))
		}
	})
	if err == nil && id == "" {
		err = fmt.Errorf("session %s: %w", wanted, fs.ErrNotExist)
	}
	return id, err
}

// decode reads JSON as far as its members have the types that they should have. It reports whether it
// is JSON.
func decode(data []byte, into any) bool {
	err := json.Unmarshal(data, into)
	mismatch := (*json.UnmarshalTypeError)(nil)
	return err == nil || errors.As(err, &mismatch)
}
