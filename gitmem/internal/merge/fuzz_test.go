package merge_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/internal/merge"
	"github.com/gitmem/gitmem/markdown"
)

// FuzzFile merges any three texts without a panic or loss, and symmetrically.
func FuzzFile(f *testing.F) {
	for _, s := range []string{
		"", "\n", "a", day + session("a", "1"), strings.ReplaceAll(day+session("a", "1"), "\n", "\r\n"), "\ufeff# A\n\ntext",
		"---\na: b\n---\n- [ ] a ^x\n  - b\n\n  text\n", "---\na: [\n---\n", "+++\na = 1\n+++\nx\n", "```\n# no\n",
		"- a\n  ```\n  code\n  ```\n- b\n\n\n1. c\n2. d\n",
		"a\n===\nb\n---\n> q\n\n| t |\n|---|\n", "<!-- c -->\n<div>\n- a\n</div>\n\n    code\n",
		"# A ^x\n## B ^x\n- a ^x\n- [conflict] b\n",
		"<<<<<<< a\nx\n||||||| o\ny\n=======\nz\n>>>>>>> b\n", "* * *\n- - a\n-\n  b\n\t- c\n", "a\x00\xff\r\nb\rc\n",
	} {
		f.Add([]byte(s), []byte(s+"\n- new ^n\n"), []byte("- first\n"+s), 0)
		f.Add([]byte(""), []byte(s), []byte(s+"# X\n\nx\n"), 1)
	}
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte, kind int) {
		if len(base)+len(ours)+len(theirs) > 1<<14 {
			t.Skip("larger than a merge needs to be to go wrong")
		}
		paths := []string{"a.md", "gitmem/projects/x/decisions/a.md", "gitmem/profile.md", "gitmem/config.yaml"}
		path := paths[max(kind, -(kind+1))%len(paths)]
		merged := merge.File(path, base, ours, theirs)
		if turned := merge.File(path, base, theirs, ours); !bytes.Equal(merged, turned) {
			t.Fatalf("turned: %q and %q", merged, turned)
		}
		checkLost(t, path, base, ours, theirs, merged)
	})
}

// checkLost checks that each word that a side added is in the result, and that the result has no markers and no
// unreadable frontmatter if both sides have readable ones.
func checkLost(t *testing.T, path string, base, ours, theirs, merged []byte) {
	t.Helper()
	if bytes.Equal(base, ours) || bytes.Equal(base, theirs) || bytes.Equal(ours, theirs) {
		return
	}
	if len(markdown.MarkedConflicts(merged)) > 0 {
		t.Fatalf("marks in %q", merged)
	}
	x, y, m := markdown.Parse(ours).Front, markdown.Parse(theirs).Front, markdown.Parse(merged).Front
	if strings.HasSuffix(path, ".md") && x != nil && y != nil && x.Err == nil && y.Err == nil &&
		(m == nil || m.Err != nil) {
		t.Fatalf("frontmatter of %q", merged)
	}
	if path == "gitmem/profile.md" || bytes.Contains(slicesJoin(ours, theirs), []byte("session: ")) ||
		marked(base, ours, theirs, merged) {
		return // lost values are in the history, as are lines written by programs; the words of markers are dropped
	}
	if strings.HasSuffix(path, ".yaml") && lacksValue(slicesJoin(ours, theirs)) {
		return // a key without a value has no content
	}
	had, has := set(base), set(merged)
	for _, side := range [][]byte{ours, theirs} {
		for word := range set(side) {
			if !had[word] && !has[word] {
				t.Fatalf("%q is lost: %q", word, merged)
			}
		}
	}
}

func slicesJoin(parts ...[]byte) []byte { return bytes.Join(parts, []byte("\n")) }

// lacksValue reports whether a key of YAML may have no value.
func lacksValue(text []byte) bool {
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "?") || strings.HasSuffix(line, ":") {
			return true
		}
	}
	return false
}

// marked reports whether a text has a line of git's markers, with or without a label.
func marked(texts ...[]byte) bool {
	return slices.ContainsFunc(texts, func(text []byte) bool {
		return markdown.ConflictMark(text) > 0 || len(markdown.MarkedConflicts(text)) > 0
	})
}

// set returns the words of a text with a letter, without block ids, which lost texts do not have.
func set(b []byte) map[string]bool {
	out := map[string]bool{}
	for _, word := range bytes.FieldsFunc(b, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '^' || r == '-' || r == '_')
	}) {
		// a number may be the marker of a list item
		if bytes.ContainsFunc(word, unicode.IsLetter) && !bytes.Contains(word, []byte("^")) {
			out[string(word)] = true
		}
	}
	return out
}
