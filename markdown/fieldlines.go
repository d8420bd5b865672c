package markdown

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

// fields is the YAML between the fences: its lines, and its nodes with their positions.
type fields struct {
	lines []string
	root  *yaml.Node // a map
}

func openFields(text string) (*fields, error) {
	if strings.ContainsAny(strings.ReplaceAll(text, "\r\n", "\n"), "\r\u0085\u2028\u2029") {
		return nil, errors.New("a character ends lines in YAML alone")
	}
	f := &fields{slices.Collect(strings.Lines(text)), &yaml.Node{Kind: yaml.MappingNode}}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil || doc.Kind == 0 {
		return f, err
	}
	f.root = doc.Content[0]
	return f, f.root.Decode(&map[string]any{}) // it may not be a map, or have a duplicate key
}

// readValue parses a value that follows a key; nil if it is invalid.
func readValue(text string) *yaml.Node {
	f, err := openFields("v: " + text + "\n")
	if err != nil || len(f.root.Content) != 2 {
		return nil
	}
	return f.root.Content[1]
}

// entry is a field or an item on its own lines.
type entry struct {
	val      *yaml.Node
	from, to int // its lines
	column   int // of its key or dash
}

// width returns how many nodes an entry of a map or a list has.
func width(n *yaml.Node) int {
	if n.Kind == yaml.MappingNode {
		return 2
	}
	return 1
}

// entries returns the entries of a block map or list. Comments after an entry belong to it if they are
// indented deeper than its key.
func (f *fields) entries(in entry) []entry {
	n, w := in.val, width(in.val)
	var list []entry
	for i := len(n.Content) - w; i >= 0 && n.Style&yaml.FlowStyle == 0; i -= w {
		from := min(n.Content[i].Line, len(f.lines)) - 1
		e := entry{n.Content[i+w-1], from, in.to, indent(f.lines[from])}
		in.to = from
		for ; e.to > from+1; e.to-- {
			line := f.lines[e.to-1]
			if text := strings.TrimSpace(line); text != "" && (text[0] != '#' || indent(line) > e.column) {
				break
			}
		}
		list = append(list, e)
	}
	slices.Reverse(list)
	return list
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// find returns the existing entries on the path to a field. The first one is the whole text.
func (f *fields) find(path []string) []entry {
	chain := []entry{{f.root, -1, len(f.lines), -2}}
	for i, name := range path {
		e := chain[i]
		for n, next := range f.entries(e) {
			if e.val.Kind == yaml.MappingNode && e.val.Content[2*n].Value == name {
				chain = append(chain, next)
			}
		}
		if len(chain) != i+2 {
			break
		}
	}
	return chain
}

// edit returns the lines after a change to the value n.
func (f *fields) edit(c FieldChange, n *yaml.Node, eol string) ([]string, error) {
	chain := f.find(c.Path)
	e, missing := chain[len(chain)-1], c.Path[len(chain)-1:]
	list := f.entries(e)
	switch {
	case c.Remove && len(missing) > 0:
		return f.lines, nil
	case c.Remove && !c.Item:
		return f.remove(chain)
	case !c.Item && len(missing) == 0:
		return f.set(e, c)
	case c.Remove && len(list) > 0:
		i := slices.IndexFunc(list, func(e entry) bool { return itemKey(nil, e.val) == itemKey(nil, n) })
		return f.remove(append(chain, list[max(i, 0)]))
	case len(list) > 0:
		last := list[len(list)-1]
		return slices.Insert(f.lines, last.to, c.block(missing, last.column, eol)...), nil
	case e.val.Line == 0, e.val.Tag == "!!null" && e.val.Value == "":
		return slices.Insert(f.lines, e.val.Line, c.block(missing, e.column+2, eol)...), nil
	}
	lines, err := f.expand(e, eol)
	if err != nil {
		return nil, err
	}
	if f, err = openFields(strings.Join(lines, "")); err != nil {
		return nil, err
	}
	return f.edit(c, n, eol)
}

// block returns a new value as lines. path is the missing part of the path to it.
func (c FieldChange) block(path []string, column int, eol string) (lines []string) {
	for i, key := range path {
		line := strings.Repeat(" ", column) + QuoteYAML(key) + ":"
		if i == len(path)-1 && !c.Item {
			line += " " + c.Value
		}
		lines, column = append(lines, line+eol), column+2
	}
	if c.Item {
		lines = append(lines, strings.Repeat(" ", column)+"- "+c.Value+eol)
	}
	return lines
}

// comment matches the possible start of a comment. Strings may contain it too.
var comment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)(?:^|[ \t])#`) })

