package linear_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
)

func TestParseNamesTheLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                            "line 1",
		"classes a b\nx 1 2\nw 1 2\n": "line 3",
		"classes a b\nx 1 2\r\n":      "line 2",
		"w=x 1 2\n":                   "line 1",
		"classes a b\nw=x 1\n":        "line 2",
		"classes a b\nw=x 1 2 3\n":    "line 2",
		"classes a b\nw=x 1 two\n":    "line 2",
		"classes a b\nw=x 1 99999\n":  "line 2",
		"classes a b\nw=x -1 2\n":     "",
	} {
		_, err := linear.Parse(text)
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
