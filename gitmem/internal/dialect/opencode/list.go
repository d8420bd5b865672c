package opencode

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/sqlite"
)

// list selects the sessions. time_updated of a session does not change with its title or with a command that the user
// runs, so the last message and its parts are used too. Counting all messages would take three times as long.
const list = `
SELECT s.id, coalesce(s.parent_id, ''), s.directory, s.title,
	max(s.time_updated, coalesce(m.time_updated, 0),
		coalesce((SELECT max(time_updated) FROM part WHERE message_id = m.id), 0)),
	(SELECT count(*) FROM part WHERE message_id = m.id)
FROM session s LEFT JOIN message m ON m.id = (
	SELECT id FROM message WHERE session_id = s.id ORDER BY time_created DESC, id DESC LIMIT 1)
ORDER BY s.time_created, s.id`

// listing collects sessions.
type listing struct {
	sessions []dialect.Session
	parents  map[string]string
}

func (l *listing) add(s dialect.Session, parent string) {
	if dialect.ValidID(s.ID) {
		l.sessions, l.parents[s.ID] = append(l.sessions, s), parent
	}
}

func (l *listing) database(file string) error {
	before := l.sessions
	return sqlite.Read(file, func(db sqlite.DB) error {
		l.sessions = before
		return db.Query(list, func(r sqlite.Row) {
			changed := dialect.Changed(r.Int(4), time.Millisecond, r.Text(3))
			l.add(dialect.Session{
				Source: file, ID: r.Text(0), Folder: r.Text(2), MtimeNs: changed, Size: r.Int(5),
			}, r.Text(1))
		})
	})
}

// files lists the sessions of the older store that are in no database. The client rewrote the message of a step when
// the step ended.
func (l *listing) files(storage string) (errs []error) {
	root := os.DirFS(storage)
	names, _ := fs.Glob(root, "session/*/*.json") // the pattern is valid
	for _, name := range names {
		id := idOf(name)
		if _, known := l.parents[id]; known {
			continue
		}
		var s session
		file := filepath.Join(storage, name)
		data, err := dialect.Contents(file)
		if err == nil && !dialect.Decode(data, &s) {
			err = dialect.ErrUnknownFormat
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", file, err))
			continue
		}
		messages, _ := fs.Glob(root, path.Join("message", id, "*.json"))
		listed := dialect.Session{Source: file, ID: id, Folder: s.Directory, Size: int64(len(messages))}
		for _, look := range append(messages[max(0, len(messages)-1):], name) { // the ids are ascending
			if info, err := fs.Stat(root, look); err == nil {
				listed.MtimeNs = max(listed.MtimeNs, info.ModTime().UnixNano())
			}
		}
		l.add(listed, s.ParentID)
	}
	return errs
}

// attached returns the sessions with subagents attached. A session with a parent is a subagent; nested subagents belong
// to the session of the user.
func (l *listing) attached() []dialect.Session {
	for i := range l.sessions {
		s := &l.sessions[i]
		if l.parents[s.ID] != "" {
			s.Agent = s.ID
		}
		for n := 0; l.parents[s.ID] != "" && n < 100; n++ { // forged parents may form a cycle
			s.ID = l.parents[s.ID]
		}
		if !dialect.ValidID(s.ID) {
			s.ID = ""
		}
	}
	return l.sessions
}
