package markdown_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/markdown"
)

func TestApply(t *testing.T) {
	t.Parallel()
	edit := func(start, end int, text string) markdown.Edit {
		return markdown.Edit{Span: markdown.Span{Start: start, End: end}, Text: text}
	}
	tests := []struct {
		name  string
		edits []markdown.Edit
		want  string
		err   string // parts of the error, separated by "|"
	}{
		{"none", nil, "abcdef", ""},
		{"replace", []markdown.Edit{edit(1, 3, "X")}, "aXdef", ""},
		{"any order", []markdown.Edit{edit(4, 6, ""), edit(0, 0, "<"), edit(1, 2, "BB")}, "<aBBcd", ""},
		{"neighbours", []markdown.Edit{edit(2, 4, "X"), edit(4, 5, "Y"), edit(2, 2, "<"), edit(5, 5, ">")}, "ab<XY>f", ""},
		{"overlap", []markdown.Edit{edit(3, 5, "late"), edit(1, 4, "early")}, "", `[1,4) "early"|[3,5) "late"`},
		{"inside", []markdown.Edit{edit(1, 5, "a"), edit(2, 2, "b")}, "", "overlap"},
		{"same place", []markdown.Edit{edit(2, 2, "a"), edit(2, 2, "b")}, "", `"a"|"b"|overlap`},
		{"behind the end", []markdown.Edit{edit(6, 7, "a")}, "", "[6,7)|6 bytes"},
		{"negative", []markdown.Edit{edit(-1, 0, "a")}, "", "[-1,0)"},
		{"turned around", []markdown.Edit{edit(3, 2, "a")}, "", "[3,2)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := markdown.Apply([]byte("abcdef"), tt.edits...)
			if string(got) != tt.want || (err != nil) != (tt.err != "") {
				t.Fatalf("got %q, %v", got, err)
			}
			for part := range strings.SplitSeq(tt.err, "|") {
				if err != nil && !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not name %s", err, part)
				}
			}
		})
	}
}

func TestAppendTo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		section  int
		text     string
		want     string
	}{
		{"last section", "# a\n\nb\n", 0, "c", "# a\n\nb\nc\n"},
		{"before a heading", "# a\n\nb\n\n# c\n", 0, "d\ne\n", "# a\n\nb\nd\ne\n\n# c\n"},
		{"before a subsection", "# a\nb\n\n## c\nd\n", 0, "e", "# a\nb\ne\n\n## c\nd\n"},
		{"no blank before the heading", "# a\nb\n# c\n", 0, "d", "# a\nb\nd\n\n# c\n"},
		{"underlined heading below", "# a\nc\n=\n", 0, "d", "# a\n\nd\n\nc\n=\n"},
		{"empty section", "# a\n\n# c\n", 0, "d", "# a\n\nd\n\n# c\n"},
		{"no final newline", "# a\nb", 0, "c", "# a\nb\nc\n"},
		{"only a heading", "# a", 0, "c", "# a\n\nc\n"},
		{"crlf", "# a\r\nb\r\n\r\n# c\r\n", 0, "d\ne", "# a\r\nb\r\nd\r\ne\r\n\r\n# c\r\n"},
		{"before the first heading", "---\na: b\n---\n# c\n", -1, "d", "---\na: b\n---\nd\n\n# c\n"},
		{"no heading at all", "a\n\n\n", -1, "b", "a\nb\n\n\n"},
		{"empty file", "", -1, "b", "b\n"},
		{"open fence", "# a\n```` x\ncode", 0, "d", "# a\n```` x\ncode\n````\nd\n"},
		{"open comment", "# a\n<!-- b\n", 0, "d", "# a\n<!-- b\n-->\nd\n"},
		{"closed fence", "# a\n```\nb\n```\n", 0, "d", "# a\n```\nb\n```\nd\n"},
		{"nothing", "# a\nb", 0, "", "# a\nb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := markdown.Parse([]byte(tt.in))
			got, err := markdown.Apply(d.Source, d.AppendTo(tt.section, tt.text))
			if err != nil || string(got) != tt.want {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
	d := markdown.Parse([]byte("# a\n"))
	for _, section := range []int{-2, 1} {
		if _, err := markdown.Apply(d.Source, d.AppendTo(section, "x")); err == nil {
			t.Errorf("section %d is taken", section)
		}
	}
}

func TestAppendSection(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in    string
		level       int
		title, text string
		want        string
	}{
		{"behind text", "# a\nb\n", 2, "c ^x", "d\n", "# a\nb\n\n## c ^x\n\nd\n"},
		{"behind a blank line", "a\n\n", 2, "c", "d", "a\n\n## c\n\nd\n"},
		{"no final newline", "a", 2, "c", "", "a\n\n## c\n"},
		{"empty file", "", 1, "c", "d", "# c\n\nd\n"},
		{"only frontmatter", "---\na: b\n---", 1, "c", "", "---\na: b\n---\n\n# c\n"},
		{"crlf", "a\r\n", 1, "c", "d\ne", "a\r\n\r\n# c\r\n\r\nd\r\ne\r\n"},
		{"odd arguments", "", 9, " two\nlines ", "", "###### two lines\n"},
		{"open fence", "~~~\na\n\n", 1, "c", "", "~~~\na\n\n~~~\n\n# c\n"},
		{"mark only", "\xef\xbb\xbf", 1, "c", "", "\xef\xbb\xbf# c\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := markdown.Parse([]byte(tt.in))
			got, err := markdown.Apply(d.Source, d.AppendSection(tt.level, tt.title, tt.text))
			if err != nil || string(got) != tt.want {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}
