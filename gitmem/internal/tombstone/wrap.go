package tombstone

import (
	"bytes"
	"strings"
)

// wrapped removes lines that one of the texts spans, and reports whether there were any. Lines that are already removed
// do not separate paragraphs, since cutting the result again must not find more. Blank lines, headings, fields and
// bullets do.
func (p *page) wrapped() bool {
	found := false
	for _, text := range p.cutter.Literals {
		if words := strings.Join(strings.Fields(text), " "); strings.Contains(words, " ") {
			found = p.wrappedText(words) || found
		}
	}
	return found
}

func (p *page) wrappedText(words string) bool {
	found := false
	var r run
	for i, raw := range p.raw {
		if p.gone[i] {
			continue
		}
		line := strings.ToLower(Text(raw))
		if _, item := bullet(raw); item || line == "" || p.fixed[i] || p.field(i) {
			r = run{}
		}
		if line == "" || p.fixed[i] || p.field(i) {
			continue
		}
		at := r.add(i, line, words)
		if at < 0 {
			continue
		}
		for k, end := range r.ends {
			p.gone[r.lines[k]] = p.gone[r.lines[k]] || end > at
		}
		found, r = true, run{}
	}
	return found
}

// run is a paragraph or a list item: its lines joined, and the end of each.
type run struct {
	text  []byte
	lines []int
	ends  []int
}

// add appends a line, and returns the start of an occurrence of words that ends in it, or -1.
func (r *run) add(i int, line, words string) int {
	from := max(0, len(r.text)-len(words))
	if len(r.text) > 0 {
		r.text = append(r.text, ' ')
	}
	r.text = append(r.text, line...)
	r.lines, r.ends = append(r.lines, i), append(r.ends, len(r.text))
	if at := bytes.Index(r.text[from:], []byte(words)); at >= 0 {
		return from + at
	}
	return -1
}
