package markdown_test

import (
	"errors"
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
		format   markdown.Format
		want     fields // nil: not read
		keys     string // "name=value" for each key
		body     string
		err      bool
	}{
		{"yaml", "---\nformat: 1\nkind: sessions # dated\n---\n# a\n", markdown.YAML, fields{"format": 1, "kind": "sessions"}, "format=1 kind=sessions", "# a\n", false},
		{"crlf", "---\r\na: 'x y'\r\n---\r\nb", markdown.YAML, fields{"a": "x y"}, "a='x y'", "b", false},
		{"bom", "\xef\xbb\xbf---\na: b\n---\nc", markdown.YAML, fields{"a": "b"}, "a=b", "c", false},
		{"blanks behind the fences", "---  \na: b\n---\t\nc", markdown.YAML, fields{"a": "b"}, "a=b", "c", false},
		{"no final newline", "---\na: b\n---", markdown.YAML, fields{"a": "b"}, "a=b", "", false},
		{"empty", "---\n---\nx", markdown.YAML, fields{}, "", "x", false},
		{"nested", "---\nm:\n  on: {k: [1, a]}\nl:\n- x\nz: 1\n---\n", markdown.YAML,
			fields{"m": fields{"true": fields{"k": []any{1, "a"}}}, "l": []any{"x"}, "z": 1}, "m= l= z=1", "", false},
		{"quoted keys", "---\n\"a b\": 1\n'c''d' : 2\n---\n", markdown.YAML, fields{"a b": 1, "c'd": 2}, "a b=1 c'd=2", "", false},
		{"keys in texts are no keys", "---\na: \"x\nb: y\"\nc: |\n  d: e\nf: [1,\ng: 2]\n---\n", markdown.YAML,
			fields{"a": "x b: y", "c": "d: e\n", "f": []any{1, fields{"g": 2}}}, `a="x c=| f=[1,`, "", false},
		{"indented fence", "---\na: |\n  x\n  ---\n  y\n---\nb", markdown.YAML, fields{"a": "x\n---\ny\n"}, "a=|", "b", false},
		{"broken yaml", "---\na: [b\nc: d\n---\nx", markdown.YAML, nil, "a=[b", "x", true},
		{"a list", "---\n- a\n---\nx", markdown.YAML, nil, "", "x", true},
		{"not utf-8", "---\na: \xff\n---\nx", markdown.YAML, nil, "a=\xff", "x", true},
		{"nul", "---\na: \x00\n---\nx", markdown.YAML, nil, "a=\x00", "x", true},
		{"duplicate", "---\na: 1\nb: 2\na: 3\nc: 4\n---\n", markdown.YAML, fields{"a": 1, "b": 2, "c": 4}, "a=1 b=2 a=3 c=4", "", true},
		{"toml", "+++\na = \"x\" # c\nd = 1979-05-27\n[t]\nk = 1\n+++\nx", markdown.TOML, nil, `a="x" d=1979-05-27 t=`, "x", false},
		{"toml duplicate", "+++\na = 1\na = 2\n[[l]]\nk = 1\n[[l]]\nk = 2\n+++\n", markdown.TOML,
			fields{"a": int64(1), "l": []any{fields{"k": int64(1)}, fields{"k": int64(2)}}}, "a=1 a=2 l= l=", "", true},
		{"broken toml", "+++\na = \n+++\nx", markdown.TOML, nil, "a=", "x", true},
		{"deep toml", "+++\na = " + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + "\n+++\n", markdown.TOML, nil,
			"a=" + strings.Repeat("[", 2000) + strings.Repeat("]", 2000), "", true},
		{"large yaml", "---\na: " + strings.Repeat("x", 256<<10) + "\n---\ny", markdown.YAML, nil, "a=" + strings.Repeat("x", 256<<10), "y", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := markdown.Parse([]byte(tt.in))
			checkDoc(t, d, []byte(tt.in))
			f := d.Front
			if f == nil || f.Format != tt.format {
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
			var keys []string
			for _, k := range f.Keys {
				keys = append(keys, k.Name+"="+string(k.Value.Of(d.Source)))
			}
			if got := strings.Join(keys, " "); got != tt.keys {
				t.Errorf("keys = %.80q, want %.80q", got, tt.keys)
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

func TestSetField(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, key, value, want string }{
		{"scalar", "---\na: 1 # why\nb: 2\n---\nx", "a", "3", "---\na: 3 # why\nb: 2\n---\nx"},
		{"quoted", "---\na: 'x # y' # why\n---\n", "a", "z", "---\na: z # why\n---\n"},
		{"keeps odd blanks", "---\na :   1  \n---\n", "a", "2", "---\na :   2  \n---\n"},
		{"no value", "---\na:\nb: 1\n---\n", "a", "2", "---\na: 2\nb: 1\n---\n"},
		{"no value but a comment", "---\na:  # c\n---\n", "a", "2", "---\na: 2  # c\n---\n"},
		{"clears", "---\na: 1\n---\n", "a", "", "---\na: \n---\n"},
		{"new key", "---\na: 1\n---\nx", "b", "2", "---\na: 1\nb: 2\n---\nx"},
		{"new odd key", "---\na: 1\n---\n", "b: c", "2", "---\na: 1\n\"b: c\": 2\n---\n"},
		{"new key behind a text", "---\na: |+\n  x\n\n---\n", "b", "2", "---\na: |+\n  x\n\nb: 2\n---\n"},
		{"new key, crlf", "---\r\na: 1\r\n---\r\n", "b", "2", "---\r\na: 1\r\nb: 2\r\n---\r\n"},
		{"into empty", "---\n---\n", "b", "2", "---\nb: 2\n---\n"},
		{"no frontmatter", "# x\n", "a", "1", "---\na: 1\n---\n\n# x\n"},
		{"no frontmatter, bom, crlf", "\xef\xbb\xbf\r\nx", "a", "1", "\xef\xbb\xbf---\r\na: 1\r\n---\r\n\r\nx"},
		{"empty file", "", "a", "1", "---\na: 1\n---\n"},
		{"open fence", "---\nb: 1\n", "a", "1", "---\na: 1\n---\n\n---\nb: 1\n"},
		{"list by list", "---\na: [x, y]\n---\n", "a", "[z]", "---\na: [z]\n---\n"},
		{"beside a duplicate", "---\na: 1\na: 2\nb: 3\n---\n", "b", "4", "---\na: 1\na: 2\nb: 4\n---\n"},
		{"toml", "+++\na = \"x\" # c\n+++\n", "a", `"y"`, "+++\na = \"y\" # c\n+++\n"},
		{"toml, new key before tables", "+++\na = 1\n[t]\nb = 2\n+++\n", "c", "3", "+++\na = 1\nc = 3\n[t]\nb = 2\n+++\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := markdown.Parse([]byte(tt.in))
			e, err := d.SetField(tt.key, tt.value)
			if err != nil {
				t.Fatal(err)
			}
			got, err := markdown.Apply(d.Source, e)
			if err != nil || string(got) != tt.want {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func TestSetFieldRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in, key, value string
		is                   error
	}{
		{"broken", "---\na: [\n---\n", "a", "1", markdown.ErrBrokenFrontmatter},
		{"nested map", "---\na:\n  b: 1\n---\n", "a", "1", markdown.ErrNestedValue},
		{"nested list", "---\na:\n- b\n---\n", "a", "1", markdown.ErrNestedValue},
		{"text of lines", "---\na: |\n  b\n---\n", "a", "1", markdown.ErrNestedValue},
		{"quoted text of lines", "---\na: \"b\n  c\"\n---\n", "a", "1", markdown.ErrNestedValue},
		{"list by scalar", "---\na: [b]\n---\n", "a", "1", markdown.ErrNestedValue},
		{"toml table", "+++\n[a]\n+++\n", "a", "1", markdown.ErrNestedValue},
		{"top level in braces", "---\n{a: 1}\n---\n", "a", "1", markdown.ErrNestedValue},
		{"duplicate", "---\na: 1\na: 2\n---\n", "a", "3", markdown.ErrDuplicateKey},
		{"new value of lines", "---\na: 1\n---\n", "a", "1\nb: 2", nil},
		{"new value is a map", "---\na: 1\n---\n", "a", "b: 2", nil},
		{"new value opens a list", "---\na: 1\n---\n", "a", "[", nil},
		{"new value swallows the next", "---\na: 1\nb: 2\n---\n", "a", "\"", nil},
		{"new value gives an anchor anew", "---\nq: &x 1\na: 2\nb: *x\n---\n", "a", "&x 3", nil},
		{"doubled behind another line end", "---\na: 1\n\u2028a: 2\n---\n", "a", "3", nil},
		{"anchor that is used", "---\na: &x 1\nb: *x\n---\n", "a", "2", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e, err := markdown.Parse([]byte(tt.in)).SetField(tt.key, tt.value)
			if err == nil || tt.is != nil && !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.key) {
				t.Errorf("got %v, %v", e, err)
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
