package docs

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/markdown"
)

// section is a heading with its own text, or the text before the first heading.
type section struct {
	level  int // 0 before the first heading
	path   []string
	anchor string
	line   int // of the text's first byte, from 1
	start  int // of the heading
	body   markdown.Span
	end    int // of the section with all its subsections
}

func (s section) title() string { return strings.Join(s.path, " › ") }

// sections splits a document by its headings. One whose title has neither letters nor
// digits gets an anchor by its position, since the empty one is the text before all
// headings.
func sections(name string, src []byte) (list []section, front *markdown.Frontmatter) {
	list, front = parseSections(name, src)
	taken := map[string]bool{}
	for _, s := range list {
		taken[s.anchor] = true
	}
	for i := 1; i < len(list); i++ {
		if list[i].anchor != "" {
			continue
		}
		anchor := "section-" + strconv.Itoa(i)
		for taken[anchor] {
			anchor += "-1"
		}
		taken[anchor] = true
		list[i].anchor = anchor
	}
	return list, front
}

func parseSections(name string, src []byte) (list []section, front *markdown.Frontmatter) {
	switch strings.ToLower(path.Ext(name)) {
	case ".rst", ".txt", "":
		return cut(src, underlined), nil
	case ".adoc", ".asciidoc":
		return cut(src, equalSigns), nil
	}
	d := markdown.Parse(src)
	first := d.Body.End
	if len(d.Sections) > 0 {
		first = d.Sections[0].Heading.Start
	}
	n := counter{src: src}
	list = append(list, section{line: n.at(d.Body.Start), body: markdown.Span{Start: d.Body.Start, End: first}, end: first})
	anchors := d.Anchors()
	for i, s := range d.Sections {
		list = append(list, section{level: s.Level, path: s.Path, anchor: anchors[i], line: n.at(s.Body.Start), start: s.Heading.Start, body: s.Body, end: s.Span.End})
	}
	return list, d.Front
}

// counter counts the lines before positions of a text, in ascending order.
type counter struct {
	src       []byte
	pos, line int
}

func (c *counter) at(pos int) int {
	for ; c.pos < pos; c.pos++ {
		if c.src[c.pos] == '\n' {
			c.line++
		}
	}
	return c.line + 1
}

// heading reads a heading at line i. Its level is 0 if there is none; the text begins n
// lines further down.
type heading func(lines []string, i int) (title string, level, n int)

// underlined reads the headings of reStructuredText and of plain text: a line above an
// underline of its length. Levels follow the usual order of the underlines.
func underlined(lines []string, i int) (string, int, int) {
	title := strings.TrimSpace(lines[i])
	if title == "" || i+1 >= len(lines) || underlineChar(title) != 0 {
		return "", 0, 1
	}
	mark := underlineChar(strings.TrimRight(lines[i+1], " \t"))
	if mark == 0 || len(strings.TrimSpace(lines[i+1])) < min(len([]rune(title)), 80) {
		return "", 0, 1
	}
	if level := strings.IndexByte("#*=-~^\"+`.:'", mark); level >= 0 {
		return title, max(1, min(6, level-1)), 2
	}
	return "", 0, 1
}

// underlineChar is the character that a line repeats, 0 for another line.
func underlineChar(line string) byte {
	if len(line) < 3 || strings.Trim(line, line[:1]) != "" || !strings.ContainsAny(line[:1], "#*=-~^\"+`.:'") {
		return 0
	}
	return line[0]
}

// equalSigns reads the headings of AsciiDoc: = Title, == Section.
func equalSigns(lines []string, i int) (string, int, int) {
	m := regexp.MustCompile(`^(={1,6}|#{1,6})[ \t]+(\S.*)$`).FindStringSubmatch(strings.TrimRight(lines[i], " \t"))
	if m == nil {
		return "", 0, 1
	}
	return m[2], len(m[1]), 1
}

// cut splits a text that is not Markdown.
func cut(src []byte, read heading) []section {
	var lines []string
	var starts []int
	at := 0
	for line := range strings.Lines(string(src)) {
		lines, starts = append(lines, strings.TrimRight(line, "\r\n")), append(starts, at)
		at += len(line)
	}
	starts = append(starts, at)
	list := []section{{line: 1}}
	taken := map[string]int{}
	for i := 0; i < len(lines); {
		title, level, n := read(lines, i)
		if level == 0 {
			i++
			continue
		}
		last := &list[len(list)-1]
		last.body.End = starts[i]
		slug := markdown.Slug(title)
		anchor := slug
		for taken[anchor] > 0 {
			anchor = slug + "-" + strconv.Itoa(taken[slug])
			taken[slug]++
		}
		taken[anchor]++
		start := starts[i]
		i += n
		list = append(list, section{level: level, path: parentHeadings(list, level, title), anchor: anchor, line: i + 1, start: start, body: markdown.Span{Start: starts[i]}})
	}
	list[len(list)-1].body.End = at
	for i := range list {
		list[i].end = ends(list, i, at)
	}
	return list
}

// parentHeadings is the path of a heading from those before it.
func parentHeadings(list []section, level int, title string) []string {
	for i := len(list) - 1; i > 0; i-- {
		if list[i].level < level {
			return append(append([]string(nil), list[i].path...), title)
		}
	}
	return []string{title}
}

// ends is where a section ends with its subsections.
func ends(list []section, i, at int) int {
	for _, s := range list[i+1:] {
		if s.level <= list[i].level || i == 0 {
			return s.start
		}
	}
	return at
}
