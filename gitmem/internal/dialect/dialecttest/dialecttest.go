// Package dialecttest formats the records of sessions for review by a person, and creates databases from rows that a
// client wrote. Only tests use it.
package dialecttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// Readable formats a session for review by a person.
func Readable(s dialect.Session, records []dialect.Record) string {
	var b strings.Builder
	fmt.Fprintf(&b, "folder %s\n", s.Folder)
	where, before := "", dialect.Root
	for _, r := range records {
		if at := r.Cwd + " " + r.Branch; at != where {
			where = at
			fmt.Fprintf(&b, "in %s\n", where)
		}
		fmt.Fprintf(&b, "%s %s", r.Time.Format("15:04:05"), r.Speaker)
		for _, v := range []string{r.Model, begin(r.Thinking, "thinks "), begin(r.Text, "")} {
			if v != "" {
				b.WriteString(" | " + v)
			}
		}
		if r.Speaker != dialect.Title {
			if r.Parent != "" && r.Parent != before {
				b.WriteString(" | goes on from " + quoteOf(records, r.Parent))
			}
			before = r.ID
		}
		b.WriteString("\n")
		for _, c := range r.Calls {
			input, _ := json.Marshal(c.Input)
			fmt.Fprintf(&b, "\tcall %s %s %s\n", c.ID, c.Name, begin(string(input), ""))
		}
		for _, res := range r.Results {
			fmt.Fprintf(&b, "\tresult %s failed=%t %s", res.ID, res.Failed, begin(res.Text, ""))
			b.WriteString(begin(res.Report, "; reports ") + "\n")
		}
	}
	return b.String()
}

// quoteOf returns the start of the text of the record with an ID.
func quoteOf(records []dialect.Record, id string) string {
	for _, r := range records {
		if r.ID == id {
			return begin(r.Text, "")
		}
	}
	return id
}

// begin returns the start of a text with a label.
func begin(text, label string) string {
	if text == "" {
		return ""
	}
	if len(text) > 160 {
		text = text[:160] + "…"
	}
	return label + strings.ReplaceAll(text, "\n", `\n`)
}

// Line formats a record on one line, with at most most characters of its text.
func Line(r dialect.Record, most int) string {
	line := string(r.Speaker)
	if r.Parent != "" {
		line += " after " + r.Parent
	}
	if r.Thinking != "" {
		line += fmt.Sprintf(" thinks %q", r.Thinking)
	}
	if r.Text != "" {
		line += fmt.Sprintf(" %.*q", most, r.Text)
	}
	for _, c := range r.Calls {
		line += fmt.Sprintf("; %s %.60s", c.Name, c.Input)
	}
	for _, res := range r.Results {
		line += fmt.Sprintf("; %.30q", res.Text)
		if res.Failed {
			line += " failed"
		}
		if res.Report != "" {
			line += fmt.Sprintf(" reports %q", res.Report)
		}
	}
	return line
}

// Database creates a database from the rows in an SQL file and further statements.
func Database(name, rows string, statements ...string) error {
	script, err := os.ReadFile(rows)
	if err = errors.Join(err, os.MkdirAll(filepath.Dir(name), 0o700)); err != nil {
		return err
	}
	conn, err := sqlite.OpenConn(name, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return err
	}
	for _, s := range append([]string{string(script)}, statements...) {
		err = errors.Join(err, sqlitex.ExecuteScript(conn, s, nil))
	}
	return errors.Join(err, conn.Close())
}
