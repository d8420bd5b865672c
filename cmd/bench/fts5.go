//go:build cgo && sqlite_fts5

package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"

	_ "github.com/mattn/go-sqlite3"

	"github.com/gitmem/gitmem/cmd/bench/corpus"
)

// noPeer is why FTS5 is not measured; this build measures it.
const noPeer = ""

const peerUsage = "usage: build|append DB DOCUMENTS, delete DB SESSION, warm DB QUERIES, query DB WORDS"

// peerVerb is the FTS5 side, with a process for each measurement.
func peerVerb(s *setup) func(context.Context) (report, error) {
	return func(context.Context) (r report, err error) {
		if s.NArg() < 3 {
			return nil, fmt.Errorf("%w: %s", errUsage, peerUsage)
		}
		what, name, rest := s.Arg(0), s.Arg(1), strings.Join(s.Args()[2:], " ")
		db, err := openTables(name, what)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		switch what {
		case "build":
			return nil, inTransaction(db, func(tx *sql.Tx) error { return buildTables(tx, rest) })
		case "append":
			return nil, inTransaction(db, func(tx *sql.Tx) error { return insert(tx, rest, true) })
		case "delete":
			return nil, inTransaction(db, func(tx *sql.Tx) error { return deleteSession(tx, rest) })
		case "warm":
			return nil, warmTables(db, rest, s.out)
		case "query":
			return nil, query(db, rest, s.out)
		}
		return nil, fmt.Errorf("%w: %s", errUsage, peerUsage)
	}
}

// openTables opens the database with the write-ahead log and synchronous=normal, which suits a local index
// that can be rebuilt. Readers open it read-only.
func openTables(name, what string) (*sql.DB, error) {
	mode := "rwc"
	if what == "warm" || what == "query" {
		mode = "ro"
	}
	db, err := sql.Open("sqlite3", "file:"+name+"?mode="+mode+"&_journal_mode=WAL&_synchronous=NORMAL&_busy_timeout=5000")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

func inTransaction(db *sql.DB, do func(*sql.Tx) error) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// schema stores the text in a table and the index next to it, so that a query can show its results. Columns
// that are not searched are only in the table.
const schema = `
CREATE TABLE message (row INTEGER PRIMARY KEY, id TEXT, session TEXT, at TEXT, content TEXT, tool TEXT, paths TEXT);
CREATE INDEX by_session ON message (session);
CREATE VIRTUAL TABLE found USING fts5 (content, tool, paths,
	content='message', content_rowid='row', tokenize='porter unicode61');
`

const (
	insertMessage = `INSERT INTO message (id, session, at, content, tool, paths) VALUES (?, ?, ?, ?, ?, ?)`
	insertFound   = `INSERT INTO found (rowid, content, tool, paths) VALUES (?, ?, ?, ?)`
)

// buildTables fills the index from the table at once, which is faster than row by row.
func buildTables(tx *sql.Tx, documents string) error {
	if _, err := tx.Exec(schema); err != nil {
		return err
	}
	if err := insert(tx, documents, false); err != nil {
		return err
	}
	_, err := tx.Exec(`INSERT INTO found (found) VALUES ('rebuild')`)
	return err
}

// insert adds the documents of a file to the table, and to the index if indexed is set.
func insert(tx *sql.Tx, documents string, indexed bool) error {
	message, err := tx.Prepare(insertMessage)
	if err != nil {
		return err
	}
	defer message.Close()
	found, err := tx.Prepare(insertFound)
	if err != nil {
		return err
	}
	defer found.Close()
	for d, err := range corpus.ReadDocuments(documents) {
		if err != nil {
			return err
		}
		res, err := message.Exec(d.ID, d.Session, d.Time, d.Text, d.Tool, d.Path)
		if err != nil {
			return err
		}
		if !indexed {
			continue
		}
		row, err := res.LastInsertId()
		if err != nil {
			return err
		}
		if _, err := found.Exec(row, d.Text, d.Tool, d.Path); err != nil {
			return err
		}
	}
	return nil
}

// deleteSession deletes a session from the index, which requires the original text, and then its rows.
func deleteSession(tx *sql.Tx, session string) error {
	_, err := tx.Exec(`INSERT INTO found (found, rowid, content, tool, paths) SELECT 'delete', row, content, tool, `+
		`paths FROM message WHERE session = ?`, session)
	if err == nil {
		_, err = tx.Exec(`DELETE FROM message WHERE session = ?`, session)
	}
	return err
}

// ranked uses the cheaper of FTS5's two forms of ranking.
const ranked = `SELECT rowid, bm25(found, 10, 1, 2) AS score FROM found WHERE found MATCH ? ORDER BY score LIMIT 20`

const shown = `SELECT id, session, at, substr(content, 1, 280), score FROM (` + ranked +
	`) JOIN message ON row = rowid ORDER BY score`

// match returns a query that matches any of the words. A compound is split into its parts, like in the
// tokeniser.
func match(words string) string {
	var quoted []string
	seen := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(words), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if !seen[w] {
			seen[w] = true
			quoted = append(quoted, `"`+w+`"`)
		}
	}
	return strings.Join(quoted, " OR ")
}

// warmTables runs each query once to warm up, and once more to measure it.
func warmTables(db *sql.DB, name string, out io.Writer) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	queries := strings.Split(strings.TrimSpace(string(b)), "\n")
	stmt, err := db.Prepare(ranked)
	if err != nil {
		return err
	}
	defer stmt.Close()
	var before time.Duration
	hits := 0
	for range 2 {
		before, _ = cpuTime()
		hits = 0
		for _, q := range queries {
			n, err := top(stmt, match(q))
			if err != nil {
				return fmt.Errorf("%q: %w", q, err)
			}
			hits += n
		}
	}
	after, _ := cpuTime()
	return json.NewEncoder(out).Encode(map[string]float64{"hits": float64(hits),
		"cpu_ms": milliseconds(after-before) / float64(len(queries))})
}

func top(stmt *sql.Stmt, match string) (int, error) {
	rows, err := stmt.Query(match)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		var row int64
		var score float64
		if err := rows.Scan(&row, &score); err != nil {
			return n, err
		}
		n++
	}
	return n, rows.Err()
}

// query prints the best messages with the beginning of their text.
func query(db *sql.DB, words string, out io.Writer) error {
	rows, err := db.Query(shown, match(words))
	if err != nil {
		return err
	}
	defer rows.Close()
	for n := 1; rows.Next(); n++ {
		var id, session, at, text string
		var score float64
		if err := rows.Scan(&id, &session, &at, &text, &score); err != nil {
			return err
		}
		fmt.Fprintf(out, "%d. %s %s (%s) %.3f\n   > %s\n", n, id, session, at, -score, strings.ReplaceAll(text, "\n", " "))
	}
	return rows.Err()
}
