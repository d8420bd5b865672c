package markdown_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/markdown"
)

// TestWithoutConflicts: text that git has marked is blank, for every style and length of markers; text that
// only looks like a marker is kept.
func TestWithoutConflicts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"none", "# A\n\nText.\n", "# A\n\nText.\n"},
		{"one", "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\nd\n", "a\n\n\n\n\n\nd\n"},
		{"with a base", "<<<<<<< a\nb\n||||||| 12ab\no\n=======\nc\n>>>>>>> b\nd\n", "\n\n\n\n\n\n\nd\n"},
		{"CRLF", "a\r\n<<<<<<< HEAD\r\nb\r\n=======\r\nc\r\n>>>>>>> other\r\nd\r\n", "a\n\n\n\n\n\nd\n"},
		{"in the frontmatter", "---\n<<<<<<< HEAD\na: b\n=======\na: c\n>>>>>>> x\n---\nd\n", "---\n\n\n\n\n\n---\nd\n"},
		{"no label", "<<<<<<<\nb\n=======\nc\n>>>>>>>", "\n\n\n\n"},
		{"longer marks", "<<<<<<<<<< a\nb\n=======\n==========\nc\n>>>>>>>>>> b\nd\n", "\n\n\n\n\n\nd\n"},
		{"nested", "<<<<<<< a\n<<<<<<< a\nb\n=======\nc\n>>>>>>> b\n=======\nd\n>>>>>>> c\ne\n", "\n\n\n\n\n\n\n\n\ne\n"},
		{"nested in the base",
			"<<<<<<< a\nb\n||||||| m\n<<<<<<<<< 1\nb\n=========\nc\n>>>>>>>>> 2\n=======\nd\n>>>>>>> c\ne\n",
			"\n\n\n\n\n\n\n\n\n\n\ne\n"},
		{"two", "<<<<<<< a\nb\n=======\nc\n>>>>>>> b\nd\n<<<<<<< a\nb\n=======\n>>>>>>> b\n", "\n\n\n\n\nd\n\n\n\n\n"},
		{"heading", "Title\n=======\n\nText.\n", "Title\n=======\n\nText.\n"},
		{"not closed", "<<<<<<< a\nb\n=======\nc\n", "<<<<<<< a\nb\n=======\nc\n"},
		{"not parted", "<<<<<<< a\nb\n>>>>>>> b\n", "<<<<<<< a\nb\n>>>>>>> b\n"},
		{"one not closed before", "<<<<<<< a\nx\n<<<<<<< a\nb\n=======\nc\n>>>>>>> b\n", "<<<<<<< a\nx\n\n\n\n\n\n"},
		{"short", "<<<<<< a\nb\n======\nc\n>>>>>> b\n", "<<<<<< a\nb\n======\nc\n>>>>>> b\n"},
		{"indented", "    <<<<<<< a\n    =======\n    >>>>>>> b\n", "    <<<<<<< a\n    =======\n    >>>>>>> b\n"},
	} {
		got := markdown.WithoutConflicts([]byte(c.text))
		if len(got) != len(c.text) || strings.Count(string(got), "\n") != strings.Count(c.text, "\n") {
			t.Errorf("%s: %q of another shape", c.name, got)
		}
		if fold(string(got)) != fold(c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestWithoutWhatBelongsToConflicts: text after a conflict that belongs to something inside it is blank too.
// Otherwise it would belong to the text above the conflict.
func TestWithoutWhatBelongsToConflicts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"fields", "---\nwork:\n  role: a\n<<<<<<< o\n  at: x\nmeta:\n=======\n  at: y\nmeta:\n>>>>>>> t\n  role: 1\n" +
			"---\n\nText.\n", "---\nwork:\n  role: a\n---\n\nText.\n"},
		{"a field beside it", "---\nwork:\n<<<<<<< o\n  at: x\n=======\n  at: y\n>>>>>>> t\n  role: a\n---\n",
			"---\nwork:\n  role: a\n---\n"},
		{"items", "- a\n<<<<<<< o\n- b\n=======\n- c\n>>>>>>> t\n\n  - of b or c\n- d\n", "- a\n- d\n"},
		{"sections", "# A\na\n<<<<<<< o\n## B\n=======\n## C\n>>>>>>> t\nof B or C\n- b\n\n## D\nd\n", "# A\na\n## D\nd\n"},
	} {
		got := string(markdown.WithoutConflicts([]byte(tt.in)))
		if len(got) != len(tt.in) || strings.Count(got, "\n") != strings.Count(tt.in, "\n") {
			t.Errorf("%s: the lines of %q moved", tt.name, got)
		}
		var left strings.Builder
		for line := range strings.Lines(got) {
			if strings.TrimSpace(line) != "" || line == "\n" && strings.Contains(tt.want, "\n\nText") &&
				strings.HasSuffix(left.String(), "---\n") {
				left.WriteString(line)
			}
		}
		if left.String() != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, left.String(), tt.want)
		}
	}
}
