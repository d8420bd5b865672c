package merge

import (
	"slices"
	"strings"
)

// writer writes a tree as a file.
type writer struct {
	out  strings.Builder
	eol  string
	prev *node  // what was written last
	last string // the last line, trimmed
}

// render is the file of a version.
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
	for _, u := range n.units {
		w.node(u)
	}
	for _, s := range n.sections {
		w.node(s)
	}
}

func (w *writer) node(n *node) {
	if w.prev != nil && w.prev.kind == kindCode {
		if sign := unclosed(w.prev.text); sign != "" {
			w.out.WriteString(sign + w.eol) // what comes next would be code
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
	w.prev, w.last = n, lastLine(n.mark+n.box+n.text)
	w.inside(n)
}

// parted reports whether a blank line has to stand before a part so that it is one of its own.
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
