package main

import (
	"database/sql"
	"errors"
)

// schema keeps the text in a table and the index beside it, so that a query can
// show what it found. Columns that are not searched are in the table alone.
const schema = `
CREATE TABLE message (row INTEGER PRIMARY KEY, id TEXT, session TEXT, at TEXT, content TEXT, tool TEXT, paths TEXT);
CREATE VIRTUAL TABLE found USING fts5 (content, tool, paths, content='message', content_rowid='row', tokenize='porter unicode61');
`

const (
	insertMessage = `INSERT INTO message (id, session, at, content, tool, paths) VALUES (?, ?, ?, ?, ?, ?)`
	insertFound   = `INSERT INTO found (rowid, content, tool, paths) VALUES (?, ?, ?, ?)`
)

// build makes the tables in one transaction. The index is filled from the table at
// once, which takes less time than row by row.
func build(db *sql.DB, name string) error {
	if _, err := db.Exec(schema); err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	if err := insert(tx, name, false); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if _, err := tx.Exec(`INSERT INTO found (found) VALUES ('rebuild')`); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// appendDocuments adds documents to tables that are there.
func appendDocuments(db *sql.DB, name string) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	if err := insert(tx, name, true); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// insert adds the documents of a file to the table, and to the index if asked.
func insert(tx *sql.Tx, name string, indexed bool) error {
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
	for d, err := range readDocuments(name) {
		if err != nil {
			return err
		}
		content := d.text
		if d.title != "" {
			content = d.title + "\n" + d.text
		}
		res, err := message.Exec(d.id, d.session, d.time, content, d.tool, d.paths)
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
		if _, err := found.Exec(row, content, d.tool, d.paths); err != nil {
			return err
		}
	}
	return nil
}
