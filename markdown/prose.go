package markdown

import (
	"iter"
	"strings"
)

// LineKind is the role of a line in the prose of a Markdown text.
type LineKind int

// The kinds of lines. LineText continues the line before it.
const (
	LineText LineKind = iota
	LineItem          // begins a list item
	LineHeading
	LineBlank
	LineRule
	LineCode     // of a fenced block, or its fence
	LineIndented // by four spaces after a blank line: code, or indented text
	LineTable
	LineQuote
	LineComment
)

// Line is a line of a Markdown text.
type Line struct {
	Kind   LineKind
	Number int    // from 1
	Text   string // without white space around it
	Words  string // Text without the marker of an item or a heading
}

// ProseLines yields the lines of a text one by one, whatever its length. It is made for text that is mostly
// prose, such as messages; [Parse] parses the structure of a document.
func ProseLines(text string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		s, n := lineScanner{gap: true}, 0
		for raw := range strings.Lines(text) {
			n++
			line := s.line(raw)
			line.Number = n
			if !yield(line) {
				return
			}
		}
	}
}

// lineScanner is the state after the lines before.
type lineScanner struct {
	fence   string // that began a code block
	indent  int    // of that fence
	comment bool
	gap     bool // the line before is blank or indented
}

func (s *lineScanner) line(raw string) Line {
	text := strings.TrimSpace(raw)
	line := Line{Text: text, Words: text}
	indent := len(raw) - len(strings.TrimLeft(raw, " \t"))
	if text != "" && indent < s.indent { // a code block inside a list item ends with the item
		s.fence, s.indent = "", 0
	}
	fence := text[:len(text)-len(strings.TrimLeft(text, "`"))]
	if fence == "" {
		fence = text[:len(text)-len(strings.TrimLeft(text, "~"))]
	}
	words, isItem := CutBullet(text)
	switch {
	case s.fence != "":
		line.Kind = LineCode
		if fence == text && strings.HasPrefix(fence, s.fence) {
			s.fence, s.indent = "", 0
		}
	case len(fence) >= 3:
		line.Kind, s.fence, s.indent = LineCode, fence, indent
	case text == "":
		line.Kind = LineBlank
	case s.comment || strings.HasPrefix(text, "<!--"):
		line.Kind, s.comment = LineComment, !strings.Contains(text, "-->")
	case text[0] == '#':
		line.Kind, line.Words = LineHeading, strings.TrimSpace(strings.TrimLeft(text, "#"))
	case text[0] == '|':
		line.Kind = LineTable
	case text[0] == '>':
		line.Kind = LineQuote
	case len(text) >= 3 && strings.Trim(text, "-=*_ ") == "":
		line.Kind = LineRule
	case isItem:
		line.Kind, line.Words = LineItem, words
	case s.gap && (strings.HasPrefix(raw, "    ") || strings.HasPrefix(raw, "\t")):
		line.Kind = LineIndented
	}
	s.gap = line.Kind == LineBlank || line.Kind == LineIndented
	return line
}

// CutBullet removes the marker of a list item from a line: a bullet or a short number.
func CutBullet(text string) (words string, ok bool) {
	sign, words, ok := strings.Cut(text, " ")
	number := strings.TrimRight(sign, ".)")
	if !ok || len(sign) > 4 || sign != "-" && sign != "*" && sign != "+" &&
		(number == "" || len(number)+1 != len(sign) || strings.Trim(number, "0123456789") != "") {
		return text, false
	}
	return strings.TrimLeft(words, " "), true
}

// Paragraph is a group of lines that belong together, such as a list item.
type Paragraph struct {
	Kind   LineKind // of its first line
	Line   int      // number of that line
	Text   string   // white space folded, without the marker of an item or a heading
	starts []int    // by line: its offset in Text
}

// Paragraphs yields the paragraphs, list items, headings, tables, quotes and comments of
// a text, without its code blocks.
func Paragraphs(text string) iter.Seq[Paragraph] {
	return func(yield func(Paragraph) bool) {
		var p Paragraph
		var b strings.Builder
		flush := func() bool {
			p.Text = b.String()
			b.Reset()
			return p.Text == "" || yield(p)
		}
		for line := range ProseLines(text) {
			goesOn := line.Kind == p.Kind && line.Kind >= LineIndented ||
				line.Kind == LineText && (p.Kind == LineText || p.Kind == LineItem)
			if !goesOn || b.Len() == 0 {
				if !flush() {
					return
				}
				p = Paragraph{Kind: line.Kind, Line: line.Number}
			}
			if line.Kind == LineBlank || line.Kind == LineRule || line.Kind == LineCode {
				continue
			}
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			p.starts = append(p.starts, b.Len())
			b.WriteString(strings.Join(strings.Fields(line.Words), " "))
		}
		flush()
	}
}

// TrimCheckbox returns the text of a list item without its checkbox.
func TrimCheckbox(item string) string {
	_, text := cutCheckbox(item)
	return text
}
