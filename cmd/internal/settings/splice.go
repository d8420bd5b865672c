package settings

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// style is how a file is laid out.
type style struct {
	newline string // "" for a file of one line
	unit    string // of indentation
}

// styleOf learns from what is there; an empty object gets lines of its own.
func styleOf(src []byte, root node) style {
	s := style{newline: "\n", unit: "  "}
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		s.newline = "\r\n"
	}
	if len(root.items) == 0 {
		return s
	}
	gap := string(src[root.start+1 : root.begin(0)])
	i := strings.LastIndexByte(gap, '\n')
	if i < 0 {
		s.newline, s.unit = "", ""
		return s
	}
	if unit := strings.TrimPrefix(gap[i+1:], indentAt(src, root.start)); unit != "" {
		s.unit = unit
	}
	return s
}

// indentAt is the indentation of the line that holds a place.
func indentAt(src []byte, at int) string {
	line := src[bytes.LastIndexByte(src[:at], '\n')+1:]
	line = bytes.TrimPrefix(line, []byte(bom))
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// encode writes a value with the style of a file, below a line of some indentation.
func (s style) encode(v any, indent string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if s.newline != "" {
		e.SetIndent(indent, s.unit)
	}
	if err := e.Encode(v); err != nil {
		return "null" // only values of this package are written, which all can be
	}
	text := strings.TrimSuffix(b.String(), "\n")
	return strings.ReplaceAll(text, "\n", s.newline)
}

// replace puts text in place of some bytes.
func replace(src []byte, start, end int, text string) []byte {
	return slices.Concat(src[:start], []byte(text), src[end:])
}

// insert puts a value into an object, under a name, or into a list, behind the item
// after; -1 is before all, which only an empty one may ask for.
func (s style) insert(src []byte, in node, after int, name string, v any) []byte {
	item := func(indent string) string {
		text := s.encode(v, indent)
		switch {
		case in.kind != '{':
			return text
		case s.newline == "":
			return s.encode(name, "") + ":" + text
		}
		return s.encode(name, "") + ": " + text
	}
	if after < 0 {
		indent := indentAt(src, in.start)
		if s.newline == "" {
			return replace(src, in.start+1, in.start+1, item(""))
		}
		text := s.newline + indent + s.unit + item(indent+s.unit)
		if in.end-in.start == 2 {
			text += s.newline + indent
		}
		return replace(src, in.start+1, in.start+1, text)
	}
	// Between the last two there is what its writer puts between any two.
	gap := string(src[in.start+1 : in.begin(0)])
	if i := strings.LastIndexByte(gap, '\n'); i >= 0 && s.newline != "" {
		indent := gap[i+1:]
		return replace(src, in.items[after].end, in.items[after].end, ","+s.newline+indent+item(indent))
	}
	gap = ""
	if s.newline != "" {
		gap = " "
	}
	s.newline = ""
	return replace(src, in.items[after].end, in.items[after].end, ","+gap+item(""))
}

// remove takes an item out, with the comma that parted it from another one.
func (s style) remove(src []byte, from node, i int) []byte {
	last := len(from.items) - 1
	switch {
	case i < last:
		return replace(src, from.begin(i), from.begin(i+1), "")
	case i > 0:
		return replace(src, from.items[i-1].end, from.items[i].end, "")
	}
	end := from.items[i].end
	if tail := string(src[end : from.end-1]); tail == s.newline+indentAt(src, from.start) {
		end += len(tail) // as insert leaves it in an empty one
	}
	return replace(src, from.start+1, end, "")
}
