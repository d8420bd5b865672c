package merge

import (
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
)

// kind is the kind of a node.
type kind byte

const (
	kindBlock   kind = 'b' // a paragraph, a table, a quote or HTML
	kindCode    kind = 'c' // a fenced code block
	kindComment kind = 'h'
	kindItem    kind = 'i'
	kindSection kind = 's'
	kindMachine kind = '~' // the machine-readable lines of an archived session
)

// node is a part of a file: a section, a list item, or a block of text.
type node struct {
	key  string // identity: equal in all versions of a file
	id   string // its block id, "" without one
	kind kind

	gap   string   // the blank lines before it
	close []string // without a gap: the lines before it, trimmed
	first bool     // it is the first unit of its section in some version
	mark  string   // of an item: its indentation and its bullet
	box   string   // of an item: its checkbox
	text  string   // its own lines, without the last line end
	end   string   // the last line end

	units    []*node // the children of a section or an item, without subsections
	sections []*node
	// movedUnits and movedSections are parts that are here in another version, and elsewhere in this one.
	movedUnits, movedSections []*node
	absent                    bool // it is in another version only, and holds the parts moved there
}

// splitter splits lines into the units of Markdown.
type splitter struct {
	lines []string // with their ends
	at    int
}

func splitUnits(text string) []*node {
	s := &splitter{lines: splitLines(text)}
	return s.units(0)
}

func splitLines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		out = append(out, line)
	}
	return out
}

// units parses the remaining lines. Those of nested units are indented by indent columns.
func (s *splitter) units(indent int) (list []*node) {
	for s.at < len(s.lines) {
		from := s.at
		for s.at < len(s.lines) && blank(s.lines[s.at]) {
			s.at++
		}
		gap := strings.Join(s.lines[from:s.at], "")
		if s.at == len(s.lines) {
			s.at = from
			return list
		}
		n := s.unit(indent)
		n.gap = gap
		list = append(list, n)
	}
	return list
}

// unit parses the unit at the current line.
func (s *splitter) unit(indent int) *node {
	from, line := s.at, s.lines[s.at]
	n := &node{kind: kindBlock}
	rest, column := outdent(line)
	inside := column < indent+4
	switch {
	case inside && fence(rest) != "":
		n.kind = kindCode
		s.skipFence(indent)
	case inside && strings.HasPrefix(rest, "<!--"):
		n.kind = kindComment
		for s.at++; !strings.Contains(s.lines[s.at-1], "-->") && s.at < len(s.lines); {
			s.at++
		}
	case inside && bullet(rest) != "" && !isRule(rest):
		return s.item()
	case isRule(rest):
		s.at++
	default:
		for s.at++; s.at < len(s.lines) && !blank(s.lines[s.at]); s.at++ {
			next, column := outdent(s.lines[s.at])
			if column < indent+4 && interrupts(next) && !html(rest) {
				break
			}
		}
	}
	n.text, n.end = cutEnd(strings.Join(s.lines[from:s.at], ""))
	return n
}

// item parses a list item with everything below it.
func (s *splitter) item() *node {
	n := &node{kind: kindItem}
	rest, _ := outdent(s.lines[s.at])
	sign := bullet(rest)
	n.mark = s.lines[s.at][:len(s.lines[s.at])-len(rest)] + sign
	width, first := width(n.mark), rest[len(sign):]
	end := s.itemEnd(width, !blank(first))
	in := &splitter{lines: append([]string{first}, s.lines[s.at+1:end]...)}
	s.at = end
	if m := checkbox().FindString(first); m != "" {
		n.box, in.lines[0] = m, first[len(m):]
	}
	if fence(first) != "" || bullet(first) != "" || strings.HasPrefix(first, "<") {
		n.text, n.end = cutEnd(strings.Join(in.lines, "")) // a unit that begins after the bullet
		return n
	}
	for in.at++; in.at < len(in.lines) && !blank(in.lines[in.at]); in.at++ {
		if next, column := outdent(in.lines[in.at]); column < width+4 && interrupts(next) {
			break
		}
	}
	n.text, n.end = cutEnd(strings.Join(in.lines[:in.at], ""))
	n.units = in.units(width)
	return n
}

