package merge_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/merge"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/markdown/linediff"
)

// part is a part of a generated file. Each has a unique word in its text.
type part struct {
	head, text, id string // head is the marker of a heading or an item, "" for a paragraph
	parts          []*part
}

func (p *part) clone() *part {
	c := *p
	c.parts = nil
	for _, in := range p.parts {
		c.parts = append(c.parts, in.clone())
	}
	return &c
}

func (p *part) heading() bool { return strings.HasPrefix(p.head, "#") }

func (p *part) write(b *strings.Builder, indent string) {
	line := p.head + p.text
	if p.id != "" {
		line += " ^" + p.id
	}
	if p.heading() || p.head == "" {
		b.WriteString("\n")
	}
	b.WriteString(indent + strings.ReplaceAll(line, "\n", "\n"+indent) + "\n")
	if p.heading() {
		b.WriteString("\n")
		indent = ""
	} else {
		indent += "  "
	}
	for _, in := range p.parts {
		in.write(b, indent)
	}
}

func (p *part) file() []byte {
	var b strings.Builder
	for i, in := range p.parts {
		if i > 0 && p.parts[i-1].head != "" && in.head != "" || in.heading() {
			b.WriteString("")
		}
		in.write(&b, "")
	}
	return []byte(b.String())
}

// maker generates files, and changes them as machines do.
type maker struct {
	*rand.Rand
	mark    string
	n       int
	idsOnly bool
}

func (m *maker) word() string {
	m.n++
	return m.mark + strconv.Itoa(m.n) + "w"
}

func (m *maker) unit() *part {
	p := &part{head: "- ", text: "Note " + m.word() + " on the relay board"}
	switch k := m.IntN(6); {
	case k == 0:
		p.head = "- [ ] "
	case k == 1 && !m.idsOnly:
		p.head, p.text = "", "Text "+m.word()+" of the pump"
	case k == 2 && !m.idsOnly:
		p.head, p.text = "", "Text "+m.word()+" of the pump\nand its motor "+m.word()+"\nin the house"
	}
	if p.head != "" && (m.idsOnly || m.IntN(2) == 0) {
		p.id = "i-" + strconv.FormatUint(m.Uint64()>>24, 36)
	}
	if p.head != "" && m.IntN(4) == 0 {
		p.parts = append(p.parts, m.unit())
		for p.parts[0].head == "" {
			p.parts[0] = m.unit()
		}
	}
	return p
}

func (m *maker) section(level int) *part {
	p := &part{head: strings.Repeat("#", level) + " ", text: "Title " + m.word(), id: "s-" +
		strconv.FormatUint(m.Uint64()>>24, 36)}
	if !m.idsOnly && m.IntN(2) == 0 {
		p.id = ""
	}
	for range 1 + m.IntN(4) {
		p.parts = append(p.parts, m.unit())
	}
	if level < 3 {
		for range m.IntN(3) {
			p.parts = append(p.parts, m.section(level+1))
		}
	}
	return p
}

// holders returns the parts into which units can be put.
func holders(p *part) []*part {
	out := []*part{p}
	for _, in := range p.parts {
		if in.head != "" {
			out = append(out, holders(in)...)
		}
	}
	return out
}

// change makes one change.
func (m *maker) change(root *part) {
	all := holders(root)
	in := all[m.IntN(len(all))]
	units := slices.IndexFunc(in.parts, (*part).heading)
	if units < 0 {
		units = len(in.parts)
	}
	at := m.IntN(len(in.parts) + 1)
	switch k := m.IntN(8); {
	case k <= 1 && (in == root || in.heading()):
		in.parts = slices.Insert(in.parts, m.IntN(units+1), m.unit())
	case k == 2:
		at := m.IntN(units + 1)
		p := m.unit()
		if in != root && !in.heading() && p.head == "" {
			return
		}
		in.parts = slices.Insert(in.parts, at, p)
	case k == 3 && (in == root || strings.HasPrefix(in.head, "# ")):
		in.parts = append(in.parts, m.section(1+strings.Count(in.head, "#")))
	case at == len(in.parts):
	case k == 4:
		in.parts = slices.Delete(in.parts, at, at+1)
	case k == 5 && in.parts[at].head == "- [ ] ":
		in.parts[at].head = "- [x] "
	case k == 6 && !in.parts[at].heading():
		lines := strings.Split(in.parts[at].text, "\n")
		i := m.IntN(len(lines))
		lines[i] = strings.TrimSuffix(lines[i], " ") + " " + m.word()
		in.parts[at].text = strings.Join(lines, "\n")
	case k == 7 && in.parts[at].id != "" && !in.parts[at].heading() && in.parts[at].head != "":
		p := in.parts[at]
		in.parts = slices.Delete(in.parts, at, at+1)
		to := holders(root)
		dest := to[m.IntN(len(to))]
		if dest != root && !dest.heading() {
			dest = root
		}
		dest.parts = slices.Insert(dest.parts, 0, p)
	}
}

func (m *maker) changed(root *part, mark string, n int) *part {
	m.mark = mark
	out := root.clone()
	for range n {
		m.change(out)
	}
	return out
}

