package markdown_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/markdown"
	"github.com/google/go-cmp/cmp"
)

func TestFrontmatter(t *testing.T) {
	t.Parallel()
	type fields = map[string]any
	tests := []struct {
		name, in string
		want     fields // nil: not parsed
		body     string
		err      bool
	}{
		{"yaml", "---\nformat: 1\nkind: sessions # dated\n---\n# a\n", fields{"format": 1, "kind": "sessions"},
			"# a\n", false},
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
		"": `""`, "no": `"no"`, "Off": `"Off"`, "null": `"null"`, "1": `"1"`, "14:02": `"14:02"`,
		"a: b": `"a: b"`, "a ": `"a "`,
		"x\ny\t\"\\": `"x\ny\t\"\\"`, "\xff": "\"\ufffd\"", "é": `"é"`, "\u2028\x00": `"\u2028\x00"`, "-": `"-"`,
		"infinity": `"infinity"`,
	}
	for in, want := range tests {
		if got := markdown.QuoteYAML(in); got != want {
			t.Errorf("QuoteYAML(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestFieldForms(t *testing.T) {
	t.Parallel()
	front := markdown.Parse([]byte("---\nname: \"\"\ndate: 2026-03-01T10:00:00Z\nmetadata:\n  name: pump\n" +
		"  kind: memory\n  created: 2026-04-02 10:00\n---\n")).Front
	for key, want := range map[string]string{"name": "pump", "kind": "memory", "none": ""} {
		if got := front.Field(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	for key, want := range map[string]string{"date": "2026-03-01", "created": "2026-04-02", "kind": "0001-01-01",
		"none": "0001-01-01"} {
		if got := front.Day(key).Format(time.DateOnly); got != want {
			t.Errorf("the day of %s is %s, want %s", key, got, want)
		}
	}
}

func TestUnquotedGlobs(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, front string
		want        map[string]any // nil: not understood
	}{
		{"a glob that begins with a star", "paths: **/*.ts\n", map[string]any{"paths": "**/*.ts"}},
		{"with a comment line and other keys", "# which\npaths: **/*.ts, lib/**\r\nname: ts\n",
			map[string]any{"paths": "**/*.ts, lib/**", "name": "ts"}},
		{"a list of them", "paths:\n  - **/*.ts\n  - \"src/**\"\n", map[string]any{"paths": []any{"**/*.ts", "src/**"}}},
		{"a list on one line", "paths: [**/*.ts, b]\n", nil},
		{"braces in front", "paths: {src,lib}/**\n", nil},
		{"a colon within text", "name: a\ndescription: Use when: it rains\n",
			map[string]any{"name": "a", "description": "Use when: it rains"}},
		{"no YAML at all", "paths: [a\nb: c: d\n\tx\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := markdown.Parse([]byte("---\n" + tt.front + "---\n\ntext\n"))
			if diff := cmp.Diff(tt.want, d.Front.Fields); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
			if (tt.want == nil) != (len(d.Skipped) > 0) {
				t.Errorf("skipped %v", d.Skipped)
			}
		})
	}
}
