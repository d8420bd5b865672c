package tombstone

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/markdown"
)

// Piece is the smallest part of a file that can be forgotten on its own: an idea, a task, an observation, a decision,
// or within a section a list item, a paragraph or a heading.
type Piece struct {
	ID    string // citation id of the unit that equals or contains it
	Line  int    // 1-based
	Text  string // redacted, without marks, on one line
	Raw   string // as in the file
	Whole bool   // the unit consists of this piece only
	lines []string
	title bool // a heading
}

// Pieces splits a file into pieces. Lines that belong to no citation are omitted.
func Pieces(f cite.File, src []byte, r *redact.Redactor) []Piece {
	if f.Area == cite.AreaProfile { // a value is removed with its metadata, see package profile
		return nil
	}
	p := Cutter{Redactor: r}.page(f, src)
	red := []byte(strings.Join(p.red, ""))
	d, at := markdown.Parse(red), starts(p.red)
	units, _ := cite.Units(f, red)
	owned := make([]bool, len(p.raw))
	var out []Piece
	for _, u := range units {
		switch cite.Kind(u.Source) {
		case cite.KindSession, cite.KindMemory, cite.KindRules, cite.KindPlan:
			continue
		}
		from, to := lineRange(at, WholeSpan(d, u))
		if u.Source != string(cite.KindDecision) {
			to = p.itemEnd(from, to)
		}
		out = append(out, p.piece(u.ID, from, to, true))
		for i := from; i < to; i++ {
			owned[i] = true
		}
	}
	for _, u := range slices.Backward(units) { // nested units come later
		from, to := lineRange(at, WholeSpan(d, u))
		for i := from; i < to; {
			if owned[i] || Normal(p.red[i]) == "" {
				i++
				continue
			}
			end := p.blockEnd(i, to, owned)
			out = append(out, p.piece(u.ID, i, end, false))
			for ; i < end; i++ {
				owned[i] = true
			}
		}
	}
	return out
}

func lineRange(at []int, s markdown.Span) (from, to int) {
	from = lineAt(at, s.Start)
	for to = from; to < len(at) && at[to] < s.End; to++ {
		continue
	}
	return from, to
}

// itemEnd returns the end of a list item whose own lines are from and up to to.
func (p *page) itemEnd(from, to int) int {
	if from >= len(p.raw) {
		return to
	}
	indent, ok := bullet(p.raw[from])
	for ok && to < len(p.raw) && !p.fixed[to] {
		text := strings.TrimLeft(p.raw[to], " \t")
		if strings.TrimSpace(text) == "" || len(p.raw[to])-len(text) <= indent {
			break
		}
		to++
	}
	return to
}

func (p *page) blockEnd(i, to int, owned []bool) int {
	if p.fixed[i] {
		return i + 1
	}
	if _, ok := bullet(p.raw[i]); ok {
		return min(p.itemEnd(i, i+1), to)
	}
	end := i + 1
	for end < to && !owned[end] && !p.fixed[end] && strings.TrimSpace(p.raw[end]) != "" {
		if _, ok := bullet(p.raw[end]); ok {
			break
		}
		end++
	}
	return end
}

func (p *page) piece(id string, from, to int, whole bool) Piece {
	text := make([]string, 0, to-from)
	for _, line := range p.red[from:to] {
		if t := Text(line); t != "" {
			text = append(text, t)
		}
	}
	out := Piece{
		ID: id, Line: from + 1, Text: strings.Join(text, " "), Raw: strings.Join(p.raw[from:to], ""), Whole: whole,
		title: !whole && p.fixed[from],
	}
	for i := from; i < to; i++ {
		if (!p.fixed[i] || out.title) && !p.field(i) {
			out.lines = append(out.lines, p.red[i])
		}
	}
	return out
}

// Tombstones returns the tombstones of a piece.
func (b Builder) Tombstones(p Piece, project string) []Tombstone {
	var out []Tombstone
	if p.Whole {
		out = append(out, b.Unit(p.ID, project))
	}
	for _, line := range p.lines {
		switch {
		case Distinctive(Normal(line)):
			out = append(out, b.Line(line)...)
		case !p.Whole && !p.title:
			out = append(out, b.Local(p.ID, line)...)
		}
	}
	return out
}

// Part is a unit with its pieces.
type Part struct {
	Unit   cite.Unit
	Pieces []Piece
	Shared bool // the file has several headings of this name
}

// Find returns a unit of a file with its pieces.
func Find(f cite.File, src []byte, id string, r *redact.Redactor) (Part, bool) {
	red := []byte(r.Lines(string(src)))
	units, _ := cite.Units(f, red)
	for _, u := range units {
		if u.ID != id {
			continue
		}
		part := Part{Unit: u, Shared: shared(f, red, u)}
		d, at := markdown.Parse(red), starts(splitLines(string(red)))
		from, to := lineRange(at, WholeSpan(d, u))
		for _, p := range Pieces(f, src, r) {
			if p.Line > from && p.Line <= to {
				part.Pieces = append(part.Pieces, p)
			}
		}
		return part, true
	}
	return Part{}, false
}

func shared(f cite.File, red []byte, u cite.Unit) bool {
	if f.Area != cite.AreaMemory && f.Area != cite.AreaRules && f.Area != cite.AreaPlan {
		return false
	}
	d := markdown.Parse(red)
	count := map[string]int{}
	mine := ""
	for _, s := range d.Sections {
		slug := markdown.Slug(s.Title)
		count[slug]++
		if s.Body.Start == u.Span.Start {
			mine = slug
		}
	}
	return mine != "" && count[mine] > 1
}
