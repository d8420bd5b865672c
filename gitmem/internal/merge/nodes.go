package merge

import (
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// merger merges parts of a file. A nil or absent part is not in a version.
type merger struct {
	eol   string
	mixed bool // equal parts changed their order
}

func exists(n *node) bool { return n != nil && !n.absent }

// node merges a part and its children, nil if it is deleted. The caller adds the notes after it.
func (m *merger) node(b, x, y *node) (out *node, notes []*node) {
	switch {
	case !exists(x) && !exists(y):
		return nil, nil
	case b == nil && x == nil:
		return y, nil
	case b == nil && y == nil:
		return x, nil
	}
	out, notes = m.own(b, x, y)
	in := notes
	if out.kind == kindItem || out.kind == kindSection {
		notes = nil
	} else {
		in = nil
	}
	m.inside(out, b, x, y, in)
	if exists(b) && exists(x) != exists(y) && len(out.units)+len(out.sections) == 0 && sameOwn(b, out) {
		return nil, nil
	}
	return out, notes
}

// sameOwn reports whether two parts have the same content, apart from their children.
func sameOwn(a, b *node) bool {
	return content(a) == content(b) && strings.TrimSpace(a.box) == strings.TrimSpace(b.box)
}

// own merges the content of a part without its children.
func (m *merger) own(b, x, y *node) (out *node, notes []*node) {
	if !exists(x) {
		x = y
	}
	if !exists(y) {
		y = x
	}
	if !exists(b) {
		b = &node{kind: x.kind}
	}
	out = &node{key: x.key, id: x.id, kind: x.kind}
	out.gap, out.end = pick(b.gap, x.gap, y.gap), pick(b.end, x.end, y.end)
	out.first = b.first || x.first || y.first
	out.mark, out.box = pick(b.mark, x.mark, y.mark), pick(b.box, x.box, y.box)
	texts := [3]string{content(b), content(x), content(y)}
	switch {
	case texts[1] == texts[2]:
		own := pick(b.mark+"\n"+b.text, x.mark+"\n"+x.text, y.mark+"\n"+y.text)
		out.text = y.text
		if out.mark = y.mark; own == x.mark+"\n"+x.text {
			out.mark, out.text = x.mark, x.text
		}
	case texts[0] == texts[1]:
		out.text = y.text
	case texts[0] == texts[2]:
		out.text = x.text
	default:
		notes = m.conflict(out, b, x, y)
	}
	for _, side := range []*node{x, y} {
		if side.gap == "" && side.text == out.text {
			out.close = append(out.close, side.close...)
		}
	}
	return out, notes
}

// conflict chooses one of two texts, and returns the other one as a note.
func (m *merger) conflict(out, b, x, y *node) (notes []*node) {
	if x.kind == kindMachine {
		if out.text = x.text; through(y) > through(x) || through(y) == through(x) && y.text > x.text {
			out.text = y.text
		}
		return nil
	}
	if out.id == "" && out.kind != kindSection {
		if text, ok := mergeLines(b, x, y); ok {
			out.text = text
			return nil
		}
	}
	xNoted, yNoted := notesOf(b.units, x.units)[noteText(y)], notesOf(b.units, y.units)[noteText(x)]
	if xNoted == yNoted && content(x) < content(y) || yNoted && !xNoted {
		x, y = y, x
	}
	out.text = x.text
	return []*node{m.noteOf(out.mark, y)}
}

// through returns the line of the transcript up to which a session is archived.
func through(n *node) int { return cite.ReadHead(time.Time{}, n.text).Through }

// inside merges the children of a part into out, after further notes.
func (m *merger) inside(out, b, x, y *node, notes []*node) {
	kids := func(n *node) (units, moved, sections, movedSections []*node) {
		if n == nil {
			return nil, nil, nil, nil
		}
		return n.units, n.movedUnits, n.sections, n.movedSections
	}
	bu, bmu, bs, bms := kids(b)
	xu, xmu, xs, xms := kids(x)
	yu, ymu, ys, yms := kids(y)
	out.units = m.list(siblings{bu, bmu}, siblings{xu, xmu}, siblings{yu, ymu}, notes)
	out.sections = m.list(siblings{bs, bms}, siblings{xs, xms}, siblings{ys, yms}, nil)
	wide := width(out.mark)
	for _, u := range out.units {
		if _, column := outdent(u.mark + u.text); column < wide || column > wide+3 && u.kind == kindItem {
			u.indent(wide - column)
		}
	}
}

// siblings are the parts of a list in one version, and those that another version moved there.
type siblings struct{ list, moved []*node }

func (s siblings) byKey() map[string]*node {
	out := make(map[string]*node, len(s.list)+len(s.moved))
	for _, list := range [][]*node{s.moved, s.list} {
		for _, n := range list {
			out[n.key] = n
		}
	}
	return out
}

// sameAs returns the key of a part without its number among equal parts.
func sameAs(key string) string {
	same, _, _ := strings.Cut(key, "\x00")
	return same
}

// count returns the numbers of equal parts.
func (s siblings) count() map[string]int {
	out := map[string]int{}
	for _, n := range s.list {
		out[sameAs(n.key)]++
	}
	return out
}

// list merges two lists by key.
func (m *merger) list(b, x, y siblings, notes []*node) []*node {
	kept := map[string]*node{}
	base, ours, theirs := b.byKey(), x.byKey(), y.byKey()
	noted := [2]map[string]bool{notesOf(b.list, y.list), notesOf(b.list, x.list)}
	many := [3]map[string]int{b.count(), x.count(), y.count()}
	behind := map[*node]string{}
	for i, list := range [][]*node{x.list, x.moved, y.list, y.moved} {
		for _, n := range list {
			key := n.key
			if kept[key] != nil {
				continue
			}
			bn, xn, yn := base[key], ours[key], theirs[key]
			if same := sameAs(key); bn != nil && yn == nil && many[1][same] > many[0][same] ||
				bn != nil && xn == nil && many[2][same] > many[0][same] {
				bn = nil // one of several equal parts: it is unknown which one was removed
			}
			if bn == nil && (xn == nil || yn == nil) && n.id == "" && n.kind != kindSection && noted[i/2][noteText(n)] {
				continue // the other side has decided
			}
			merged, extra := m.node(bn, xn, yn)
			if merged == nil {
				continue
			}
			kept[key] = merged
			for _, note := range extra {
				notes = append(notes, note)
				behind[note] = key
			}
		}
	}
	a := newArranger(b.list, kept)
	a.list(x.list)
	a.list(y.list)
	for _, n := range notes {
		a.put(n, behind[n])
	}
	list := a.ordered()
	count := map[string]int{}
	for _, n := range list {
		same, number, numbered := strings.Cut(n.key, "\x00")
		count[same]++
		m.mixed = m.mixed || numbered && number != strconv.Itoa(count[same])
	}
	return list
}

// level returns the level of a heading, 0 for other parts.
func level(n *node) int {
	text := strings.TrimLeft(n.text, " ")
	switch {
	case n.kind != kindSection || text == "":
		return 0
	case !underlined(n):
		return len(text) - len(strings.TrimLeft(text, "#"))
	case strings.HasPrefix(lastLine(text), "="):
		return 1
	}
	return 2
}

// underlined reports whether a heading is marked by the line below it.
func underlined(n *node) bool { return strings.Contains(n.text, "\n") }

// width returns the column at which an item's text begins.
func width(mark string) int {
	_, column := outdent(mark + "x")
	sign := strings.TrimLeft(mark, " \t")
	if sign == strings.TrimRight(sign, " \t") && sign != "" {
		column++ // nothing follows the bullet
	}
	return column + len(sign)
}

// indent moves all lines of a part to the right, or to the left.
func (n *node) indent(by int) {
	move := func(line string) string {
		rest, column := outdent(line)
		if blank(line) || column == 0 && by < 0 {
			return line
		}
		return strings.Repeat(" ", max(column+by, 0)) + rest
	}
	lines := splitLines(n.text)
	if n.mark != "" {
		n.mark = strings.TrimSuffix(move(n.mark+"x"), "x")
	} else if len(lines) > 0 {
		lines[0] = move(lines[0])
	}
	for i := range lines {
		if i > 0 {
			lines[i] = move(lines[i])
		}
	}
	n.text = strings.Join(lines, "")
	for _, u := range n.units {
		u.indent(by)
	}
}
