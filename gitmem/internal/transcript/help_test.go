package transcript_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// read returns all messages of text from the beginning, with the reader.
func read(t testing.TB, text string) ([]transcript.Message, *transcript.Reader) {
	t.Helper()
	return readFrom(t, text, transcript.Position{})
}

// readFrom returns the messages of text after a position.
func readFrom(t testing.TB, text string, at transcript.Position) ([]transcript.Message, *transcript.Reader) {
	t.Helper()
	r := transcript.NewReader(strings.NewReader(text[at.Offset:]), at)
	var all []transcript.Message
	for m, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all, r
}

func testdata(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func texts(all []transcript.Message) []string {
	var out []string
	for _, m := range all {
		out = append(out, m.Text)
	}
	return out
}
