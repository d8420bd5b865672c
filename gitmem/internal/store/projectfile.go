package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// projectKeys are the lists of project.md, in the order in which they are written.
var projectKeys = [...]string{"remotes", "roots", "folders", "linked"}

// projectLists maps the key of a list to its items.
type projectLists map[string][]string

// renderProject returns a new project.md.
func renderProject(id string, l projectLists) string {
	return frontmatter(id, l) + "\n# " + oneLine(id) + "\n\n" +
		"Checkouts that share a remote with these lists are one project, and those that share\n" +
		"a root commit where one of them has no remote. `gitmem project link` joins others.\n" +
		"Lines may be added by hand, also those of another project that is really this one.\n"
}

func frontmatter(id string, l projectLists) string {
	var b strings.Builder
	b.WriteString("---\nformat: 1\nkind: project\nproject: " + quoteItem(id) + "\n")
	for _, key := range projectKeys {
		if len(l[key]) > 0 {
			b.WriteString(key + ":\n" + renderBlock(key, l[key], "  ", "\n"))
		}
	}
	b.WriteString("---\n")
	return b.String()
}

// renderBlock writes a line for each item.
func renderBlock(key string, items []string, indent, eol string) string {
	var b strings.Builder
	for _, item := range items {
		b.WriteString(indent + "- " + renderItem(key, item) + eol)
	}
	return b.String()
}

func renderItem(key, item string) string {
	if key != "folders" {
		return quoteItem(item)
	}
	machine, dir, _ := strings.Cut(item, ": ")
	if machine, dir = quoteItem(machine), quoteItem(dir); machine[0] == '"' || dir[0] == '"' {
		return strconv.Quote(item)
	}
	return machine + ": " + dir
}

// quoteItem returns a YAML scalar, quoted if it would be ambiguous.
func quoteItem(s string) string {
	const first = "/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	switch strings.ToLower(s) {
	case "", "true", "false", "yes", "no", "on", "off", "y", "n", "null":
		return strconv.Quote(s)
	}
	if strings.Trim(s[:1], first) != "" || strings.Trim(s, first+"0123456789._-+@~") != "" {
		return strconv.Quote(s)
	}
	return s
}

// item returns a checkout in the form of project.md.
func (c Checkout) item() string { return cmp.Or(c.Machine, "unknown") + ": " + listed(c.Path) }

// listed returns a path in a form that YAML can represent.
func listed(path string) string { return strings.ToValidUTF8(path, "\uFFFD") }

// parseCheckout parses "machine: path", or a path without a machine.
func parseCheckout(item string) Checkout {
	machine, dir, ok := strings.Cut(item, ": ")
	if !ok {
		return Checkout{Path: item}
	}
	if machine == "unknown" {
		machine = ""
	}
	return Checkout{machine, strings.TrimSpace(dir)}
}

// projectMeta is the frontmatter of project.md, which people edit by hand and which is never rewritten as a whole.
type projectMeta struct {
	body  []byte
	lists map[string]projectList
	lines []int // offsets of the frontmatter's lines and of its end; nil if there is none
	eol   string
	err   error
}

// projectList is a list, or a single value that is treated as one.
type projectList struct{ key, value *yaml.Node }

func parseProject(b []byte) projectMeta {
	m := projectMeta{body: b, lists: map[string]projectList{}, eol: "\n"}
	at := len(b) - len(bytes.TrimPrefix(b, []byte("\ufeff")))
	for line := range bytes.Lines(b[at:]) {
		at += len(line)
		text := strings.TrimRight(string(line), "\r\n")
		switch {
		case m.lines == nil && text != "---":
			return m
		case m.lines == nil:
			m.eol = string(line[len(text):])
		case text == "---" || text == "...":
			m.err = m.read()
			return m
		}
		m.lines = append(m.lines, at)
	}
	m.lines = nil // no closing line
	return m
}

// read parses the frontmatter. If people wrote invalid YAML into it, the lists are parsed one by one.
func (m *projectMeta) read() error {
	last := len(m.lines) - 1
	if m.readLines(0, last) == nil {
		return nil
	}
	var errs []error
	for from := 0; from < last; {
		to := from + 1
		for to < last && strings.IndexByte(" \t-#\r\n", m.body[m.lines[to]]) >= 0 {
			to++
		}
		key, _, _ := strings.Cut(string(m.body[m.lines[from]:m.lines[to]]), ":")
		if slices.Contains(projectKeys[:], key) {
			errs = append(errs, m.readLines(from, to))
		}
		from = to
	}
	return errors.Join(errs...)
}

