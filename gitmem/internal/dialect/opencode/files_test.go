package opencode_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/opencode"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/sqlite"
)

// writeFiles writes the sessions of a database in the format of the older store, into a folder storage next to it.
func writeFiles(t *testing.T, database string) string {
	t.Helper()
	storage := filepath.Join(filepath.Dir(database), "storage")
	write := func(text string, path ...string) {
		file := filepath.Join(append([]string{storage}, path...)...) + ".json"
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := sqlite.Read(database, func(db sqlite.DB) error {
		return errors.Join(
			db.Query(`SELECT id, json_object('id', id, 'projectID', project_id, 'parentID', parent_id, 'directory', directory,
'title', title, 'time', json_object('created', time_created, 'updated', time_updated),
'permission', json(permission), 'revert', json(revert)) FROM session`, func(r sqlite.Row) {
				write(r.Text(1), "session", "project", r.Text(0))
			}),
			db.Query(`SELECT session_id, id, json_set(data, '$.id', id, '$.sessionID', session_id) FROM message`,
				func(r sqlite.Row) {
					write(r.Text(2), "message", r.Text(0), r.Text(1))
				}),
			db.Query(`SELECT message_id, id, json_set(data, '$.id', id, '$.messageID', message_id) FROM part`,
				func(r sqlite.Row) {
					write(r.Text(2), "part", r.Text(0), r.Text(1))
				}))
	})
	if err != nil {
		t.Fatal(err)
	}
	return storage
}

func TestOlderStore(t *testing.T) {
	folder := home(t)
	database := filepath.Join(folder, ".local", "share", "opencode", "opencode.db")
	storage := writeFiles(t, database)
	inDatabase := sessions(t, folder)
	for id, s := range inDatabase {
		if s.Source != database {
			t.Errorf("%s: the database does not count: %s", id, s.Source)
		}
	}
	want := map[string][]string{}
	for id, s := range inDatabase {
		want[id] = show(t, s)
	}
	if err := os.Remove(database); err != nil {
		t.Fatal(err)
	}
	inFiles := sessions(t, folder)
	got := map[string][]string{}
	for id, s := range inFiles {
		got[id] = show(t, s)
		if other := inDatabase[id]; s.ID != other.ID || s.Agent != other.Agent || s.Folder != other.Folder {
			t.Errorf("%+v, in the database %+v", s, other)
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	before := inFiles[typed]
	parts, _ := filepath.Glob(filepath.Join(storage, "part", "*", "*.json"))
	for _, file := range append(parts, filepath.Join(storage, "session", "project", fork+".json")) {
		if err := os.WriteFile(file, []byte(`{"type":`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, errs := opencode.Sessions(folder, noEnv)
	if len(list) != 4 || len(errs) != 1 || !errors.Is(errs[0], dialect.ErrUnknownFormat) {
		t.Errorf("broken files: %d sessions, %v", len(list), errs)
	}
	records, err := opencode.Records(before)
	if err != nil || len(records) != 5 || records[1].Speaker != dialect.Broken {
		t.Errorf("broken parts: %v, %v", records, err)
	}
}

func TestRecordsOfWhatIsGone(t *testing.T) {
	s := sessions(t, home(t))[typed]
	s.ID = "ses_other"
	if records, err := opencode.Records(s); len(records) > 0 || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, %v", records, err)
	}
	s.Source = filepath.Join(t.TempDir(), "opencode.db")
	if err := os.WriteFile(s.Source, []byte("SQLite format 3\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := opencode.Records(s); !errors.Is(err, dialect.ErrUnknownFormat) {
		t.Errorf("got %v", err)
	}
}