// itemEnd returns the line after an item whose text begins at a column. A line without indentation is a separate part,
// even if Markdown treats it as the rest of the item's paragraph: somebody may have added an item above a paragraph.
func (s *splitter) itemEnd(width int, hasText bool) int {
	end := s.at + 1
	if !hasText && end < len(s.lines) && blank(s.lines[end]) {
		return end // an empty item
	}
	for at := end; at < len(s.lines); {
		if blank(s.lines[at]) {
			at++
			continue
		}
		rest, column := outdent(s.lines[at])
		if column < width {
			return end
		}
		if fence(rest) != "" {
			in := &splitter{lines: s.lines, at: at}
			in.skipFence(width)
			at = in.at - 1
		}
		at++
		end = at
	}
	return end
}

// skipFence skips a fenced code block. Inside an item it ends at a line that is indented less than the item's text,
// whose column is width.
func (s *splitter) skipFence(width int) {
	rest, _ := outdent(s.lines[s.at])
	open := fence(rest)
	for s.at++; s.at < len(s.lines); s.at++ {
		next, column := outdent(s.lines[s.at])
		if column < width && !blank(next) {
			return
		}
		if sign := fence(next); column < width+4 && strings.HasPrefix(sign, open) &&
			strings.TrimRight(next, " \t\r\n") == sign {
			s.at++
			return
		}
	}
}

// fence returns the row of signs that begins or ends a code block, "" for another line.
func fence(rest string) string {
	for _, c := range []string{"`", "~"} {
		label := strings.TrimLeft(rest, c)
		if n := len(rest) - len(label); n >= 3 && (c == "~" || !strings.Contains(label, "`")) {
			return rest[:n]
		}
	}
	return ""
}

// unclosed returns the row of signs that is missing at the end of a code block, "" if it is closed.
func unclosed(text string) string {
	lines := splitLines(text)
	if len(lines) == 0 {
		return ""
	}
	rest, _ := outdent(lines[0])
	last, _ := outdent(lines[len(lines)-1])
	open := fence(rest)
	if len(lines) > 1 && strings.HasPrefix(fence(last), open) && strings.TrimRight(last, " \t\r\n") == fence(last) {
		return ""
	}
	return open
}

var (
	checkbox = lazy.Pattern(`^\[[ xX/]\](?:[ \t]+|$)`)
	rules    = lazy.Pattern(`^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})\r?\n?$`)
)

// bullet returns the sign of a list item with the following blanks, "" for another line.
func bullet(rest string) string {
	digits := strings.TrimLeft(rest[:min(len(rest), 10)], "0123456789")
	n := min(len(rest), 10) - len(digits)
	if digits == "" || n == 0 && strings.IndexByte("-+*", digits[0]) < 0 ||
		n > 0 && strings.IndexByte(".)", digits[0]) < 0 {
		return ""
	}
	after := strings.TrimRight(rest[n+1:], "\r\n")
	blanks := len(after) - len(strings.TrimLeft(after, " \t"))
	switch {
	case after != "" && blanks == 0:
		return ""
	case blanks > 4 || blanks == len(after):
		blanks = min(blanks, 1)
	}
	return rest[:n+1+blanks]
}

func isRule(rest string) bool {
	return rest != "" && strings.IndexByte("-*_", rest[0]) >= 0 && rules().MatchString(rest)
}

// interrupts reports whether a line ends a paragraph above it.
func interrupts(rest string) bool {
	sign := bullet(rest)
	return fence(rest) != "" || html(rest) || isRule(rest) && rest[0] != '-' ||
		sign != "" && !blank(rest[len(sign):]) &&
			(len(strings.TrimSpace(sign)) == 1 || sign[0] == '1' && len(strings.TrimSpace(sign)) == 2)
}

// html reports whether a line begins a block of HTML, as far as needed here.
func html(rest string) bool {
	return len(rest) > 1 && rest[0] == '<' &&
		(rest[1] == '!' || rest[1] == '/' || 'a' <= rest[1]|0x20 && rest[1]|0x20 <= 'z') &&
		!strings.Contains(rest[:min(len(rest), 12)], ":")
}

// outdent returns a line without its indentation, and the width of that in columns.
func outdent(line string) (rest string, column int) {
	for i := range len(line) {
		switch line[i] {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		default:
			return line[i:], column
		}
	}
	return "", column
}

func blank(line string) bool { return strings.Trim(line, " \t\r\n") == "" }

func cutEnd(text string) (rest, end string) {
	rest = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	return rest, text[len(rest):]
}