// readLines parses the fields in a range of lines, 0-based.
func (m *projectMeta) readLines(from, to int) error {
	var doc yaml.Node
	if err := yaml.Unmarshal(m.body[m.lines[from]:m.lines[to]], &doc); err != nil || len(doc.Content) == 0 {
		return err
	}
	fields := doc.Content[0]
	if fields.Kind != yaml.MappingNode {
		return errors.New("yaml: no fields")
	}
	moveLines(fields, from)
	for pair := range slices.Chunk(fields.Content, 2) {
		m.lists[pair[0].Value] = projectList{pair[0], pair[1]}
	}
	return nil
}

// moveLines adds to the line numbers of a node and its descendants.
func moveLines(n *yaml.Node, lines int) {
	n.Line += lines
	for _, in := range n.Content {
		moveLines(in, lines)
	}
}

// end returns the offset at which a key can be added.
func (m *projectMeta) end() int { return m.lines[len(m.lines)-1] }

func (m *projectMeta) items(key string) (items []string) {
	l, ok := m.lists[key]
	if !ok {
		return nil
	}
	for _, n := range append(slices.Clone(l.value.Content), l.value) {
		switch {
		case n.Kind == yaml.ScalarNode && n.Value != "":
			items = append(items, n.Value)
		case n.Kind == yaml.MappingNode && len(n.Content) == 2:
			items = append(items, n.Content[0].Value+": "+n.Content[1].Value)
		}
	}
	return items
}

// projectAdditions returns the insertions that make project.md list the items in add. Items already listed are omitted,
// and parts that can't be parsed are not changed.
func projectAdditions(b []byte, id string, add projectLists, clean func(string) redact.Clean) []Insertion {
	m := parseProject(b)
	if m.lines == nil {
		return []Insertion{{Text: clean(frontmatter(id, add) + "\n")}}
	}
	var out []Insertion
	for _, key := range projectKeys {
		items := slices.DeleteFunc(slices.Clone(add[key]), func(item string) bool {
			return slices.Contains(m.items(key), item)
		})
		if len(items) > 0 && m.err == nil {
			out = append(out, m.add(key, items, clean)...)
		}
	}
	slices.SortStableFunc(out, func(a, b Insertion) int { return cmp.Compare(a.At, b.At) })
	return out
}

func (m *projectMeta) add(key string, items []string, clean func(string) redact.Clean) []Insertion {
	l, ok := m.lists[key]
	if !ok {
		return []Insertion{{At: m.end(), Text: clean(key + ":" + m.eol + renderBlock(key, items, "  ", m.eol))}}
	}
	n := l.value
	switch {
	case n.Kind == yaml.ScalarNode && n.Value == "":
		return []Insertion{{At: m.lines[l.key.Line], Text: clean(renderBlock(key, items, "  ", m.eol))}}
	case n.Kind == yaml.SequenceNode && n.Style&yaml.FlowStyle == 0:
		last := n.Content[len(n.Content)-1]
		for len(last.Content) > 0 {
			last = last.Content[len(last.Content)-1]
		}
		return []Insertion{{At: m.lines[last.Line],
			Text: clean(renderBlock(key, items, strings.Repeat(" ", n.Column-1), m.eol))}}
	}
	text := ""
	for i, item := range items {
		// in brackets a colon would form a mapping
		if item = renderItem(key, item); strings.Contains(item, ": ") && item[0] != '"' {
			item = strconv.Quote(item)
		}
		if i > 0 || len(m.items(key)) > 0 {
			text += ", "
		}
		text += item
	}
	begin := m.lines[n.Line-1]
	line, _ := strings.CutSuffix(strings.TrimRight(string(m.body[begin:m.lines[n.Line]]), "\r\n"), n.LineComment)
	end := begin + len(strings.TrimRight(line, " \t"))
	switch {
	case n.Kind == yaml.ScalarNode:
		return []Insertion{{At: begin + n.Column - 1, Text: clean("[")}, {At: end, Text: clean(text + "]")}}
	case m.body[end-1] == ']':
		return []Insertion{{At: end - 1, Text: clean(text)}}
	}
	return nil
}

// projectRemovals removes an item from a list with one item a line, as gitmem writes it. It returns an error for other
// formats.
func projectRemovals(b []byte, key, item string) (out []Insertion, err error) {
	m := parseProject(b)
	if l, ok := m.lists[key]; ok && l.value.Style&yaml.FlowStyle == 0 {
		for _, n := range l.value.Content {
			if n.Value == item {
				out = append(out, Insertion{At: m.lines[n.Line-1], Cut: m.lines[n.Line] - m.lines[n.Line-1]})
			}
		}
	}
	if m.err != nil || slices.Contains(m.items(key), item) && len(out) == 0 {
		return nil, errors.Join(m.err, fmt.Errorf("%s: take %s out of %s by hand", projectFile, item, key))
	}
	return out, nil
}
