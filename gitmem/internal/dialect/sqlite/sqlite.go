// Package sqlite reads SQLite databases that other programs may be writing. It leaves no file beside a
// database and never waits long for a writer.
//
// A database in WAL mode, as the clients use it, is up to three files. The newest rows may be in NAME-wal
// only, also after the client has ended: OpenCode ends without a checkpoint. NAME-shm is what the
// processes that have it open share. How a database is opened depends on these files, because SQLite in
// its usual read-only mode makes both where they are missing, and needs a folder that it may write to:
//
//   - Without a NAME-wal, or with an empty one, it is opened as immutable: SQLite takes no lock and
//     touches no other file. If the database changed while it was read, it is read again.
//   - Else it is opened for reading with readonly_shm: SQLite uses NAME-shm without writing to it. If no
//     process has the database open, SQLite builds its index of NAME-wal in memory.
//   - If that fails because NAME-shm is missing or the files may not be opened, the database and NAME-wal
//     are copied into a new temporary folder that only this user can read. It is removed after reading.
//
// There is one gap: a client that ends just after NAME-wal was looked at removes that file, and SQLite
// may then make an empty one. It is harmless, and must not be removed because the next process that
// writes may have it open already.
//
// A reader in WAL mode does not wait for a writer, only for a process that rebuilds NAME-shm or makes
// the last checkpoint.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

const (
	// maxChanges is how often to begin anew with a database that changes.
	maxChanges = 4
	// maxLock is how long to wait for a lock, wait and maxWaits how long and how often for a process that
	// is writing to NAME-shm, which takes it microseconds.
	maxLock, wait, maxWaits = 2 * time.Second, 2 * time.Millisecond, 1000
	// maxTime is how long reading may take: a damaged database can keep SQLite busy without end.
	maxTime = time.Minute
)

// DB is a database at one point in time.
type DB struct{ conn *sqlite.Conn }

// Row is one row of an answer.
type Row struct{ stmt *sqlite.Stmt }

// Text returns a column, counted from 0, "" for NULL.
func (r Row) Text(column int) string { return r.stmt.ColumnText(column) }

// Int returns a column, counted from 0, 0 for NULL.
func (r Row) Int(column int) int64 { return r.stmt.ColumnInt64(column) }

// Read calls read with the database of that name. All that read asks sees the same point in time. It is
// called again if the database turns out to have changed meanwhile, and then has to start anew.
//
// The error is [fs.ErrNotExist] where there is no such file, and [dialect.ErrUnknownFormat] where it is
// no database, is damaged, or lacks what was asked for.
func Read(file string, read func(DB) error) error {
	err := readInPlace(file, read)
	if code := sqlite.ErrCode(err).ToPrimary(); code == sqlite.ResultCantOpen || code == sqlite.ResultReadOnly {
		err = readCopy(file, read)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// readInPlace reads a database where it lies, again if that has to be.
func readInPlace(file string, read func(DB) error) error {
	for waits, changes := 0, 0; ; {
		before, err := stateOf(file)
		if err != nil {
			return err
		}
		parameters := "mode=ro&readonly_shm=1"
		if before.wal == 0 {
			parameters = "immutable=1"
		}
		err = open(file, parameters, read)
		// While another process is writing to NAME-shm, SQLite can't wait for it, because it may not write there.
		code := sqlite.ErrCode(err)
		beingWritten := code == sqlite.ResultReadOnlyRecovery || code == sqlite.ResultReadOnlyCantInit
		after, _ := stateOf(file)
		switch {
		case beingWritten && waits < maxWaits:
			waits++
			time.Sleep(wait)
		case before != after && (before.wal == 0 || err != nil) && changes < maxChanges:
			changes++
		default:
			return err
		}
	}
}

// state is what of a database's files tells that they changed.
type state struct {
	size, wal int64
	modified  time.Time
}

func stateOf(file string) (state, error) {
	info, err := os.Stat(file)
	if err == nil && !info.Mode().IsRegular() { // opening a pipe might never end
		err = dialect.ErrUnknownFormat
	}
	if err != nil {
		return state{}, err
	}
	s := state{size: info.Size(), modified: info.ModTime()}
	if info, err = os.Stat(file + "-wal"); err == nil {
		s.wal = info.Size()
	}
	return s, nil
}

// open calls read with the database of an absolute name, opened with the parameters of an URI.
func open(file, parameters string, read func(DB) error) error {
	path := "/" + strings.TrimPrefix(filepath.ToSlash(file), "/") // also of C:/folder
	uri := url.URL{Scheme: "file", Path: path, RawQuery: parameters}
	conn, err := sqlite.OpenConn(uri.String(), sqlite.OpenReadOnly|sqlite.OpenURI)
	if err != nil {
		return known(err)
	}
	defer conn.Close()
	conn.SetBusyTimeout(maxLock)
	ctx, stop := context.WithTimeout(context.Background(), maxTime) // SQLite can be stopped by nothing else
	defer stop()
	conn.SetInterrupt(ctx.Done())
	// One transaction sees one point in time. Functions that a hostile schema names are not called.
	db := DB{conn}
	for _, statement := range [...]string{"PRAGMA trusted_schema=OFF", "BEGIN"} {
		if err := db.Query(statement, nil); err != nil {
			return err
		}
	}
	return read(db)
}

// Query calls row for each row of the answer. Arguments are strings and numbers.
func (db DB) Query(query string, row func(Row), arguments ...any) error {
	each := func(s *sqlite.Stmt) error {
		row(Row{s})
		return nil
	}
	return known(sqlitex.Execute(db.conn, query, &sqlitex.ExecOptions{Args: arguments, ResultFunc: each}))
}

// known adds ErrUnknownFormat to an error that says that a database is not what was expected.
func known(err error) error {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultError, sqlite.ResultCorrupt, sqlite.ResultNotADB:
		return fmt.Errorf("%w: %w", dialect.ErrUnknownFormat, err)
	}
	return err
}

// readCopy calls read with a copy of the database.
func readCopy(file string, read func(DB) error) (err error) {
	folder, err := os.MkdirTemp("", "gitmem-sqlite-") // for this user only
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	copied := filepath.Join(folder, "copy.db")
	for range maxChanges {
		before, err := stateOf(file)
		if err == nil {
			err = copyFile(file, copied)
		}
		if wal := copyFile(file+"-wal", copied+"-wal"); err == nil && !errors.Is(wal, fs.ErrNotExist) {
			err = wal
		}
		if err != nil {
			return err
		}
		if after, _ := stateOf(file); before == after { // of a file that is gone it differs
			return open(copied, "mode=ro", read)
		}
	}
	return errors.New("changes too fast to be copied")
}

func copyFile(file, to string) error {
	in, err := dialect.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