func (m *maker) file() *part {
	m.mark = "b"
	root := &part{}
	for range m.IntN(3) {
		root.parts = append(root.parts, m.unit())
	}
	for range 1 + m.IntN(3) {
		root.parts = append(root.parts, m.section(1))
	}
	return root
}

var words = regexp.MustCompile(`[a-z]\d+w`)

func wordsOf(b []byte) map[string]bool {
	out := map[string]bool{}
	for _, w := range words.FindAll(b, -1) {
		out[string(w)] = true
	}
	return out
}

func rounds() uint64 {
	if os.Getenv("GITMEM_NIGHTLY") != "" {
		return 50_000
	}
	return 1000
}

// TestLaws merges the changes of two machines to a file.
func TestLaws(t *testing.T) {
	t.Parallel()
	for seed := range rounds() {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 1))}
		base := m.file()
		x, y := m.changed(base, "x", 1+m.IntN(8)), m.changed(base, "y", 1+m.IntN(8))
		b, ours, theirs := base.file(), x.file(), y.file()
		merged := checkLaws(t, "a.md", b, ours, theirs)
		had, has := wordsOf(b), wordsOf(merged)
		for _, side := range [][]byte{ours, theirs} {
			for w := range wordsOf(side) {
				if !had[w] && !has[w] {
					t.Fatalf("seed %d: %s is lost\n%s\n--\n%s\n--\n%s\n--\n%s", seed, w, b, ours, theirs, merged)
				}
			}
		}
		checkRemoved(t, seed, b, ours, theirs, merged)
		checkRemoved(t, seed, b, theirs, ours, merged)
		checkParsed(t, merged)
	}
}

// checkRemoved checks that a part that one side removed and the other one left unchanged is deleted.
func checkRemoved(t *testing.T, seed uint64, base, ours, theirs, merged []byte) {
	t.Helper()
	o, has := wordsOf(ours), wordsOf(merged)
	changed := false
	for line := range bytes.Lines(base) {
		changed = changed || !bytes.Contains(theirs, line)
	}
	for line := range bytes.Lines(base) {
		if changed || bytes.HasPrefix(line, []byte("#")) {
			continue
		}
		for w := range wordsOf(line) {
			if !o[w] && has[w] && !bytes.Contains(merged, append(line[:len(line)-1:len(line)-1], '\n')) {
				t.Fatalf("seed %d: %s came back\n%s\n--\n%s\n--\n%s\n--\n%s", seed, w, base, ours, theirs, merged)
			}
		}
	}
}

// checkParsed checks that a parser finds each heading, task and note, and no block id twice.
func checkParsed(t *testing.T, merged []byte) {
	t.Helper()
	d := markdown.Parse(merged)
	for _, s := range d.Skipped {
		t.Fatalf("%s in\n%s", s.Reason, merged)
	}
	headings, ideas := 0, 0
	for line := range strings.Lines(string(merged)) {
		if strings.HasPrefix(line, "#") {
			headings++
		}
		if text := strings.TrimSpace(line); strings.HasPrefix(text, "- [") {
			ideas++
		}
	}
	if len(d.Sections) != headings || len(d.Ideas) != ideas {
		t.Fatalf("%d of %d sections and %d of %d ideas are read of\n%s", len(d.Sections), headings, len(d.Ideas),
			ideas, merged)
	}
}

// TestAssociative merges the changes of three machines to parts with ids, in any order.
func TestAssociative(t *testing.T) {
	t.Parallel()
	skipped := uint64(0)
	for seed := range rounds() {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 2)), idsOnly: true}
		base := m.file()
		var v [3][]byte
		for i := range v {
			v[i] = m.changed(base, string(rune('x'+i)), 1+m.IntN(5)).file()
		}
		b := base.file()
		var got []string
		for i := range v {
			pair := merge.File("a.md", b, v[i], v[(i+1)%3])
			got = append(got, string(merge.File("a.md", b, pair, v[(i+2)%3])))
		}
		if returned(b, v[:], []byte(got[0])) {
			skipped++
			continue
		}
		if got[0] != got[1] || got[1] != got[2] {
			t.Fatalf("seed %d:\n%s\nx: %s\ny: %s\nz: %s\nxy,z: %s\nyz,x: %s\nzx,y: %s", seed, b,
				changes(b, v[0]), changes(b, v[1]), changes(b, v[2]), changes(b, []byte(got[0])), changes(b, []byte(got[1])),
				changes(b, []byte(got[2])))
		}
	}
	if skipped > rounds()/3 {
		t.Errorf("%d of %d are skipped", skipped, rounds())
	}
}

// returned reports whether a version lacks a part of base that is in the result, since another one changed it. A
// neighbour of such a part may end up on its other side, because the version without it does not determine the order.
func returned(base []byte, versions [][]byte, result []byte) bool {
	has := wordsOf(result)
	for _, v := range versions {
		in := wordsOf(v)
		for w := range wordsOf(base) {
			if has[w] && !in[w] {
				return true
			}
		}
	}
	return false
}

// changes returns the lines that differ from base.
func changes(base, b []byte) string {
	var out strings.Builder
	for _, h := range linediff.Diff(base, b) {
		fmt.Fprintf(&out, "@%d\n-%s\n+%s\n", h.Old.Start, h.Removed, h.Added)
	}
	return out.String()
}
