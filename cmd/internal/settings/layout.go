package settings

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// style is the layout of a file.
type style struct {
	newline string // "" for a file of one line
	unit    string // of indentation
}

// styleOf infers the layout from existing values; members of an empty object get separate lines.
func styleOf(src []byte, root *node) style {
	s := style{newline: "\n", unit: "  "}
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		s.newline = "\r\n"
	}
	if len(root.items) == 0 {
		return s
	}
	if !strings.Contains(root.items[0].before, "\n") {
		return style{}
	}
	if unit := strings.TrimPrefix(indentOf(root.items[0].before, ""), root.indent); unit != "" {
		s.unit = unit
	}
	return s
}

// encode formats a Go value in the style of a file, below a line with some indentation.
func (s style) encode(v any, indent string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if s.newline != "" {
		e.SetIndent(indent, s.unit)
	}
	_ = e.Encode(v) // values of this package always encode
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", s.newline)
}

// node converts a Go value to a node on a line with some indentation.
func (s style) node(v any, indent string) *node {
	_, n, _, _ := parse([]byte(s.encode(v, indent)), false)
	n.indent = indent
	return n
}

// insert adds a value to an object, with a name, or to a list, after the item at; -1 is the beginning, for an
// empty one only.
func (s style) insert(in *node, at int, name string, v any) {
	it := item{name: name}
	indent := in.indent
	switch {
	case at < 0 && s.newline != "":
		if it.after = in.raw; it.after == "" {
			it.after = s.newline + indent
		}
		indent += s.unit
		it.before = s.newline + indent
	case at < 0:
		it.after = in.raw
	default:
		var said string
		said, it.after = in.items[at].moveAfter()
		// Between the last two, insert uses the separator that the file has between others.
		if gap := in.items[0].before; s.newline != "" && strings.Contains(gap, "\n") {
			indent = indentOf(gap, "")
			it.before = s.newline + indent
		} else if s.newline != "" {
			it.before, s.newline = " ", ""
		}
		it.before = join(said, it.before)
	}
	if in.kind == '{' {
		it.key = s.encode(name, "") + ": "
		if s.newline == "" {
			it.key = strings.TrimSpace(it.key)
		}
	}
	it.value = s.node(v, indent)
	in.items = slices.Insert(in.items, at+1, it)
}

// remove removes an item with the comma that separates it from another one. Comments around it stay.
func (s style) remove(from *node, i int) {
	it := from.items[i]
	said := comments(it.before)
	behind, rest, comma := cutComma(it.after)
	switch {
	case i < len(from.items)-1:
		next := &from.items[i+1]
		if said = join(said, comments(it.after)); said+comments(next.before) == "" {
			next.before = it.before
		} else {
			next.before = join(said, next.before)
		}
	case i > 0 && comma:
		from.items[i-1].after = join(join(from.items[i-1].after, comments(behind)), ","+join(said, rest))
	case i > 0:
		from.items[i-1].after = join(comments(from.items[i-1].after), join(said, it.after))
	case comma:
		from.raw = join(said, join(behind, rest))
	case said == "" && it.after == s.newline+from.indent: // the form in which insert leaves it in an empty one
		from.raw = ""
	default:
		from.raw = join(said, it.after)
	}
	from.items = slices.Delete(from.items, i, i+1)
}
