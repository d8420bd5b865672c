package markdown

import (
	"bytes"
	"fmt"
	"strings"
)

// SetID appends a block id to an idea that has none. It is an error when there
// is no such idea, when the idea already ends in an id (also one that is
// counted as a duplicate), when id is not made of ASCII letters, digits, "-"
// and "_", or when the text cannot take one without becoming something else.
func (d *Doc) SetID(idea int, id string) (Edit, error) {
	if idea < 0 || idea >= len(d.Ideas) {
		return Edit{}, fmt.Errorf("set id ^%s: no idea %d", id, idea)
	}
	content := d.Ideas[idea].Content
	return d.addID(content, d.Ideas[idea].Line, id, bytes.IndexByte(content.Of(d.Source), '\n') >= 0)
}

// SetSectionID is SetID for a heading.
func (d *Doc) SetSectionID(section int, id string) (Edit, error) {
	if section < 0 || section >= len(d.Sections) {
		return Edit{}, fmt.Errorf("set id ^%s: no section %d", id, section)
	}
	s := &d.Sections[section]
	underlined := lineEnd(d.Source, s.Heading.Start) < s.Heading.End
	return d.addID(s.Content, s.Line, id, underlined)
}

// addID is told of text that is a paragraph of its own: the last line of one
// can be a word away from a list item, such as "*" or "1.".
func (d *Doc) addID(content Span, line int, id string, paragraph bool) (Edit, error) {
	if !isID(id) {
		return Edit{}, fmt.Errorf("set id on line %d: %q is no block id", line, id)
	}
	var probe Idea
	probe.parseMarks(oneLine(content.Of(d.Source)))
	if probe.ID != "" {
		return Edit{}, fmt.Errorf("set id ^%s: line %d has the id ^%s", id, line, probe.ID)
	}
	e := Edit{Span: Span{content.End, content.End}, Text: " ^" + id}
	risky := paragraph || bytes.Contains(content.Of(d.Source), []byte("]:"))
	if risky && !d.keepsShape(e) {
		return Edit{}, fmt.Errorf("set id ^%s: the text on line %d would become another block", id, line)
	}
	return e, nil
}

// keepsShape tells whether an edit leaves all headings and ideas what they
// are: besides a paragraph's last line, "[a]:" is a word away from a link
// reference definition.
func (d *Doc) keepsShape(e Edit) bool {
	out, err := Apply(d.Source, e)
	if err != nil {
		return false
	}
	next := Parse(out)
	if len(next.Sections) != len(d.Sections) || len(next.Ideas) != len(d.Ideas) {
		return false
	}
	for i, s := range next.Sections {
		if s.Line != d.Sections[i].Line || s.Title != d.Sections[i].Title {
			return false
		}
	}
	for i, idea := range next.Ideas {
		if idea.Line != d.Ideas[i].Line || idea.Text != d.Ideas[i].Text {
			return false
		}
	}
	return true
}

// SetDone checks or clears a task's checkbox. It is an error when there is no
// such idea or it has no checkbox. An edit that changes nothing has an empty
// span and text.
func (d *Doc) SetDone(idea int, done bool) (Edit, error) {
	if idea < 0 || idea >= len(d.Ideas) || d.Ideas[idea].Done == nil {
		return Edit{}, fmt.Errorf("set done: no task %d", idea)
	}
	at := d.Ideas[idea].Content.Start + 1
	if *d.Ideas[idea].Done == done {
		return Edit{Span: Span{at, at}}, nil
	}
	mark := " "
	if done {
		mark = "x"
	}
	return Edit{Span: Span{at, at + 1}, Text: mark}, nil
}

// AddRelation puts a bullet "kind [[target]]" below an idea, behind the
// relations it has. It is an error when there is no such idea, when the kind
// is none of the five, when the target cannot stand in a link or when what
// surrounds the idea leaves no place for a bullet.
func (d *Doc) AddRelation(idea int, kind, target string) (Edit, error) {
	if idea < 0 || idea >= len(d.Ideas) {
		return Edit{}, fmt.Errorf("add relation %s: no idea %d", kind, idea)
	}
	if !knownRelation(kind) {
		return Edit{}, fmt.Errorf("add relation: unknown kind %q", kind)
	}
	if strings.TrimSpace(target) == "" || strings.ContainsAny(target, "[]|\r\n") {
		return Edit{}, fmt.Errorf("add relation %s: %q cannot stand in a link", kind, target)
	}
	in := &d.Ideas[idea]
	at := in.Span.End
	if n := len(in.Relations); n > 0 {
		at = in.Relations[n-1].Span.End
	}
	start := max(d.Body.Start, lineStart(d.Source, in.Content.Start))
	lead := d.Source[start:in.Content.Start]
	bullet := strings.Repeat(" ", columns(lead)) + "- " + kind + " [[" + target + "]]"
	e := Edit{Span: Span{at, at}, Text: d.closeLine(at) + bullet + d.EOL}
	next := trimSpan(d.Source, Span{at, lineEnd(d.Source, at)}).Of(d.Source)
	plain := len(next) == 0 || strings.IndexByte("-*+#", next[0]) >= 0
	// Tabs between bullets and text that goes on below are tried out.
	if (!plain || bytes.ContainsAny(lead, "\t\r")) && !d.gainsRelation(e, idea) {
		return Edit{}, fmt.Errorf("add relation %s: no bullet fits below line %d", kind, in.Line)
	}
	return e, nil
}

func (d *Doc) gainsRelation(e Edit, idea int) bool {
	out, err := Apply(d.Source, e)
	if err != nil {
		return false
	}
	next := Parse(out)
	return idea < len(next.Ideas) && len(next.Ideas[idea].Relations) == len(d.Ideas[idea].Relations)+1
}

// columns is how wide Markdown takes the start of a line to be: a tab reaches
// to the next multiple of four.
func columns(b []byte) int {
	n := 0
	for _, c := range b {
		n++
		if c == '\t' {
			n = (n + 3) &^ 3
		}
	}
	return n
}
