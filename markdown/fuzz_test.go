package markdown_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/markdown"
)

// seeds returns small inputs, one for each defined outcome.
func seeds() []string {
	crlf := strings.ReplaceAll(archive, "\n", "\r\n")
	return []string{
		"", "\n", "a", archive, crlf, "\xef\xbb\xbf" + archive, strings.TrimSuffix(archive, "\n"),
		"+++\ntitle = \"x\" # c\n[a.b]\nc = [1,\n 2]\n[[d]]\n+++\n# x\n",
		"---\na: [b\n---\n", "---\na: 1\n", "---\na: 1\na: 2\n---\n", "---\n---\n", "---", "---\r\na: 'x\r\n  y'\r\n---\r\n",
		"---\nd: |\n  a\n  ---\n  b\n\"k\": {x: 1}\nl:\n- 1\n---\n",
		"a\n===\nb\nc\n---\n# d ##\n", "```\n# no\n```\n<!--\n# no\n-->\n# yes\n",
		"> - [note] a\n> # b\n", "- [ ] a ^x\n- [x] b ^x\n## c ^x\n", "1. [note] a\n   - answers [[#^b]]\n",
		"-\n  [note] late\n  text (0.6 L1 10:00) #a ^b\n", "\x00\xff\n- [note] \xff ^a\n", "- - - [note] a\n\t- b\n",
		"[a]: b\n---\n", "[a]: b\nc\n===\n", "~~~~\nopen", "<!-- open", "a\rb\r\n# c\r", "#\n##\t\n### ###\n",
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds() {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		checkDoc(t, markdown.Parse(b), b)
	})
}

// FuzzApply compares with edits applied one by one from the end.
func FuzzApply(f *testing.F) {
	f.Add([]byte("hello"), 0, 1, "x", 1, 3, "", 5, 5, "end")
	f.Add([]byte(""), 0, 0, "x", 0, 0, "y", 1, 1, "z")
	f.Add([]byte("hello"), 3, 4, "x", 1, 2, "long text", 3, 3, "in front")
	f.Fuzz(func(t *testing.T, src []byte, a, b int, x string, c, d int, y string, e, g int, z string) {
		edits := []markdown.Edit{
			{Span: markdown.Span{Start: a, End: b}, Text: x},
			{Span: markdown.Span{Start: c, End: d}, Text: y},
			{Span: markdown.Span{Start: e, End: g}, Text: z},
		}
		before := bytes.Clone(src)
		got, err := markdown.Apply(src, edits...)
		turned, turnedErr := markdown.Apply(src, edits[2], edits[0], edits[1])
		if !bytes.Equal(src, before) {
			t.Fatal("Apply changed its input")
		}
		if (err == nil) != (turnedErr == nil) || !bytes.Equal(got, turned) {
			t.Fatalf("order matters: %q %v, %q %v", got, err, turned, turnedErr)
		}
		want, ok := naiveApply(src, edits)
		if ok != (err == nil) || ok && string(got) != want {
			t.Fatalf("got %q, %v; want %q, %v", got, err, want, ok)
		}
	})
}

// naiveApply walks over the positions of src and checks every edit at each.
func naiveApply(src []byte, edits []markdown.Edit) (string, bool) {
	for i, e := range edits {
		if e.Span.Start < 0 || e.Span.Start > e.Span.End || e.Span.End > len(src) {
			return "", false
		}
		for _, o := range edits[:i] {
			if e.Span == o.Span || e.Span.Start < o.Span.End && o.Span.Start < e.Span.End {
				return "", false
			}
		}
	}
	var out strings.Builder
	for pos := 0; pos <= len(src); pos++ {
		covered := false
		for _, e := range edits {
			if e.Span.Start == pos && e.Span.End == pos {
				out.WriteString(e.Text)
			}
		}
		for _, e := range edits {
			if e.Span.Start == pos && e.Span.End > pos {
				out.WriteString(e.Text)
			}
			covered = covered || e.Span.Start <= pos && pos < e.Span.End
		}
		if pos < len(src) && !covered {
			out.WriteByte(src[pos])
		}
	}
	return out.String(), true
}

// FuzzEdits adds text and parses the result.
func FuzzEdits(f *testing.F) {
	for _, s := range seeds() {
		f.Add([]byte(s), 0)
		f.Add([]byte(s), -1)
	}
	f.Fuzz(func(t *testing.T, src []byte, section int) {
		if len(src) > 1<<16 {
			t.Skip("larger than an edit needs")
		}
		checkEdits(t, markdown.Parse(src), section)
	})
}

// checkEdits appends to a section selected by n.
func checkEdits(t *testing.T, d *markdown.Doc, n int) {
	t.Helper()
	n = max(n, -n, 0)
	checkAppend(t, d, n%(len(d.Sections)+1)-1)
}

func apply(t *testing.T, d *markdown.Doc, e markdown.Edit) *markdown.Doc {
	t.Helper()
	out, err := markdown.Apply(d.Source, e)
	if err != nil {
		t.Fatalf("%v on %q", err, d.Source)
	}
	back := d.Source[e.Span.End:]
	if !bytes.HasPrefix(out, d.Source[:e.Span.Start]) || !bytes.HasSuffix(out, back) ||
		len(out) != e.Span.Start+len(e.Text)+len(back) {
		t.Fatalf("bytes outside of %v changed", e)
	}
	next := markdown.Parse(out)
	checkDoc(t, next, out)
	return next
}

func checkAppend(t *testing.T, d *markdown.Doc, section int) {
	t.Helper()
	text := "\n- [note] appended ^zz-new"
	if section+1 < len(d.Sections) && d.Source[d.Sections[section+1].Heading.Start] != '#' {
		text = "\nappended" // an indented heading would be part of the item
	}
	next := apply(t, d, d.AppendTo(section, text))
	if len(next.Sections) != len(d.Sections) {
		t.Fatalf("appending to section %d of %q changes the headings: %q", section, d.Source, next.Source)
	}
	next = apply(t, d, d.AppendSection(2, "Zz new", "text"))
	if i, ok := next.Section("zz NEW"); !ok || next.Sections[i].Level != 2 || len(next.Sections) <= len(d.Sections) {
		t.Fatalf("a section appended to %q is not found in %q", d.Source, next.Source)
	}
}
