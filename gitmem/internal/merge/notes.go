package merge

import (
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/markdown"
)

// mergeLines merges the lines of a text if all changes can be combined into a text that neither side would change
// again.
func mergeLines(b, x, y *node) (string, bool) {
	if !strings.Contains(b.text, "\n") || strings.HasPrefix(b.text, "---") || strings.HasPrefix(b.text, "+++") {
		return "", false
	}
	merge := func(x, y string) string {
		text, conflicts := markdown.Merge3([]byte(b.text+"\n"), []byte(x+"\n"), []byte(y+"\n"))
		if len(conflicts) > 0 {
			return ""
		}
		return strings.TrimSuffix(string(text), "\n")
	}
	text := merge(x.text, y.text)
	if strings.TrimSpace(text) == "" || merge(y.text, x.text) != text || merge(text, x.text) != text ||
		merge(text, y.text) != text {
		return "", false
	}
	kind := x.kind
	if kind == kindItem {
		kind = kindBlock
	}
	if x.key != proseKey && alike(b, &node{text: text}) == 0 {
		return "", false // it would not be recognised as the same part
	}
	units := splitUnits(text)
	for _, u := range units {
		if u.kind != kind || len(units) > 1 && x.key != proseKey {
			return "", false
		}
	}
	return text, true
}

// noteOf returns an item with a lost text, below an item with this mark or, without a mark, beside other text.
func (m *merger) noteOf(mark string, lost *node) *node {
	if lost.kind == kindCode || lost.kind == kindComment {
		return m.note(mark, "the other version:", lost.text)
	}
	return m.note(mark, noteText(lost), "")
}

// note returns an item with a text, and with lines below it.
func (m *merger) note(mark, text, lines string) *node {
	var b strings.Builder
	b.WriteString("- " + messages.ConflictMark + text + m.eol)
	for _, line := range splitLines(lines) {
		rest, _ := cutEnd(line)
		if rest != "" {
			rest = "  " + rest
		}
		b.WriteString(rest + m.eol)
	}
	in := &node{units: splitUnits(b.String())}
	(&version{ids: map[string]bool{}}).number(in)
	n := in.units[0]
	if mark == "" {
		n.gap = m.eol
	}
	n.indent(width(mark))
	return n
}

// noteText returns a text in the form of a note: one line without checkbox and id.
func noteText(n *node) string {
	text := content(n)
	if n.kind == kindCode || n.kind == kindComment {
		return text
	}
	for id := blockID(text); id != ""; id = blockID(text) {
		text = strings.TrimRight(strings.TrimSuffix(text, "^"+id), " ")
	}
	return text
}

// notesOf returns the texts of the notes in a list, without those that are also in base.
func notesOf(base, list []*node) map[string]bool {
	out := map[string]bool{}
	visit := func(list []*node, is bool) {
		for _, n := range list {
			text, ok := strings.CutPrefix(content(n), messages.ConflictMark)
			if !ok || n.kind != kindItem {
				continue
			}
			out[text] = is
			for _, u := range n.units {
				out[noteText(u)] = is
			}
		}
	}
	visit(list, true)
	visit(base, false)
	return out
}
