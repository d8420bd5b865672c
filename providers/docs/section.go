package docs

import (
	"bytes"
	"path"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

// section is a heading with its own text, or the text before the first heading.
type section struct {
	level  int // 0 before the first heading
	path   []string
	anchor string
	start  int // offset of its heading
	line   int // line of the text's first byte, from 1
	body   markdown.Span
	end    int // end of the section including its subsections
}

func (s section) title() string { return strings.Join(s.path, " › ") }

// sections splits a document at its headings. A title without letters and digits gets an anchor from its
// position, because the empty anchor is the text before all headings.
func sections(name string, src []byte) (list []section, front *markdown.Frontmatter) {
	list, front = parseSections(name, src)
	taken := slice.Set(slice.Map(list, func(s section) string { return s.anchor }))
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

// markup is the markup language of a document.
type markup int

const (
	markdownText markup = iota
	plainText           // or reStructuredText
	asciiDoc
	roff
)

func markupOf(name string) markup {
	switch strings.ToLower(path.Ext(name)) {
	case ".rst", ".txt", "":
		return plainText
	case ".adoc", ".asciidoc":
		return asciiDoc
	}
	if isManPage(name) {
		return roff
	}
	return markdownText
}

// readable converts a part of a document to plain text, line by line.
func readable(name, text string) string {
	switch markupOf(name) {
	case roff:
		return fromRoff(name, text)
	case markdownText:
		return withoutTrailingBlanks(text) // removing comments leaves them
	}
	return text
}

// withoutTrailingBlanks trims the ends of lines.
func withoutTrailingBlanks(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.Lines(text) {
		bare, isWhole := strings.CutSuffix(line, "\n")
		b.WriteString(strings.TrimRight(bare, " \t"))
		if isWhole {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func parseSections(name string, src []byte) (list []section, front *markdown.Frontmatter) {
	var d *markdown.Doc
	switch markupOf(name) {
	case plainText:
		d = outline(src, underlined)
	case asciiDoc:
		d = outline(src, equalSigns)
	case roff:
		d = outline(src, roffHeading)
	default:
		d = markdown.Parse(src)
	}
	first := d.Body.End
	if len(d.Sections) > 0 {
		first = d.Sections[0].Heading.Start
	}
	newlines := func(s markdown.Span) int { return bytes.Count(s.Of(src), []byte("\n")) }
	list = append(list, section{line: 1 + newlines(markdown.Span{End: d.Body.Start}),
		body: markdown.Span{Start: d.Body.Start, End: first}, end: first})
	anchors := d.Anchors()
	for i, s := range d.Sections {
		list = append(list, section{
			level: s.Level, path: s.Path, anchor: anchors[i], start: s.Heading.Start, line: s.Line + newlines(s.Heading),
			body: s.Body, end: s.Span.End,
		})
	}
	return list, d.Front
}

// heading parses a heading at line i. The level is 0 if there is none; the text begins n lines after i.
type heading func(lines []string, i int) (title string, level, n int)

// underlined parses the headings of reStructuredText and of plain text: a line above an underline of its
// length. Levels follow the usual order of underline characters.
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

// underlineChar returns the character that a line repeats, or 0.
func underlineChar(line string) byte {
	if len(line) < 3 || strings.Trim(line, line[:1]) != "" || !strings.ContainsAny(line[:1], "#*=-~^\"+`.:'") {
		return 0
	}
	return line[0]
}

var equalHeading = lazy.Pattern(`^(={1,6}|#{1,6})[ \t]+(\S.*)$`)

// equalSigns parses the headings of AsciiDoc: = Title, == Section.
func equalSigns(lines []string, i int) (string, int, int) {
	m := equalHeading().FindStringSubmatch(strings.TrimRight(lines[i], " \t"))
	if m == nil {
		return "", 0, 1
	}
	return m[2], len(m[1]), 1
}

// outline splits a text that is not Markdown.
func outline(src []byte, read heading) *markdown.Doc {
	d := &markdown.Doc{Source: src, Body: markdown.Span{End: len(src)}}
	var lines []string
	starts := []int{0}
	for line := range strings.Lines(string(src)) {
		lines, starts = append(lines, strings.TrimRight(line, "\r\n")), append(starts, starts[len(lines)]+len(line))
	}
	for i := 0; i < len(lines); {
		title, level, n := read(lines, i)
		if level > 0 {
			d.Sections = append(d.Sections, markdown.Section{Level: level, Title: title,
				Heading: markdown.Span{Start: starts[i], End: starts[i+n]}, Line: i + 1})
		}
		i += n
	}
	d.Nest()
	return d
}