// split returns the text before a value on its line, and after it: spaces, a comment and the line end.
func (f *fields) split(e entry) (head, tail string, err error) {
	line := []rune(f.lines[min(e.val.Line, len(f.lines))-1])
	at := min(e.val.Column-1, len(line))
	rest := string(line[at:])
	ends := append(comment().FindAllStringIndex(rest, -1), []int{len(rest)})
	end := ends[min(strings.Count(inline(e.val), " #"), len(ends)-1)] // the first ones are in strings
	text := strings.TrimRight(rest[:end[0]], blanks)
	if n := readValue(text); n != nil && printed(n) == printed(e.val) {
		return string(line[:at]), rest[len(text):], nil
	}
	return "", "", errors.New("its value is not on one line")
}

// set replaces the value on its line.
func (f *fields) set(e entry, c FieldChange) ([]string, error) {
	head, tail, err := f.split(e)
	if len(e.val.Content) > 0 && !c.Raw {
		err = errors.New("it is a map or a list, not a text")
	}
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(head, ":") {
		head += " "
	}
	f.lines[e.val.Line-1] = head + c.Value + tail
	return f.lines, nil
}

// expand puts the entries of a flow collection on separate lines.
func (f *fields) expand(e entry, eol string) ([]string, error) {
	head, tail, err := f.split(e)
	if err != nil {
		return nil, err
	}
	lines := []string{strings.TrimRight(head, " ") + tail}
	for nodes := range slices.Chunk(e.val.Content, width(e.val)) {
		c, path := FieldChange{Value: inline(nodes[len(nodes)-1]), Item: len(nodes) == 1}, []string{nodes[0].Value}
		lines = append(lines, c.block(path[:len(nodes)-1], e.column+2, eol)...)
	}
	return slices.Replace(f.lines, e.val.Line-1, e.val.Line, lines...), nil
}

// inline formats a value on one line.
func inline(n *yaml.Node) string {
	var parts []string
	for nodes := range slices.Chunk(n.Content, width(n)) {
		part := inline(nodes[len(nodes)-1])
		if len(nodes) == 2 {
			part = QuoteYAML(nodes[0].Value) + ": " + part
		}
		parts = append(parts, part)
	}
	switch text := strings.Join(parts, ", "); {
	case n.Kind == yaml.MappingNode:
		return "{" + text + "}"
	case n.Kind == yaml.SequenceNode:
		return "[" + text + "]"
	case n.Tag == "!!str":
		return QuoteYAML(n.Value)
	}
	return n.Value
}

// remove removes the last entry, or the outermost parent that has no other content.
func (f *fields) remove(chain []entry) ([]string, error) {
	i := len(chain) - 1
	e := chain[i]
	if text := strings.Join(f.lines[e.from:e.to], ""); comment().MatchString(text) {
		_, tail, err := f.split(e)
		if err != nil || e.to > e.from+1 || strings.TrimSpace(tail) != "" {
			return nil, errors.New("a comment would be lost")
		}
	}
	for ; i > 1; i-- {
		p, c := chain[i-1], chain[i]
		around := strings.Join(f.lines[p.from:c.from], "") + strings.Join(f.lines[c.to:p.to], "")
		if len(f.entries(p)) > 1 || strings.Contains(around, "#") {
			break
		}
	}
	return slices.Delete(f.lines, chain[i].from, chain[i].to), nil
}
