package opencode

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/sqlite"
)

// store is a database, or the files of the older store. Both contain the same JSON.
type store interface {
	// rows returns the rows of the table session with an id, the messages of a session, or the parts of a message.
	rows(table, of string) ([]row, error)
	// related returns ids of sessions of the same project, including all that contain the first message of a fork.
	related(fork session) ([]string, error)
}

type row struct {
	id   string
	data []byte
}

type database struct{ sqlite.DB }

func (db database) rows(table, of string) (out []row, err error) {
	query := `SELECT id, data FROM part WHERE message_id = ? ORDER BY id`
	switch table {
	case "session":
		query = `SELECT id, json_object('parentID', parent_id, 'projectID', project_id, 'directory', directory,
 'title', title,
 'time', json_object('created', time_created), 'permission', json(permission), 'revert', json(revert))
FROM session WHERE id = ?`
	case "message":
		query = `SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id`
	}
	err = db.Query(query, func(r sqlite.Row) { out = append(out, row{r.Text(0), []byte(r.Text(1))}) }, of)
	return out, err
}

func (db database) related(fork session) (out []string, err error) {
	err = db.Query(`SELECT id FROM session WHERE project_id = ?
AND EXISTS (SELECT 1 FROM message WHERE session_id = session.id AND message.time_created = ?)`,
		func(r sqlite.Row) { out = append(out, r.Text(0)) }, fork.ProjectID, fork.messages[0].Time.Created)
	return out, err
}

// files is the older store: session/PROJECT/SESSION.json, message/SESSION/MESSAGE.json and part/MESSAGE/PART.json.
type files struct {
	storage fs.FS
	project string // session/PROJECT
}

func (f files) rows(table, of string) (out []row, err error) {
	pattern := path.Join(table, of, "*.json")
	if table == "session" {
		pattern = path.Join(f.project, of+".json")
	}
	names, err := fs.Glob(f.storage, pattern)
	for _, name := range names {
		data, err := fs.ReadFile(f.storage, name)
		if err != nil {
			return nil, err
		}
		out = append(out, row{idOf(name), data})
	}
	return out, err
}

func (f files) related(session) ([]string, error) {
	names, err := fs.Glob(f.storage, path.Join(f.project, "*.json"))
	for i := range names {
		names[i] = idOf(names[i])
	}
	return names, err
}

func idOf(file string) string { return strings.TrimSuffix(path.Base(file), ".json") }

// read reads a session with its messages and their parts.
func read(from store, id string) (session, error) {
	s, err := load(from, id)
	if err != nil {
		return s, err
	}
	if err := s.markCopies(from); err != nil {
		return s, err
	}
	for i := range s.messages {
		m := &s.messages[i]
		rows, err := from.rows("part", m.id)
		if err != nil {
			return s, err
		}
		for _, r := range rows {
			p := part{id: r.id}
			m.broken = !dialect.Decode(r.data, &p) || m.broken
			m.parts = append(m.parts, p)
		}
	}
	return s, nil
}

// load reads a session with its messages, but without their parts.
func load(from store, id string) (s session, err error) {
	rows, err := from.rows("session", id)
	switch {
	case err != nil:
		return s, err
	case len(rows) == 0:
		return s, fmt.Errorf("session %s: %w", id, fs.ErrNotExist)
	case !dialect.Decode(rows[0].data, &s):
		return s, fmt.Errorf("session %s: %w", id, dialect.ErrUnknownFormat)
	}
	rows, err = from.rows("message", id)
	for _, r := range rows {
		m := message{id: r.id}
		m.broken = !dialect.Decode(r.data, &m)
		s.messages = append(s.messages, m)
	}
	return s, err
}

// markCopies marks the messages of a fork that an older session contains and has not taken back. A copy has the time of
// its original.
func (s session) markCopies(from store) error {
	if s.ParentID != "" || len(s.messages) == 0 || s.messages[0].Time.Created >= s.Time.Created {
		return nil // not a fork
	}
	related, err := from.related(s)
	if err != nil {
		return err
	}
	original := map[int64]bool{} // by time
	for _, id := range related {
		other, err := load(from, id)
		if err != nil {
			return err
		}
		if other.Time.Created < s.Time.Created {
			for _, m := range other.kept() {
				original[m.Time.Created] = true
			}
		}
	}
	for i := range s.messages {
		m := &s.messages[i]
		m.copied = m.Time.Created < s.Time.Created && original[m.Time.Created]
	}
	return nil
}
