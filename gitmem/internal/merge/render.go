package merge

import (
	"slices"
	"strings"
)

// writer writes a tree as a file.
type writer struct {
	out  strings.Builder
	eol  string
	prev *node  // the part written last
	last string // the last line, trimmed
	item *node  // the list item or the block that ended last
}

// render returns the file of a version.
func (v *version) render() []byte {
	w := &writer{eol: v.eol}
	w.out.WriteString(v.mark + v.front)
	w.inside(v.root)
	out := w.out.String()
	if w.prev != nil {
		out = strings.TrimSuffix(out, w.prev.end)
	}
	return []byte(out + v.tail)
}

func (w *writer) inside(n *node) {
	for i, u := range n.units {
		// An item that was the first one below its heading needs no blank line after another item.
		if i > 0 && u.kind == kindItem && n.units[i-1].kind == kindItem && u.first {
			u.gap = ""
		}
		w.node(u)
		w.item = u
	}
	for _, s := range n.sections {
		if deep := level(n) + 1; level(s) < deep && deep <= 6 { // it was moved here
			s.text = strings.Repeat("#", deep) + " " + content(s)
		}
		w.node(s)
	}
}

func (w *writer) node(n *node) {
	if w.prev != nil && w.prev.kind == kindCode {
		if sign := unclosed(w.prev.text); sign != "" {
			rest, _ := outdent(w.prev.text)
			w.out.WriteString(w.prev.text[:len(w.prev.text)-len(rest)] + sign + w.eol) // or code would follow
		}
	}
	// it would become part of the item
	if _, column := outdent(n.mark + n.text); w.item != nil && w.item.kind == kindItem && column >= width(w.item.mark) {
		if _, to := outdent(w.item.mark); column < 4 || n.kind == kindItem {
			n.indent(to - column)
		} else {
			w.out.WriteString(w.eol + "<!-- -->" + w.eol) // indented code
		}
	}
	gap := n.gap
	if gap == "" && w.prev != nil && !slices.Contains(n.close, w.last) && w.parted(n) {
		gap = w.eol
	}
	if n.end == "" {
		n.end = w.eol
	}
	w.out.WriteString(gap + n.mark + n.box + n.text + n.end)
	w.prev, w.last, w.item = n, lastLine(n.mark+n.box+n.text), nil
	w.inside(n)
}

// parted reports whether a part needs a blank line before it to be separate.
func (w *writer) parted(n *node) bool {
	switch {
	case n.kind == kindSection:
		return underlined(n) || w.prev.kind != kindSection
	case w.prev.kind == kindSection:
		return false
	case n.kind == kindBlock || n.kind == kindMachine:
		return true
	case w.prev.kind == kindBlock || w.prev.kind == kindMachine:
		return n.kind != kindItem || html(w.prev.text) || !interrupts(strings.TrimLeft(n.mark, " \t")+n.text)
	}
	return false
}
