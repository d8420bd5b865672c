// Command bench is the other side of gitmem bench: the same documents and queries
// in SQLite FTS5. It is a module of its own, since gitmem needs neither SQLite nor
// a C compiler. gitmem bench builds and runs it; by hand:
//
//	go build -tags sqlite_fts5 -o fts5 .
//	fts5 build <db> <documents>
//	fts5 append <db> <documents>
//	fts5 warm <db> <queries> <rounds>
//	fts5 query <db> <words>...
//
// Documents are read from a stream of fields, each with its length in front; see
// readDocuments. Queries are lines of words without stop words.
package main

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	_ "github.com/mattn/go-sqlite3"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: build|append <db> <documents>, warm <db> <queries> <rounds>, query <db> <words>")

func run(args []string, out io.Writer) (err error) {
	if len(args) < 3 {
		return errUsage
	}
	verb, name, rest := args[0], args[1], args[2:]
	db, err := open(name, verb)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	switch {
	case verb == "build" && len(rest) == 1:
		return build(db, rest[0])
	case verb == "append" && len(rest) == 1:
		return appendDocuments(db, rest[0])
	case verb == "warm" && len(rest) == 2:
		rounds, err := strconv.Atoi(rest[1])
		if err != nil {
			return err
		}
		return warm(db, rest[0], rounds, out)
	case verb == "query":
		return query(db, strings.Join(rest, " "), out)
	}
	return errUsage
}

// open uses the write-ahead log with synchronous=normal, as a local index does
// that can be built again; readers can't write.
func open(name, verb string) (*sql.DB, error) {
	mode := "rwc"
	if verb == "warm" || verb == "query" {
		mode = "ro"
	}
	db, err := sql.Open("sqlite3", "file:"+name+"?mode="+mode+"&_journal_mode=WAL&_synchronous=NORMAL&_busy_timeout=5000")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}
