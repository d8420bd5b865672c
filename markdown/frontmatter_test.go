package markdown_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/markdown"
	"github.com/google/go-cmp/cmp"
)

func TestFrontmatter(t *testing.T) {
	t.Parallel()
	type fields = map[string]any
	tests := []struct {
		name, in string
		want     fields // nil: not read
		body     string
		err      bool
	}{
		{"yaml", "---\nformat: 1\nkind: sessions # dated\n---\n# a\n", fields{"format": 1, "kind": "sessions"}, "# a\n", false},
		{"crlf", "---\r\na: 'x y'\r\n---\r\nb", fields{"a": "x y"}, "b", false},
		{"bom", "\xef\xbb\xbf---\na: b\n---\nc", fields{"a": "b"}, "c", false},
		{"blanks behind the fences", "---  \na: b\n---\t\nc", fields{"a": "b"}, "c", false},
		{"no final newline", "---\na: b\n---", fields{"a": "b"}, "", false},
		{"empty", "---\n---\nx", fields{}, "x", false},
		{"nested", "---\nm:\n  on: {k: [1, a]}\nl:\n- x\nz: 1\n---\n",
			fields{"m": fields{"true": fields{"k": []any{1, "a"}}}, "l": []any{"x"}, "z": 1}, "", false},
		{"quoted keys", "---\n\"a b\": 1\n'c''d' : 2\n---\n", fields{"a b": 1, "c'd": 2}, "", false},
		{"keys in texts are no keys", "---\na: \"x\nb: y\"\nc: |\n  d: e\nf: [1,\ng: 2]\n---\n",
			fields{"a": "x b: y", "c": "d: e\n", "f": []any{1, fields{"g": 2}}}, "", false},
		{"indented fence", "---\na: |\n  x\n  ---\n  y\n---\nb", fields{"a": "x\n---\ny\n"}, "b", false},
		{"broken yaml", "---\na: [b\nc: d\n---\nx", nil, "x", true},
		{"a list", "---\n- a\n---\nx", nil, "x", true},
		{"not utf-8", "---\na: \xff\n---\nx", nil, "x", true},
		{"nul", "---\na: \x00\n---\nx", nil, "x", true},
		{"duplicate", "---\na: 1\nb: 2\na: 3\nc: 4\n---\n", fields{"a": 1, "b": 2, "c": 4}, "", true},
		{"toml", "+++\na = \"x\" # c\nd = 1979-05-27\n[t]\nk = 1\n+++\nx", nil, "x", false},
		{"toml tables", "+++\na = 1\n[[l]]\nk = 1\n[[l]]\nk = 2\n+++\n",
			fields{"a": int64(1), "l": []any{fields{"k": int64(1)}, fields{"k": int64(2)}}}, "", false},
		{"toml duplicate", "+++\na = 1\na = 2\n+++\n", nil, "", true},
		{"broken toml", "+++\na = \n+++\nx", nil, "x", true},
		{"deep toml", "+++\na = " + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + "\n+++\n", nil, "", true},
		{"large yaml", "---\na: " + strings.Repeat("x", 256<<10) + "\n---\ny", nil, "y", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := markdown.Parse([]byte(tt.in))
			checkDoc(t, d, []byte(tt.in))
			f := d.Front
			if f == nil {
				t.Fatalf("frontmatter = %+v", f)
			}
			if tt.want != nil || tt.err {
				if diff := cmp.Diff(tt.want, f.Fields); diff != "" {
					t.Errorf("fields: %s", diff)
				}
			}
			if (f.Err != nil) != tt.err || (tt.err && len(d.Skipped) == 0) {
				t.Errorf("err = %v, skipped %v", f.Err, d.Skipped)
			}
			if got := string(d.Body.Of(d.Source)); got != tt.body {
				t.Errorf("body = %q", got)
			}
		})
	}
}

func TestNoFrontmatter(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		skipped  int
	}{
		{"none", "# a\n", 0},
		{"empty file", "", 0},
		{"only a mark", "\xef\xbb\xbf", 0},
		{"never closed", "---\na: b\n", 1},
		{"fence at the end of the file", "---", 1},
		{"closed by the other fence", "+++\na = 1\n---\n", 1},
		{"closed by an indented fence", "---\na: b\n ---\n", 1},
		{"not at the top", "\n---\na: b\n---\n", 0},
		{"indented", " ---\na: b\n---\n", 0},
		{"four dashes", "----\na: b\n----\n", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := markdown.Parse([]byte(tt.in))
			checkDoc(t, d, []byte(tt.in))
			if d.Front != nil || len(d.Skipped) != tt.skipped {
				t.Errorf("frontmatter %+v, skipped %+v", d.Front, d.Skipped)
			}
		})
	}
}

func TestQuoteYAML(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"sessions": "sessions", "github.com/acme/pump": "github.com/acme/pump", "two words": "two words",
		"": `""`, "no": `"no"`, "Off": `"Off"`, "null": `"null"`, "1": `"1"`, "14:02": `"14:02"`, "a: b": `"a: b"`, "a ": `"a "`,
		"x\ny\t\"\\": `"x\ny\t\"\\"`, "\xff": "\"\ufffd\"", "é": `"é"`, "\u2028\x00": `"\u2028\x00"`, "-": `"-"`, "infinity": `"infinity"`,
	}
	for in, want := range tests {
		if got := markdown.QuoteYAML(in); got != want {
			t.Errorf("QuoteYAML(%q) = %s, want %s", in, got, want)
		}
	}
}
