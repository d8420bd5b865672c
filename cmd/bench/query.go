package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"
)

// ranked is the cheaper of the two forms that FTS5 has for its ranking.
const ranked = `SELECT rowid, bm25(found, 10, 1, 2) AS score FROM found WHERE found MATCH ? ORDER BY score LIMIT 20`

const shown = `SELECT id, session, at, substr(content, 1, 280), score FROM (` + ranked + `) JOIN message ON row = rowid ORDER BY score`

// match is a query that any of the words fulfils. A compound is its parts, as the
// tokeniser has it.
func match(words string) string {
	var quoted []string
	seen := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(words), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !seen[w] {
			seen[w] = true
			quoted = append(quoted, `"`+w+`"`)
		}
	}
	return strings.Join(quoted, " OR ")
}

// timed is what warm tells: the processor's time of all queries of all rounds, and
// of each query the wall time of each round.
type timed struct {
	Queries int       `json:"queries"`
	CPU     float64   `json:"cpu_seconds"`
	Known   bool      `json:"cpu_known"`
	WallMS  []float64 `json:"wall_ms"`
	Hits    int       `json:"hits"`
}

// warm answers each query once to warm up and then so many rounds.
func warm(db *sql.DB, name string, rounds int, out io.Writer) error {
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
	res := timed{Queries: len(queries)}
	for _, q := range queries {
		n, err := top(stmt, match(q))
		if err != nil {
			return fmt.Errorf("%q: %w", q, err)
		}
		res.Hits += n
	}
	before, known := cpuTime()
	for range rounds {
		for _, q := range queries {
			start := time.Now()
			if _, err := top(stmt, match(q)); err != nil {
				return err
			}
			res.WallMS = append(res.WallMS, float64(time.Since(start).Microseconds())/1000)
		}
	}
	after, _ := cpuTime()
	res.CPU, res.Known = (after - before).Seconds(), known
	return json.NewEncoder(out).Encode(res)
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
