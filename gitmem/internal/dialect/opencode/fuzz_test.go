package opencode

import (
	"os"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// rows yields the JSON of the rows of a table in the samples.
func rows(t testing.TB, table string) []string {
	t.Helper()
	sample, err := os.ReadFile("testdata/opencode.sql")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(sample)) {
		if !strings.HasPrefix(line, "INSERT INTO "+table+" ") {
			continue
		}
		if _, data, ok := strings.Cut(line, ", '{"); ok {
			out = append(out, "{"+strings.ReplaceAll(strings.TrimSuffix(strings.TrimSpace(data), "');"), "''", "'"))
		}
	}
	return out
}

func FuzzRecords(f *testing.F) {
	messages, parts := rows(f, "message"), rows(f, "part")
	if len(messages) < 10 || len(parts) < 10 {
		f.Fatal("no samples")
	}
	for i, part := range parts {
		f.Add(messages[i%len(messages)], part, parts[(i+1)%len(parts)], `{"messageID":"b"}`)
	}
	f.Fuzz(func(t *testing.T, data, first, second, revert string) {
		s := session{Title: first}
		dialect.Decode([]byte(revert), &s.Revert)
		dialect.Decode([]byte(data), &s.Permission)
		for _, id := range []string{"a", "b"} {
			m := message{id: id}
			m.broken = !dialect.Decode([]byte(data), &m)
			for _, data := range []string{first, second} {
				p := part{id: data}
				dialect.Decode([]byte(data), &p)
				m.parts = append(m.parts, p)
			}
			s.messages = append(s.messages, m)
		}
		if _, err := dialect.Encode(dialect.Session{ID: "s"}, s.records()); err != nil {
			t.Error(err)
		}
	})
}
