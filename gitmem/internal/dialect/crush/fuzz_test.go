package crush

import (
	"os"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

func FuzzRecords(f *testing.F) {
	sample, err := os.ReadFile("testdata/crush.sql")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(sample)) {
		if _, data, ok := strings.Cut(line, "'[{"); ok {
			data, _, _ = strings.Cut(data, "}]'")
			f.Add("user", "[{"+strings.ReplaceAll(data, "''", "'")+"}]")
		}
	}
	f.Fuzz(func(t *testing.T, role, parts string) {
		tr := translation{}
		for _, role := range []string{role, "user", "assistant", "tool"} {
			tr.message(message{id: "m", role: role, created: 1}, []byte(parts))
		}
		if _, err := dialect.Encode(dialect.Session{ID: "s"}, tr.out[:len(tr.out)-tr.running]); err != nil {
			t.Error(err)
		}
	})
}
