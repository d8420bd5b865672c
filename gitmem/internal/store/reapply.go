package store

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/markdown/linediff"
)

// reapply applies the change from was to wrote to now, nil for no file. Replaced or removed lines are searched for.
// Added lines go to the end of their section, unless present. Frontmatter is merged by its keys.
func reapply(now, was, wrote []byte) []byte {
	switch {
	case SameContent(now, was), wrote != nil && now == nil:
		return wrote
	case SameContent(now, wrote), wrote == nil: // later changes win
		return now
	}
	if len(was) == 0 {
		was = []byte("---\n---\n") // merge the fields with an empty frontmatter
	}
	was, wrote, now = []byte(withNewline(string(was))), []byte(withNewline(string(wrote))),
		[]byte(withNewline(string(now)))
	before, after, d := markdown.Parse(was), markdown.Parse(wrote), markdown.Parse(now)
	front := now[:d.Body.Start:d.Body.Start]
	if merged, conflicts := markdown.Merge3(was[:before.Body.Start], wrote[:after.Body.Start],
		front); len(conflicts) == 0 || before.Front != nil && len(before.Front.Fields) > 0 {
		front = merged
	}
	body := string(now[d.Body.Start:])
	for _, h := range linediff.Diff(was[before.Body.Start:], wrote[after.Body.Start:]) {
		at := after.Body.Start + h.NewAt
		c := lineChange{removed: string(h.Removed), added: string(h.Added)}
		for _, s := range after.Sections {
			if s.Heading.Start < at {
				c.heading = string(s.Heading.Of(wrote))
			}
		}
		for line := range strings.Lines(string(wrote[after.Body.Start:at])) {
			c.above = line
		}
		body = c.apply(body)
	}
	return append(front, body...)
}

// lineChange replaces lines of a text.
type lineChange struct {
	removed, added string
	heading, above string // the lines' heading, and the line above them
}

func (c lineChange) apply(body string) string {
	if i := strings.Index("\n"+body, "\n"+c.removed); i >= 0 && strings.TrimSpace(c.removed) != "" {
		return body[:i] + c.added + body[i+len(c.removed):]
	}
	for line := range strings.Lines(body) {
		if key := lineKey(line); strings.HasPrefix(key, "^") && key == lineKey(c.removed) && key == lineKey(c.added) {
			return strings.Replace(body, line, c.added, 1)
		}
	}
	have := map[string]bool{"": true}
	for line := range strings.Lines(body) {
		have[lineKey(line)] = true
	}
	indented := strings.TrimLeft(c.added, " \t") != c.added // belongs to the item above
	if i := strings.Index("\n"+body, "\n"+c.above); indented && i >= 0 && strings.TrimSpace(c.above) != "" &&
		missing(c.added, have) != "" {
		i += len(c.above)
		return body[:i] + c.added + body[i:]
	}
	in := markdown.Parse([]byte(c.heading + "\n" + c.added))
	preamble := len(in.Source)
	if len(in.Sections) > 0 {
		preamble = in.Sections[0].Heading.Start
	}
	body = appendItems(body, nil, string(in.Source[:preamble]), have)
	for i, s := range in.Sections {
		if own := string(s.Body.Of(in.Source)); i > 0 || c.heading == "" || strings.TrimSpace(own) != "" {
			body = appendItems(body, &s, own, have)
		}
	}
	return body
}

// appendItems appends the items that a text lacks to a section, which it adds if it is missing, or to the end of the
// text if the section is nil.
func appendItems(body string, s *markdown.Section, items string, have map[string]bool) string {
	d := markdown.Parse([]byte(body))
	at := len(d.Sections) - 1
	if s != nil {
		at = slices.IndexFunc(d.Sections, func(o markdown.Section) bool {
			return strings.EqualFold(o.Title, s.Title) && o.ID == s.ID
		})
	}
	e := d.AppendTo(max(at, -1), missing(items, have))
	if s != nil && at < 0 {
		e = d.AppendSection(s.Level, strings.TrimSuffix(s.Title+" ^"+s.ID, " ^"), strings.Trim(items, "\r\n"))
	}
	return body[:e.Span.Start] + e.Text + body[e.Span.End:]
}

// missing returns the items of a text, with their continuation lines, that have a line that is not in have.
func missing(text string, have map[string]bool) string {
	var out, item strings.Builder
	lacks := false
	end := func() {
		if lacks {
			out.WriteString(item.String())
		}
		item.Reset()
		lacks = false
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "- ") {
			end()
		}
		item.WriteString(line)
		lacks = lacks || !have[lineKey(line)]
	}
	end()
	return strings.Trim(out.String(), "\r\n")
}

// lineKey returns the identity of a line: its block id, else its text.
func lineKey(line string) string {
	line = strings.TrimSpace(line)
	if i := strings.LastIndex(line, " ^"); i >= 0 && !strings.Contains(line[i+1:], " ") {
		return line[i+1:]
	}
	return line
}
