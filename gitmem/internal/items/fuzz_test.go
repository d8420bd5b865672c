package items_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/items"
	"github.com/gitmem/gitmem/providers"
)

// FuzzScan reads logs with any content: every byte belongs to a line, and every record that is read is in the log.
func FuzzScan(f *testing.F) {
	line, err := items.Line(whole())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(line)
	f.Add(append(bytes.Repeat([]byte("x"), 70_000), line...))
	f.Add([]byte("00000000\t-\tx\n\n\t\n"))
	f.Fuzz(func(t *testing.T, log []byte) {
		records, bad := items.Scan(log)
		lines := bytes.Count(log, []byte{'\n'})
		if len(log) > 0 && log[len(log)-1] != '\n' {
			lines++
		}
		if len(records)+bad != lines {
			t.Fatalf("%d records and %d damaged of %d lines", len(records), bad, lines)
		}
		for _, r := range records {
			if r.Offset < 0 || r.Offset+r.Length > int64(len(log)) || log[r.Offset+r.Length-1] != '\n' {
				t.Fatalf("%s lies at %d, %d bytes, of %d", r.ID, r.Offset, r.Length, len(log))
			}
		}
		items.ParseState(log)
	})
}

// FuzzRecord writes an item and reads it again.
func FuzzRecord(f *testing.F) {
	f.Add("github:pr:1", "title", "text\n\ttabs", "closes", "x y=z%", "a\tb")
	f.Fuzz(func(t *testing.T, id, title, text, rel, link, path string) {
		it := providers.Item{ID: id, Title: title, Text: text, Paths: []string{path},
			Links: []providers.Link{{Rel: providers.Rel(rel), ID: link}, {Rel: "x", ID: link}}}
		line, err := items.Line(it)
		if err != nil {
			return
		}
		records, bad := items.Scan(append([]byte("junk\n"), line...))
		if len(records) != 1 || bad != 1 {
			t.Fatalf("%d records, %d damaged of %q", len(records), bad, line)
		}
		if diff := cmp.Diff(it.Links, records[0].Links); diff != "" || records[0].ID != id {
			t.Fatalf("%q: %s", records[0].ID, diff)
		}
	})
}
