package merge

import (
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/markdown"
)

// version is one version of a file as a tree.
type version struct {
	mark  string // a byte order mark
	front string // the frontmatter with its fences
	eol   string // the most frequent line end
	tail  string // the last line end, and the blank lines after it
	root  *node

	prose bool            // the text between two lists is one part
	ids   map[string]bool // the keys of block ids in use
}

// empty reports whether a version has no text.
func (v *version) empty() bool { return len(v.root.units)+len(v.root.sections) == 0 }

// read parses a file into its parts.
func read(src []byte, prose bool) *version {
	d := markdown.Parse(src)
	v := &version{eol: d.EOL, prose: prose, ids: map[string]bool{}, root: &node{kind: kindSection}}
	start := d.Body.Start
	if d.Front != nil {
		start = d.Front.Span.Start
		if v.front = string(d.Front.Span.Of(src)); !strings.HasSuffix(v.front, "\n") {
			v.front += v.eol
		}
	}
	v.mark = string(src[:start])
	preamble := d.Body
	if len(d.Sections) > 0 {
		preamble.End = d.Sections[0].Heading.Start
	}
	nodes := []*node{v.root}
	last := v.fill(v.root, string(preamble.Of(src)), "\n")
	for _, s := range d.Sections {
		n := &node{kind: kindSection, id: s.ID, gap: v.tail}
		n.text, n.end = cutEnd(string(s.Heading.Of(src)))
		n.close, last = []string{last}, lastLine(n.text)
		v.tail = ""
		last = v.fill(n, string(s.Body.Of(src)), last)
		parent := nodes[s.Parent+1]
		parent.sections = append(parent.sections, n)
		nodes = append(nodes, n)
	}
	v.end()
	v.number(v.root)
	return v
}

// fill parses the text of a section, except the blank lines at its end, which it stores in tail, and returns the last
// line.
func (v *version) fill(n *node, text string, last string) string {
	body := strings.TrimRight(text, " \t\r\n")
	body = text[:len(body)+len(lineRest(text[len(body):]))]
	if blank(body) {
		body = ""
	}
	v.tail = text[len(body):]
	n.units = splitUnits(body)
	for _, u := range n.units {
		if u.kind == kindBlock && isMachine(u.text) {
			u.kind = kindMachine
		}
	}
	if v.prose {
		n.units = joinProse(n.units)
	}
	for i, u := range n.units {
		u.first = i == 0
		last = adjacent(u, last)
	}
	return last
}

// isMachine reports whether all lines of a text have the form of the head of an archived session.
func isMachine(text string) bool {
	for line := range strings.Lines(text) {
		if !strings.Contains(line, ": ") {
			return false
		}
	}
	return strings.HasPrefix(lastLine(text), cite.HeadStart)
}

// lineRest returns the first line of a text, with its line end.
func lineRest(text string) string {
	return text[:strings.IndexByte(text+"\n", '\n')+min(1, strings.Count(text, "\n"))]
}

// adjacent records the line before each part.
func adjacent(n *node, last string) string {
	n.close, last = []string{last}, lastLine(n.mark+n.box+n.text)
	for _, u := range n.units {
		last = adjacent(u, last)
	}
	return last
}

func lastLine(text string) string {
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// joinProse joins the paragraphs between two other units into one unit.
func joinProse(units []*node) (out []*node) {
	for _, u := range units {
		if n := len(out); n > 0 && u.kind == kindBlock && out[n-1].kind == kindBlock {
			out[n-1].text += out[n-1].end + u.gap + u.text
			out[n-1].end = u.end
			continue
		}
		out = append(out, u)
	}
	return out
}

// end moves the last line end to the tail.
func (v *version) end() {
	last := v.root
	for len(last.units)+len(last.sections) > 0 {
		list := last.sections
		if len(list) == 0 {
			list = last.units
		}
		last = list[len(list)-1]
	}
	if last != v.root {
		v.tail, last.end = last.end+v.tail, v.eol
	}
}

// number sets the keys of all parts: the block id or, without one, the content and the number among equal parts.
func (v *version) number(in *node) {
	count := map[string]int{}
	for _, list := range [][]*node{in.units, in.sections} {
		for _, n := range list {
			if n.kind == kindItem || n.kind == kindBlock {
				n.id = blockID(n.text)
			}
			if n.key = string(n.kind) + "^" + n.id; n.id != "" && !v.ids[n.key] {
				v.ids[n.key] = true
			} else {
				n.id, n.key = "", v.contentKey(n)
				count[n.key]++
				n.key += "\x00" + strconv.Itoa(count[n.key])
			}
			v.number(n)
		}
	}
}

// contentKey returns the key of a part without an id. Machine-readable lines and the prose of a decision have fixed
// keys.
func (v *version) contentKey(n *node) string {
	switch {
	case n.kind == kindMachine:
		return string(n.kind)
	case n.kind == kindBlock && v.prose:
		return proseKey
	}
	return string(n.kind) + content(n)
}

const proseKey = "~prose" // greater than most keys: added parts come after it

// content returns the text of a part without insignificant differences: line ends and, in prose, line wrapping.
func content(n *node) string {
	if n.kind == kindCode || n.kind == kindComment {
		text := strings.ReplaceAll(n.text, "\r\n", "\n")
		if end := strings.LastIndexByte(text, '\n'); n.kind == kindCode && end > 0 && unclosed(text) == "" {
			text = text[:end]
		}
		rest, _ := outdent(text)
		return strings.ReplaceAll(rest, "\n"+text[:len(text)-len(rest)], "\n")
	}
	text := n.text
	if n.kind == kindSection {
		text = title(n)
	}
	return strings.Join(strings.Fields(text), " ")
}

// title returns the text of a heading without its marks.
func title(n *node) string {
	if underlined(n) {
		return n.text[:strings.LastIndexByte(n.text, '\n')]
	}
	text := strings.TrimSpace(strings.TrimLeft(n.text, " #"))
	if rest := strings.TrimRight(text, "#"); strings.HasSuffix(rest, " ") || rest == "" {
		text = rest
	}
	return text
}

// blockID returns the block id at the end of a text, without its sign.
func blockID(text string) string {
	word := text[strings.LastIndexAny(text, " \t\n")+1:]
	id, ok := strings.CutPrefix(strings.TrimRight(word, "\r"), "^")
	if !ok || len(word) == len(text) ||
		strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		return ""
	}
	return id
}
