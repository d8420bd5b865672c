// Package settings adds and removes entries in clients' JSON settings, and leaves all other bytes unchanged.
//
// It knows where Claude Code stores hooks and permission rules: bytes in, bytes out. The caller decides which
// entries are ours. The package must not know files or the purpose of hooks. Like most clients, it reads
// strict JSON, with or without a byte order mark; if the client accepts comments and trailing commas, it
// reads and preserves them.
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

// parse parses settings: the text before the value, the value, and the text after it. If comments is set, it
// treats comments as white space.
func parse(src []byte, comments bool) (lead string, root *node, tail string, err error) {
	text, marked := strings.CutPrefix(string(src), bom)
	strict := text
	if comments {
		strict = withoutComments(text)
	}
	var whole json.RawMessage
	if err := json.Unmarshal([]byte(strict), &whole); err != nil {
		return "", nil, "", withPosition(text, err)
	}
	p := parser{src: text, strict: strict, d: json.NewDecoder(strings.NewReader(strict))}
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
	return fmt.Errorf("line %d, column %d: %w", strings.Count(src[:at], "\n")+1,
		utf8.RuneCountInString(src[line:at])+1, syntax)
}

// parser walks valid JSON with encoding/json's decoder, which reports the end of each token; the beginning
// follows from it, because only white space, commas and colons are between two tokens.
type parser struct {
	src    string
	strict string // of the same length, with spaces instead of comments
	at     int
	d      *json.Decoder
}

// token returns the next token as written, and the text before it.
func (p *parser) token() (lead, raw string, t json.Token, err error) {
	from := p.at
	t, err = p.d.Token()
	p.at = int(p.d.InputOffset())
	raw = strings.TrimLeft(p.strict[from:p.at], " \t\r\n,:")
	return p.src[from : p.at-len(raw)], raw, t, err
}

// value parses a value and the text before it, on a line with some indentation.
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

// fill parses the items of an object or a list, up to its end.
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
			n.items[len(n.items)-1].after, it.before, _ = cutComma(lead)
		}
		n.items = append(n.items, it)
	}
	end, _, _, err := p.token()
	if n.raw = end; len(n.items) > 0 {
		n.items[len(n.items)-1].after = end
	}
	return err
}

// indentOf returns the indentation at the beginning of a line's prefix.
func indentOf(lead, indent string) string {
	if i := strings.LastIndexByte(lead, '\n'); i >= 0 {
		return blanks(lead[i+1:])
	}
	return indent
}

// blanks returns the leading white space of a text.
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

// member returns the index of a name, the last one, like the client; -1 for none.
func (n *node) member(name string) int {
	for i, it := range slices.Backward(n.items) {
		if n.kind == '{' && it.name == name {
			return i
		}
	}
	return -1
}

// get returns the value at a path of names, or an empty node.
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
	return map[byte]string{'{': "an object", '[': "a list", '"': "text", '0': "a number", 't': "true or false",
		'n': "null"}[kind]
}
