// Package sqlite reads SQLite databases that other programs may be writing. It leaves no file next to a database and
// never waits long for a writer.
//
// A database in WAL mode, as the clients use it, consists of up to three files. The newest rows may be only in
// NAME-wal, even after the client has exited: OpenCode exits without a checkpoint. NAME-shm is shared by the processes
// that have the database open. SQLite's usual read-only mode creates both files if they are missing, and needs a
// writable folder. Therefore the files that exist determine how a database is opened:
//
//   - Without a NAME-wal, or with an empty one, it is opened as immutable: SQLite takes no lock and touches no other
//     file. If the database changed during reading, it is read again.
//   - Otherwise it is opened for reading with readonly_shm: SQLite uses NAME-shm without writing to it. If no process
//     has the database open, SQLite builds its index of NAME-wal in memory.
//   - If that fails because NAME-shm is missing or the files may not be opened, the database and NAME-wal are copied
//     into a new temporary folder that only this user can read. It is removed after reading.
//
// There is one race: a client that exits right after the check of NAME-wal removes that file, and SQLite may then
// create an empty one. It is harmless. It must not be removed, because the next writer may already have it open.
//
// A reader in WAL mode does not wait for a writer, only for a process that rebuilds NAME-shm or makes the last
// checkpoint.
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
	// maxChanges is how often reading restarts if the database changes.
	maxChanges = 4
	// maxLock is the maximum wait for a lock. wait and maxWaits are the interval and the number of retries while a process
	// writes to NAME-shm, which takes microseconds.
	maxLock, wait, maxWaits = 2 * time.Second, 2 * time.Millisecond, 1000
	// maxTime is the maximum duration of reading, since a damaged database can keep SQLite busy forever.
	maxTime = time.Minute
)

// DB is a database at one point in time.
type DB struct{ conn *sqlite.Conn }

// Row is one row of a result.
type Row struct{ stmt *sqlite.Stmt }

// Text returns the column with a 0-based index, "" for NULL.
func (r Row) Text(column int) string { return r.stmt.ColumnText(column) }

// Int returns the column with a 0-based index, 0 for NULL.
func (r Row) Int(column int) int64 { return r.stmt.ColumnInt64(column) }

// Read calls read with the named database. All queries of read see the same point in time. If the database turns out to
// have changed meanwhile, read is called again and must start over.
//
// The error is [fs.ErrNotExist] if the file does not exist, and [dialect.ErrUnknownFormat] if it is not a database, is
// damaged, or lacks the queried tables.
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

// readInPlace reads a database at its location, with retries.
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
		// SQLite cannot wait while another process writes to NAME-shm, because it may not write there itself.
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

// state contains the properties of a database's files that show changes.
type state struct {
	size, wal int64
	modified  time.Time
}

func stateOf(file string) (state, error) {
	info, err := os.Stat(file)
	if err == nil && !info.Mode().IsRegular() { // opening a pipe might block forever
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

// open calls read with the database of an absolute name, opened with URI parameters.
func open(file, parameters string, read func(DB) error) error {
	path := "/" + strings.TrimPrefix(filepath.ToSlash(file), "/") // also for C:/folder
	uri := url.URL{Scheme: "file", Path: path, RawQuery: parameters}
	conn, err := sqlite.OpenConn(uri.String(), sqlite.OpenReadOnly|sqlite.OpenURI)
	if err != nil {
		return known(err)
	}
	defer conn.Close()
	conn.SetBusyTimeout(maxLock)
	ctx, stop := context.WithTimeout(context.Background(), maxTime) // SQLite can only be stopped this way
	defer stop()
	conn.SetInterrupt(ctx.Done())
	// One transaction sees one point in time. Functions in a malicious schema are not called.
	db := DB{conn}
	for _, statement := range [...]string{"PRAGMA trusted_schema=OFF", "BEGIN"} {
		if err := db.Query(statement, nil); err != nil {
			return err
		}
	}
	return read(db)
}

// Query calls row for each row of the result. Arguments are strings and numbers.
func (db DB) Query(query string, row func(Row), arguments ...any) error {
	each := func(s *sqlite.Stmt) error {
		row(Row{s})
		return nil
	}
	return known(sqlitex.Execute(db.conn, query, &sqlitex.ExecOptions{Args: arguments, ResultFunc: each}))
}

// known adds ErrUnknownFormat to an error that means that a database is not as expected.
func known(err error) error {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultError, sqlite.ResultCorrupt, sqlite.ResultNotADB:
		return fmt.Errorf("%w: %w", dialect.ErrUnknownFormat, err)
	}
	return err
}

// readCopy calls read with a copy of the database.
func readCopy(file string, read func(DB) error) (err error) {
	folder, err := os.MkdirTemp("", "gitmem-sqlite-") // accessible only to this user
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
		if after, _ := stateOf(file); before == after { // differs if a file was removed
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
