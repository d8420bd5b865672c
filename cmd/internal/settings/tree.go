// Package settings adds and removes entries in clients' JSON settings, and leaves all other bytes
// as they are.
//
// It knows where Claude Code keeps hooks and permission rules: bytes in, bytes out. The caller
// decides which entries are ours. The package knows nothing of files or of what hooks do. Like the
// client, it reads strict JSON, with or without a byte order mark.
package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// node is a JSON value with its original bytes.
type node struct {
	kind   byte   // one of { [ " 0 t n: object, list, text, number, bool, null
	raw    string // its bytes; for an empty object or list the white space inside
	text   string // of a string
	indent string // of the line on which it begins
	items  []item
}

// item is a member of an object or an item of a list, with the white space around it.
type item struct {
	before, key string // the key as written, with everything up to the value
	name        string
	value       *node
	after       string
}

// bom is the UTF-8 byte order mark of some editors. The client skips it.
const bom = "\ufeff"

// parse reads settings: what precedes the value, the value, and what follows it.
func parse(src []byte) (lead string, root *node, tail string, err error) {
	text, marked := strings.CutPrefix(string(src), bom)
	var whole json.RawMessage
	if err := json.Unmarshal([]byte(text), &whole); err != nil {
		return "", nil, "", withPosition(text, err)
	}
	p := parser{src: text, d: json.NewDecoder(strings.NewReader(text))}
	p.d.UseNumber()
	lead, root, err = p.value(blanks(text))
	if marked {
		lead = bom + lead
	}
	return lead, root, text[p.at:], err
}

// withPosition adds line and column to a JSON error, from 1, in characters.
func withPosition(src string, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	at := min(int(syntax.Offset), len(src))
	if at > 0 && int(syntax.Offset) <= len(src) && syntax.Error() != "unexpected end of JSON input" {
		at-- // the offset is the one after the invalid byte
	}
	line := strings.LastIndexByte(src[:at], '\n') + 1
	return fmt.Errorf("line %d, column %d: %w", strings.Count(src[:at], "\n")+1, utf8.RuneCountInString(src[line:at])+1, syntax)
}

// parser walks valid JSON with encoding/json's decoder, which reports where each token
// ends; where it begins follows, since only white space, commas and colons are between two.
type parser struct {
	src string
	at  int
	d   *json.Decoder
}

// token is the next token as written, and what precedes it.
func (p *parser) token() (lead, raw string, t json.Token, err error) {
	rest := p.src[p.at:]
	t, err = p.d.Token()
	raw = strings.TrimLeft(p.src[p.at:p.d.InputOffset()], " \t\r\n,:")
	p.at = int(p.d.InputOffset())
	return rest[:len(rest)-len(p.src[p.at:])-len(raw)], raw, t, err
}

// value reads a value and what precedes it, on a line of some indentation.
func (p *parser) value(indent string) (lead string, n *node, err error) {
	n = &node{}
	var t json.Token
	if lead, n.raw, t, err = p.token(); err != nil {
		return lead, n, err
	}
	n.indent = indentOf(lead, indent)
	switch t := t.(type) {
	case json.Delim:
		n.kind = byte(t)
		err = p.fill(n)
	case string:
		n.kind, n.text = '"', t
	case json.Number:
		n.kind = '0'
	case bool:
		n.kind = 't'
	default:
		n.kind = 'n'
	}
	return lead, n, err
}

// fill reads the items of an object or a list, up to its end.
func (p *parser) fill(n *node) (err error) {
	for p.d.More() {
		var it item
		var lead string
		indent := n.indent
		if n.kind == '{' {
			var raw, colon string
			var t json.Token
			if lead, raw, t, err = p.token(); err != nil {
				return err
			}
			it.name, _ = t.(string)
			indent = indentOf(lead, indent)
			colon, it.value, err = p.value(indent)
			it.key = raw + colon
		} else {
			lead, it.value, err = p.value(indent)
		}
		if err != nil {
			return err
		}
		if it.before = lead; len(n.items) > 0 {
			n.items[len(n.items)-1].after, it.before, _ = strings.Cut(lead, ",")
		}
		n.items = append(n.items, it)
	}
	end, _, _, err := p.token()
	if n.raw = end; len(n.items) > 0 {
		n.items[len(n.items)-1].after = end
	}
	return err
}

// indentOf is the indentation at the beginning of a line's prefix.
func indentOf(lead, indent string) string {
	if i := strings.LastIndexByte(lead, '\n'); i >= 0 {
		return blanks(lead[i+1:])
	}
	return indent
}

// blanks is the leading white space of a text.
func blanks(text string) string { return text[:len(text)-len(strings.TrimLeft(text, " \t"))] }

// write writes a value with its changes, and otherwise as it was read.
func (n *node) write(b *bytes.Buffer) {
	if n.kind != '{' && n.kind != '[' {
		b.WriteString(n.raw)
		return
	}
	b.WriteByte(n.kind)
	for i, it := range n.items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(it.before + it.key)
		it.value.write(b)
		b.WriteString(it.after)
	}
	if len(n.items) == 0 {
		b.WriteString(n.raw)
	}
	b.WriteByte(n.kind + 2) // the closing one
}

// member finds the index of a name: the last one, as the client reads it; -1 for none.
func (n *node) member(name string) int {
	for i, it := range slices.Backward(n.items) {
		if n.kind == '{' && it.name == name {
			return i
		}
	}
	return -1
}

// get is the value at a path of names, an empty node if there is none.
func (n *node) get(path ...string) *node {
	for _, name := range path {
		i := n.member(name)
		if i < 0 {
			return &node{}
		}
		n = n.items[i].value
	}
	return n
}

// typeName names the JSON type of a value in messages.
func typeName(kind byte) string {
	return map[byte]string{'{': "an object", '[': "a list", '"': "text", '0': "a number", 't': "true or false", 'n': "null"}[kind]
}

// style is the layout of a file.
type style struct {
	newline string // "" for a file of one line
	unit    string // of indentation
}

// styleOf infers the layout from existing values; members of an empty object get lines of
// their own.
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

// encode writes a Go value in the style of a file, below a line of some indentation.
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

// node is a Go value as it is written on a line of some indentation.
func (s style) node(v any, indent string) *node {
	_, n, _, _ := parse([]byte(s.encode(v, indent)))
	n.indent = indent
	return n
}

// insert adds a value to an object, under a name, or to a list, behind the item at; -1 is
// the beginning, for an empty one only.
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
		it.after, in.items[at].after = in.items[at].after, ""
		// Between the last two goes the separator that the file has between others.
		if gap := in.items[0].before; s.newline != "" && strings.Contains(gap, "\n") {
			indent = indentOf(gap, "")
			it.before = s.newline + indent
		} else if s.newline != "" {
			it.before, s.newline = " ", ""
		}
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

// remove removes an item with the comma that separates it from another one.
func (s style) remove(from *node, i int) {
	switch it := from.items[i]; {
	case i < len(from.items)-1:
		from.items[i+1].before = it.before
	case i > 0:
		from.items[i-1].after = it.after
	case it.after == s.newline+from.indent: // as insert leaves it in an empty one
		from.raw = ""
	default:
		from.raw = it.after
	}
	from.items = slices.Delete(from.items, i, i+1)
}
