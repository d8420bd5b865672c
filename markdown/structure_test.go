package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/markdown"
	"github.com/google/go-cmp/cmp"
)

func TestSections(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     []string // "line level title ^id parent"
		skipped  int
	}{
		{"nested", "# a\n## b ^x\n### c\n## d\n# e\n", []string{"1 1 a ^ -1", "2 2 b ^x 0", "3 3 c ^ 1", "4 2 d ^ 0",
			"5 1 e ^ -1"}, 0},
		{"levels left out", "### a\n# b\n#### c\n", []string{"1 3 a ^ -1", "2 1 b ^ -1", "3 4 c ^ 1"}, 0},
		{"behind frontmatter", "---\na: b\n---\n\n# c\n", []string{"5 1 c ^ -1"}, 0},
		{"behind a mark", "\xef\xbb\xbf# c\n", []string{"1 1 c ^ -1"}, 0},
		{"underlined", "a\nb ^x\n===\nc\n---\n", []string{"1 1 a b ^x -1", "4 2 c ^ 0"}, 0},
		{"closing marks", "## a ^x ##\n", []string{"1 2 a ^x -1"}, 0},
		{"empty", "#\n## ##\n### ^x\n", []string{"1 1  ^ -1", "2 2  ^ 0", "3 3  ^x 1"}, 0},
		{"crlf", "# a\r\n\r\nb\r\n---\r\n", []string{"1 1 a ^ -1", "3 2 b ^ 0"}, 0},
		{"no blank behind the mark", "#a\n####### b\n", nil, 0},
		{"in code", "```\n# a\n```\n~~~\n# b\n~~~\n    # c\n", nil, 0},
		{"in a comment", "<!--\n# a\n\n# b\n-->\n# c\n", []string{"6 1 c ^ -1"}, 0},
		{"open fence", "# a\n```\n# b\n", []string{"1 1 a ^ -1"}, 0},
		{"in a quote and a list", "> # a\n\n- # b\n", nil, 2},
		{"reference and rule", "[a]: b\n---\n[c]: d 'e'\nf\n===\n", []string{"3 1 f ^ -1"}, 0},
		{"same id", "# a ^x\n# b ^x\n", []string{"1 1 a ^x -1", "2 1 b ^ -1"}, 1},
		{"transcript lines", "# a (L12–L180) ^x\n", []string{"1 1 a (L12–L180) ^x -1"}, 0},
		{"not utf-8", "# \xff\n", []string{"1 1 \xff ^ -1"}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := markdown.Parse([]byte(tt.in))
			checkDoc(t, d, []byte(tt.in))
			var got []string
			for _, s := range d.Sections {
				got = append(got, fmt.Sprintf("%d %d %s ^%s %d", s.Line, s.Level, s.Title, s.ID, s.Parent))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if len(d.Skipped) != tt.skipped {
				t.Errorf("skipped %+v", d.Skipped)
			}
		})
	}
}

func TestSectionLookup(t *testing.T) {
	t.Parallel()
	d := markdown.Parse([]byte("# A\n## Notes\n# B\n## Notes\n"))
	for title, want := range map[string]int{"notes": 1, "NOTES": 1, "A": 0, "B": 2, "C": -1, "": -1} {
		if got, ok := d.Section(title); got != want || ok != (want >= 0) {
			t.Errorf("Section(%q) = %d, %v", title, got, ok)
		}
	}
}

func TestDocShape(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in, eol string
		skipped       string
	}{
		{"empty", "", "\n", ""},
		{"lf", "a\nb\n", "\n", ""},
		{"crlf", "a\r\nb\r\n", "\r\n", ""},
		{"mixed, more crlf", "a\r\nb\r\nc\n", "\r\n", ""},
		{"mixed, more lf", "a\r\nb\nc\n", "\n", ""},
		{"a tie", "a\r\nb\n", "\n", ""},
		{"lone cr", "a\rb\r", "\n", ""},
		{"bom", "\xef\xbb\xbfa", "\n", ""},
		{"not utf-8", "a\n\xff\n\xfe\n", "\n", "2 3"},
		{"nul", "a\n\x00\x00\n", "\n", "2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := markdown.Parse([]byte(tt.in))
			checkDoc(t, d, []byte(tt.in))
			var lines []string
			for _, s := range d.Skipped {
				lines = append(lines, fmt.Sprint(s.Line))
			}
			if got := strings.Join(lines, " "); d.EOL != tt.eol || got != tt.skipped {
				t.Errorf("eol %q, skipped on %q", d.EOL, got)
			}
		})
	}
}

func TestSlug(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"Relay board bring-up": "relay-board-bring-up", "A.B, c!": "ab-c", "  x  y ": "x--y",
		"`code` and *it*": "code-and-it",
		"Überblick 2":     "überblick-2", "日本": "日本", "snake_case": "snake_case",
		"[1.2](https://x.example/1) (now)": "12-now",
		"[1.2] (x)":                        "12-x", "\xffa": "a", "🎉 x": "-x", "": "",
	}
	for in, want := range tests {
		if got := markdown.Slug(in); got != want {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
	}
	d := markdown.Parse([]byte("# A\n# a\n# A 1\n# a\n"))
	if diff := cmp.Diff([]string{"a", "a-1", "a-1-1", "a-2"}, d.Anchors()); diff != "" {
		t.Error(diff)
	}
}

func TestSpanOf(t *testing.T) {
	t.Parallel()
	src := []byte("hello")
	if got := (markdown.Span{Start: 1, End: 3}).Of(src); string(got) != "el" || cap(got) != 2 {
		t.Errorf("got %q with room for %d", got, cap(got))
	}
	for _, s := range []markdown.Span{{Start: -1, End: 2}, {Start: 3, End: 2}, {Start: 3, End: 9}} {
		if got := s.Of(src); got != nil {
			t.Errorf("%v gives %q", s, got)
		}
	}
}
