package opencode

import (
	"fmt"
	"hash/crc32"
	"io/fs"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/sqlite"
)

// list asks for the sessions. time_updated of a session does not change with everything: not with its
// title, and not with a command that the user runs. The last message and its parts are looked at too: to
// count all messages would take three times as long.
const list = `
SELECT s.id, coalesce(s.parent_id, ''), s.directory, s.title,
	max(s.time_updated, coalesce(m.time_updated, 0),
		coalesce((SELECT max(time_updated) FROM part WHERE message_id = m.id), 0)),
	(SELECT count(*) FROM part WHERE message_id = m.id)
FROM session s LEFT JOIN message m ON m.id = (
	SELECT id FROM message WHERE session_id = s.id ORDER BY time_created DESC, id DESC LIMIT 1)
ORDER BY s.time_created, s.id`

func listDatabase(file string) ([]dialect.Session, error) {
	var out []dialect.Session
	parents := map[string]string{}
	err := sqlite.Read(file, func(db sqlite.DB) error {
		out = nil
		return db.Query(list, func(r sqlite.Row) {
			id := r.Text(0)
			if !valid(id) {
				return
			}
			parents[id] = r.Text(1)
			title := crc32.ChecksumIEEE([]byte(r.Text(3))) % uint32(time.Millisecond) // below the time's resolution
			out = append(out, dialect.Session{
				Source: file, ID: id, Folder: r.Text(2),
				MtimeNs: r.Int(4)*int64(time.Millisecond) + int64(title), Size: r.Int(5),
			})
		})
	})
	if err != nil {
		return nil, err
	}
	return attach(out, parents), nil
}

// readDatabase reads a session with its messages, without those that a fork copied.
func readDatabase(file, id string) (session, error) {
	var s session
	err := sqlite.Read(file, func(db sqlite.DB) error {
		load := func(id string) (session, error) { return load(db, id) }
		var err error
		if s, err = load(id); err != nil || !s.mayBeFork() {
			return err
		}
		ids, err := older(db, s)
		if err != nil {
			return err
		}
		return s.leaveOutCopies(ids, load)
	})
	return s, err
}

// load reads a session with all its messages and their parts.
func load(db sqlite.DB, id string) (session, error) {
	s, err := row(db, id)
	if err != nil {
		return s, err
	}
	s.messages, err = messages(db, id)
	return s, err
}

func row(db sqlite.DB, id string) (session, error) {
	var s session
	err := db.Query(`SELECT coalesce(parent_id, ''), project_id, directory, title, time_created, permission, revert
FROM session WHERE id = ?`, func(r sqlite.Row) {
		s = session{id: id, ParentID: r.Text(0), ProjectID: r.Text(1), Directory: r.Text(2), Title: r.Text(3)}
		s.Time.Created = r.Int(4)
		decode([]byte(r.Text(5)), &s.Permission)
		decode([]byte(r.Text(6)), &s.Revert)
	}, id)
	if err == nil && s.id == "" {
		err = fmt.Errorf("session %s: %w", id, fs.ErrNotExist)
	}
	return s, err
}

// messages reads the messages of a session with their parts.
func messages(db sqlite.DB, session string) ([]message, error) {
	var out []message
	err := db.Query(`SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id`,
		func(r sqlite.Row) {
			m := message{id: r.Text(0), created: r.Int(1)}
			m.broken = !decode([]byte(r.Text(2)), &m)
			out = append(out, m)
		}, session)
	for i := range out {
		m := &out[i]
		if err == nil {
			err = db.Query(`SELECT id, data FROM part WHERE message_id = ? ORDER BY id`, func(r sqlite.Row) {
				m.add(r.Text(0), []byte(r.Text(1)))
			}, m.id)
		}
	}
	return out, err
}

// older are the sessions of the project that were there before a fork and have its first message.
func older(db sqlite.DB, s session) ([]string, error) {
	var out []string
	err := db.Query(`SELECT id FROM session WHERE project_id = ? AND id <> ? AND time_created < ?
AND EXISTS (SELECT 1 FROM message WHERE session_id = session.id AND message.time_created = ?)`,
		func(r sqlite.Row) {
			out = append(out, r.Text(0))
		}, s.ProjectID, s.id, s.Time.Created, s.messages[0].created)
	return out, err
}
