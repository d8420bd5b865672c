// Package settings edits the client's settings.json without changing a foreign byte.
//
// It knows where the client keeps hooks and permission rules, and how to put entries
// between the bytes that are there and to take them out again: bytes in, bytes out.
// Whose entries those are it is told; of files and of what hooks do it knows nothing.
// The client reads strict JSON, with or without a byte order mark: so does this.
package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// node is a value by the bytes that it covers.
type node struct {
	kind       byte // one of { [ " 0 t n: object, list, text, number, bool, null
	start, end int
	text       string // of a text
	keys       []key  // of an object, one for each item
	items      []node
}

// key is the name of a member and where it begins.
type key struct {
	name  string
	start int
}

// bom is the mark that some editors put before UTF-8. The client reads past it.
const bom = "\ufeff"

// parse reads settings. The nodes' places count from the first byte of src, the mark
// included.
func parse(src []byte) (node, error) {
	skip := 0
	if bytes.HasPrefix(src, []byte(bom)) {
		skip = len(bom)
	}
	var whole json.RawMessage
	if err := json.Unmarshal(src[skip:], &whole); err != nil {
		return node{}, placed(src, skip, err)
	}
	p := parser{src: src, at: skip, skip: skip, d: json.NewDecoder(bytes.NewReader(src[skip:]))}
	p.d.UseNumber()
	return p.value()
}

// placed gives an error of the JSON its line and column, from 1, in characters.
func placed(src []byte, skip int, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	at := min(skip+int(syntax.Offset), len(src))
	if at > skip && int(syntax.Offset) <= len(src)-skip && syntax.Error() != "unexpected end of JSON input" {
		at-- // the offset is the one after the byte that can't be read
	}
	before := bytes.TrimPrefix(src[:at], []byte(bom))
	line := bytes.LastIndexByte(before, '\n') + 1
	return fmt.Errorf("line %d, column %d: %w", bytes.Count(before, []byte("\n"))+1, utf8.RuneCount(before[line:])+1, syntax)
}

// parser walks valid JSON with the standard library's decoder, which tells where
// each token ends; where it begins follows, since only blanks, commas and colons lie
// between two.
type parser struct {
	src      []byte
	at, skip int
	d        *json.Decoder
}

func (p *parser) token() (json.Token, int, error) {
	for p.at < len(p.src) && bytes.IndexByte([]byte(" \t\r\n,:"), p.src[p.at]) >= 0 {
		p.at++
	}
	start := p.at
	t, err := p.d.Token()
	p.at = p.skip + int(p.d.InputOffset())
	return t, start, err
}

func (p *parser) value() (node, error) {
	t, start, err := p.token()
	if err != nil {
		return node{}, err
	}
	n := node{start: start, end: p.at}
	switch t := t.(type) {
	case json.Delim:
		n.kind = byte(t)
		err = p.fill(&n)
	case string:
		n.kind, n.text = '"', t
	case json.Number:
		n.kind = '0'
	case bool:
		n.kind = 't'
	default:
		n.kind = 'n'
	}
	return n, err
}

// fill reads what an object or a list holds, up to its end.
func (p *parser) fill(n *node) error {
	for p.d.More() {
		if n.kind == '{' {
			t, start, err := p.token()
			if err != nil {
				return err
			}
			name, _ := t.(string)
			n.keys = append(n.keys, key{name, start})
		}
		item, err := p.value()
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	_, _, err := p.token()
	n.end = p.at
	return err
}

// member finds what a name stands for: the last one, as the client reads it.
func (n node) member(name string) (at int, ok bool) {
	for i := len(n.keys) - 1; i >= 0; i-- {
		if n.keys[i].name == name {
			return i, true
		}
	}
	return 0, false
}

// get is the value of a member, the zero node if there is none.
func (n node) get(name string) node {
	if i, ok := n.member(name); ok {
		return n.items[i]
	}
	return node{}
}

// begin is where an item begins, with its name.
func (n node) begin(i int) int {
	if n.kind == '{' {
		return n.keys[i].start
	}
	return n.items[i].start
}

// what names the kind of a value for a person.
func (n node) what() string {
	switch n.kind {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "text"
	case '0':
		return "a number"
	case 't':
		return "true or false"
	}
	return "null"
}
