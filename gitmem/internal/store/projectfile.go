package store

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// projectLists are the lists of project.md.
type projectLists struct {
	remotes, roots, linked []string
	checkouts              []Checkout
}

func (l projectLists) empty() bool {
	return len(l.remotes)+len(l.roots)+len(l.checkouts)+len(l.linked) == 0
}

// byKey returns the items as they are written.
func (l projectLists) byKey(key string) []string {
	var out []string
	for _, item := range map[string][]string{"remotes": l.remotes, "roots": l.roots, "linked": l.linked}[key] {
		out = append(out, quoteItem(item))
	}
	if key == "folders" {
		for _, p := range l.checkouts {
			out = append(out, renderCheckout(p))
		}
	}
	return out
}

func listKeys() []string { return []string{"remotes", "roots", "folders", "linked"} }

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
	for _, key := range listKeys() {
		if items := l.byKey(key); len(items) > 0 {
			b.WriteString(key + ":\n  - " + strings.Join(items, "\n  - ") + "\n")
		}
	}
	b.WriteString("---\n")
	return b.String()
}

// quoteItem writes a YAML scalar, quoted if it could mean something else.
func quoteItem(s string) string {
	plain := s != "" && (s[0] == '/' || s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z')
	for i := range len(s) {
		c := s[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
		plain = plain && (letter || strings.IndexByte("/._-+@~", c) >= 0)
	}
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null":
		plain = false
	}
	if plain {
		return s
	}
	return strconv.Quote(s)
}

func renderCheckout(p Checkout) string {
	machine, dir := quoteItem(cmp.Or(p.Machine, "unknown")), quoteItem(p.Path)
	if machine[0] == '"' || dir[0] == '"' {
		return strconv.Quote(cmp.Or(p.Machine, "unknown") + ": " + p.Path)
	}
	return machine + ": " + dir
}

// parseCheckout reads "machine: path"; one without a machine is a path.
func parseCheckout(item string) Checkout {
	machine, dir, ok := strings.Cut(item, ": ")
	if !ok {
		return Checkout{Path: item}
	}
	if machine = unquote(machine); machine == "unknown" {
		machine = ""
	}
	return Checkout{machine, unquote(strings.TrimSpace(dir))}
}

// projectMeta is what is read of project.md: a subset of YAML that people write
// by hand. What it does not know it skips, and it never writes it anew.
type projectMeta struct {
	lists map[string]*metaList
	end   int // where a key can be added; -1 if there is no frontmatter
	eol   string
}

// metaList is one list and where the next item goes.
type metaList struct {
	items  []string
	at     int
	indent string // of a block list
	flow   bool   // [a, b]
	open   bool   // nothing stands at the key yet, or a single value
	value  int    // where a single value begins
}

func (m projectMeta) items(key string) []string {
	if l := m.lists[key]; l != nil {
		return l.items
	}
	return nil
}

func parseProject(b []byte) projectMeta {
	m := projectMeta{lists: map[string]*metaList{}, end: -1, eol: "\n"}
	at := 0
	if bytes.HasPrefix(b, []byte("\ufeff")) {
		at = 3
	}
	first := true
	var list *metaList
	for line := range strings.Lines(string(b[at:])) {
		text := strings.TrimRight(line, "\r\n")
		switch {
		case first && text != "---":
			return m
		case first:
			m.eol, first = line[len(text):], false
		case text == "---" || text == "...":
			m.end = at
			return m
		default:
			list = m.line(list, text, at, at+len(line))
		}
		at += len(line)
	}
	return projectMeta{lists: map[string]*metaList{}, end: -1, eol: cmp.Or(m.eol, "\n")} // never closed
}

// line reads one line between offsets and returns the list that it may leave
// open.
func (m projectMeta) line(list *metaList, text string, from, to int) *metaList {
	trimmed := strings.TrimLeft(text, " \t")
	if item, ok := strings.CutPrefix(trimmed, "-"); ok && list != nil && (item == "" || item[0] == ' ') {
		list.items = append(list.items, scalar(item))
		list.at, list.indent = to, text[:len(text)-len(trimmed)]
		list.open = false
		return list
	}
	if trimmed == "" || trimmed[0] == '#' {
		return list
	}
	key, value, ok := strings.Cut(text, ":")
	if !ok || !slices.Contains(listKeys(), key) {
		return nil
	}
	l := &metaList{at: to, indent: "  "}
	m.lists[key] = l
	start := from + len(key) + 1
	plain := strings.TrimSpace(stripComment(value))
	switch {
	case plain == "":
		l.open = true
		return l
	case strings.HasPrefix(plain, "[") && strings.HasSuffix(plain, "]"):
		l.flow = true
		l.at = start + strings.LastIndexByte(stripComment(value), ']')
		l.items = splitFlow(plain[1 : len(plain)-1])
	default:
		l.value = start + strings.Index(value, plain)
		l.at = l.value + len(plain)
		l.items = []string{unquote(plain)}
	}
	return nil
}

// scalar reads one item of a block list. A mapping stays as it is written.
func scalar(item string) string { return unquote(strings.TrimSpace(stripComment(item))) }

// stripComment cuts a comment off, unless it stands in quotes.
func stripComment(s string) string {
	var quote byte
	for i := range len(s) {
		switch c := s[i]; {
		case quote == '"' && c == '\\' && i+1 < len(s):
			continue
		case quote != 0:
			if c == quote && (c == '\'' || s[i-1] != '\\') {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t'):
			return s[:i]
		}
	}
	return s
}

func splitFlow(s string) []string {
	var items []string
	for item := range strings.SplitSeq(s, ",") {
		if item = unquote(strings.TrimSpace(item)); item != "" {
			items = append(items, item)
		}
	}
	return items
}

func unquote(s string) string {
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
	}
	if plain, err := strconv.Unquote(s); err == nil && len(s) > 0 && s[0] == '"' {
		return plain
	}
	return s
}

// addition is text to be put at a byte offset.
type addition struct {
	at   int
	text string
}

// projectAdditions returns what has to be put where so that project.md lists
// what add names. What it lists already is left out.
func projectAdditions(b []byte, id string, add projectLists) []addition {
	m := parseProject(b)
	if m.end < 0 {
		return []addition{{0, frontmatter(id, add) + "\n"}}
	}
	var out []addition
	for _, key := range listKeys() {
		items := slices.DeleteFunc(add.byKey(key), func(item string) bool {
			return slices.Contains(m.items(key), unquote(item))
		})
		if len(items) > 0 {
			out = append(out, m.add(key, items)...)
		}
	}
	slices.SortStableFunc(out, func(a, b addition) int { return cmp.Compare(a.at, b.at) })
	return out
}

func (m projectMeta) add(key string, items []string) []addition {
	l := m.lists[key]
	switch {
	case l == nil:
		return []addition{{m.end, key + ":" + m.eol + m.block("  ", items)}}
	case l.flow:
		text := strings.Join(quoteAll(items), ", ")
		if len(l.items) > 0 {
			text = ", " + text
		}
		return []addition{{l.at, text}}
	case l.value > 0:
		return []addition{{l.value, "["}, {l.at, ", " + strings.Join(quoteAll(items), ", ") + "]"}}
	}
	return []addition{{l.at, m.block(l.indent, items)}}
}

func (m projectMeta) block(indent string, items []string) string {
	var b strings.Builder
	for _, item := range items {
		b.WriteString(indent + "- " + item + m.eol)
	}
	return b.String()
}

// quoteAll quotes items for a list in brackets, where a colon would make a
// mapping.
func quoteAll(items []string) []string {
	out := make([]string, len(items))
	for i, item := range items {
		if out[i] = item; strings.Contains(item, ": ") && item[0] != '"' {
			out[i] = strconv.Quote(item)
		}
	}
	return out
}

// projectRemovals takes an item out of a list that has a line for each, as it is written
// here. The error is that people wrote it otherwise.
func projectRemovals(b []byte, key, item string) ([]Insertion, error) {
	m, at, in := parseProject(b), 0, false
	var out []Insertion
	for line := range strings.Lines(string(b[:max(0, m.end)])) {
		text := strings.TrimSpace(line)
		entry, ok := strings.CutPrefix(text, "- ")
		switch {
		case ok && in && scalar(entry) == item:
			out = append(out, Insertion{At: at, Cut: len(line)})
		case !ok && text != "" && text[0] != '#':
			in = strings.HasPrefix(line, key+":")
		}
		at += len(line)
	}
	if slices.Contains(m.items(key), item) && len(out) == 0 {
		return nil, fmt.Errorf("%s: take %s out of %s by hand", projectFile, item, key)
	}
	return out, nil
}
