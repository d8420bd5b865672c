package markdown_test

import (
	"testing"

	"github.com/gitmem/gitmem/markdown"
)

// checkDoc checks properties of every document.
func checkDoc(t testing.TB, d *markdown.Doc, src []byte) {
	t.Helper()
	if d.EOL != "\n" && d.EOL != "\r\n" {
		t.Fatalf("EOL = %q", d.EOL)
	}
	inside(t, "body", d.Body, markdown.Span{End: len(src)})
	checkFront(t, d)
	checkSections(t, d)
	checkIdeas(t, d)
	checkIDs(t, d)
	last := -1
	for _, s := range d.Skipped {
		inside(t, "skip", s.Span, markdown.Span{End: len(src)})
		if s.Span.Start < last || s.Reason == "" || s.Line < 1 {
			t.Fatalf("skip %+v after offset %d", s, last)
		}
		last = s.Span.Start
	}
}

func inside(t testing.TB, what string, s, outer markdown.Span) {
	t.Helper()
	if s.Start < outer.Start || s.End < s.Start || s.End > outer.End {
		t.Fatalf("%s %v is not a range inside %v", what, s, outer)
	}
}

func checkFront(t testing.TB, d *markdown.Doc) {
	t.Helper()
	f := d.Front
	if f == nil {
		return
	}
	if inside(t, "frontmatter", f.Span, markdown.Span{End: d.Body.Start}); f.Span.End != d.Body.Start {
		t.Fatalf("frontmatter %v before the body %v", f.Span, d.Body)
	}
	if f.Fields == nil && f.Err == nil {
		t.Fatal("no fields and no error")
	}
}

func checkSections(t testing.TB, d *markdown.Doc) {
	t.Helper()
	at, line := d.Body.Start, 0
	for i, s := range d.Sections {
		inside(t, "section", s.Span, d.Body)
		inside(t, "heading", s.Heading, s.Span)
		inside(t, "body", s.Body, s.Span)
		if s.Heading.Start < at || i > 0 && s.Heading.Start > at || s.Heading.End != s.Body.Start ||
			s.Heading.Start != s.Span.Start {
			t.Fatalf("section %d: %+v after offset %d", i, s, at)
		}
		if s.Line <= line || s.Level < 1 || s.Level > 6 || len(s.Path) == 0 || s.Path[len(s.Path)-1] != s.Title {
			t.Fatalf("section %d: %+v", i, s)
		}
		at, line = s.Body.End, s.Line
		if s.Parent >= i || s.Parent < -1 {
			t.Fatalf("section %d has parent %d", i, s.Parent)
		}
		if s.Parent >= 0 {
			p := d.Sections[s.Parent]
			inside(t, "subsection", s.Span, p.Span)
			if p.Level >= s.Level || len(p.Path)+1 != len(s.Path) {
				t.Fatalf("section %d (level %d) is under level %d", i, s.Level, p.Level)
			}
		}
	}
	if len(d.Sections) > 0 && at != d.Body.End {
		t.Fatalf("the last section ends at %d, the body at %d", at, d.Body.End)
	}
}

func checkIdeas(t testing.TB, d *markdown.Doc) {
	t.Helper()
	at := d.Body.Start
	for i, idea := range d.Ideas {
		home := d.Body
		if idea.Section >= 0 {
			home = d.Sections[idea.Section].Body
		}
		inside(t, "idea", idea.Span, home)
		inside(t, "idea text", idea.Content, idea.Span)
		if idea.Content.Start < at || idea.Text == "" || idea.Line < 1 || idea.Parent >= i {
			t.Fatalf("idea %d: %+v", i, idea)
		}
		if idea.Intent == "" && idea.Done == nil {
			t.Fatalf("idea %d has neither category nor checkbox", i)
		}
		if c := idea.Refs.Confidence; c < 0 || c > 1 {
			t.Fatalf("idea %d has confidence %v", i, c)
		}
		at = idea.Content.End
		for _, r := range idea.Relations {
			inside(t, "relation", r.Span, home)
			if r.Target == "" || r.Kind == "" {
				t.Fatalf("idea %d: relation %+v", i, r)
			}
		}
	}
}

func checkIDs(t testing.TB, d *markdown.Doc) {
	t.Helper()
	seen := map[string]bool{}
	one := func(id string) {
		if id != "" && seen[id] {
			t.Fatalf("id %q twice", id)
		}
		seen[id] = true
	}
	for _, s := range d.Sections {
		one(s.ID)
	}
	for _, i := range d.Ideas {
		one(i.ID)
	}
}
